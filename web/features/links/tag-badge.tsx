import type { Tag, TagColor } from '#contract/links/tags.ts';

/**
 * Color never carries meaning alone: a tag's name is next to its dot. In forced colors the dot
 * keeps the color that the member chose.
 */
export const TAG_DOTS: Readonly<Record<TagColor, string>> = {
  gray: 'bg-ink-3',
  blue: 'bg-chart-1',
  green: 'bg-chart-2',
  amber: 'bg-chart-3',
  red: 'bg-bad',
  purple: 'bg-chart-4',
};

export const TagDot = ({ color }: { color: TagColor }) => (
  <span
    className={`inline-block size-2 shrink-0 rounded-full forced-colors:forced-color-adjust-none ${TAG_DOTS[color]}`}
    aria-hidden="true"
  />
);

/** A tag of a link, which is a button that filters the list by it. A phone has no room for it. */
export function TagBadge({ tag, onSelect }: { tag: Tag; onSelect: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Show links with the tag ${tag.name}`}
      onClick={onSelect}
      className="inline-flex h-6 max-w-40 max-sm:hidden shrink-0 items-center gap-1.5 rounded-full border border-line bg-hover px-2 text-12 font-medium text-ink-2 hover:border-line-strong hover:text-ink"
    >
      <TagDot color={tag.color} />
      <span dir="auto" className="truncate">
        {tag.name}
      </span>
    </button>
  );
}
