import { previewUrlOf } from '#contract/codes/link-key.ts';
import {
  Archive,
  ArchiveRestore,
  ChartNoAxesColumn,
  Check,
  Ellipsis,
  History,
  IdCard,
  Link2,
  Link2Off,
  Lock,
  Pencil,
  QrCode,
  Star,
  StarOff,
  StickyNote,
  TextCursorInput,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { formatNumber, plural } from '#contract/language.ts';
import type { LinkActivity } from '#contract/links/link-activity.ts';
import type { ListedLink } from '#contract/links/links.ts';
import { codeOf, readableUrl } from '#web/shared/texts/format.ts';
import { LinkAvatar, ShortUrl } from '#web/shared/links/link-parts.tsx';
import { Arc } from '#web/ui/arc.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { avatarTint } from './avatar-color.ts';
import { ClicksPill } from './clicks-pill.tsx';
import { TagBadge } from './tag-badge.tsx';
import { describeDates, hasEnded } from './link-date.ts';
import { TargetLine } from './target-line.tsx';

const DIALOG_ACTIONS = ['edit', 'rename', 'card', 'history', 'qr', 'toggle'] as const;
export type DialogAction = (typeof DIALOG_ACTIONS)[number];
export const opensDialog = (action: LinkAction): action is DialogAction =>
  DIALOG_ACTIONS.some((name) => name === action);
export type LinkAction =
  | DialogAction
  | 'favorite'
  | 'unfavorite'
  | 'archive'
  | 'unarchive'
  | 'delete';

/**
 * A row of the link list: the short URL with its copy button above its destination, the clicks, and
 * the other actions. On a phone the clicks are beside the destination, in two lines.
 */
export function LinkRow({
  link,
  isNew = false,
  activity,
  now,
  isSelected,
  onSelect,
  onTag,
  onAction,
}: {
  link: ListedLink;
  /** True for a link that was just created. */
  isNew?: boolean;
  /** Undefined while it loads, and for a link without clicks. */
  activity: LinkActivity | undefined;
  now: number;
  isSelected: boolean;
  /** `isRange`: with the links between this one and the last that was selected. */
  onSelect: (isRange: boolean) => void;
  onTag: (name: string) => void;
  onAction: (action: LinkAction) => void;
}) {
  return (
    <li
      className={`${isNew ? 'animate-arrive bg-accent/5' : ''} grid grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-3 border-b border-line px-4 py-2 outline-line-strong transition-colors duration-150 first:rounded-t-lg last:rounded-b-lg last:border-b-0 hover:bg-ink/3 has-focus-visible:bg-ink/3 has-focus-visible:outline-1 has-focus-visible:-outline-offset-1 sm:px-5`}
    >
      <Selection link={link} isSelected={isSelected} onSelect={onSelect} />
      <div className="min-w-0 max-sm:contents">
        <Heading link={link} isNew={isNew} now={now} onTag={onTag} onAction={onAction} />
        <TargetLine link={link} activity={activity} now={now} />
      </div>
      <div className="max-sm:col-span-2 max-sm:col-start-3 max-sm:row-start-2 max-sm:justify-self-end">
        <ClicksPill link={link} activity={activity} />
      </div>
      <RowActions link={link} onAction={onAction} />
    </li>
  );
}

function Selection({
  link,
  isSelected,
  onSelect,
}: {
  link: ListedLink;
  isSelected: boolean;
  onSelect: (isRange: boolean) => void;
}) {
  return (
    <span className="relative inline-flex size-9 items-center justify-center rounded-full select-none max-sm:row-span-2 max-sm:mt-1 max-sm:self-start">
      {/* It lies over the mark, because not every browser passes a click with Shift on to the
          checkbox of a label. */}
      <input
        type="checkbox"
        aria-label={`Select ${codeOf(link.short_url)}`}
        className="peer absolute inset-0 z-1 size-full cursor-pointer opacity-0"
        checked={isSelected}
        onChange={({ nativeEvent }) =>
          onSelect(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
      <LinkAvatar
        target={link.long_url}
        tint={avatarTint(link)}
        className="outline-offset-2 outline-accent peer-checked:border-accent peer-checked:bg-accent peer-checked:text-on-accent peer-hover:border-line-strong peer-focus-visible:outline-2"
      >
        {isSelected ? <Check className="size-4" /> : undefined}
      </LinkAvatar>
      {link.favorite && (
        <>
          <Star className="absolute -inset-e-1 -bottom-1 size-4.5 fill-warn stroke-1 text-surface" />
          <span className="sr-only">Favorite</span>
        </>
      )}
    </span>
  );
}

/** The short URL, the title, badges, tags and the note of a link. */
function Heading({
  link,
  isNew,
  now,
  onTag,
  onAction,
}: {
  link: ListedLink;
  isNew: boolean;
  now: number;
  onTag: (name: string) => void;
  onAction: (action: LinkAction) => void;
}) {
  const disabled = link.status === 'disabled';
  const dates = describeDates(link, now);
  const short = readableUrl(link.short_url);
  return (
    <div className="flex min-w-0 items-center gap-x-2 max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-1 max-sm:-my-1.5 sm:flex-wrap sm:gap-y-1">
      <span className="inline-flex min-w-0 items-center">
        <ExternalLink
          href={previewUrlOf(link.short_url)}
          dir="ltr"
          aria-label={`Preview of ${short}`}
          data-tooltip="Preview"
          className={`min-w-0 font-mono text-14 leading-6 font-medium max-sm:flex max-sm:[&>span]:truncate max-sm:[&>span:first-child]:min-w-[2ch] max-sm:[&>span:first-child]:shrink-[9999] sm:[overflow-wrap:anywhere] ${disabled ? 'text-ink-3 line-through' : 'text-ink hover:text-accent'}`}
        >
          <ShortUrl url={link.short_url} />
        </ExternalLink>
        <CopyIcon text={link.short_url} name={`Copy ${short}`} />
      </span>
      {link.title !== '' && (
        <span
          dir="auto"
          className="max-w-full min-w-0 truncate text-14 text-ink-2 max-sm:hidden sm:max-w-96"
        >
          {link.title}
        </span>
      )}
      {isNew && (
        <Badge tone="accent">
          <Arc motion="draw" className="size-4 max-sm:hidden" />
          New
        </Badge>
      )}
      {link.archived && <Badge>Archived</Badge>}
      {disabled && <Badge tone="warn">Disabled</Badge>}
      {!disabled && hasEnded(link, now) && <Badge tone="warn">Expired</Badge>}
      {link.health?.state === 'dead' && (
        // On phones the line below the destination says it, and the code needs the room.
        <span className="max-sm:hidden">
          <Badge tone="bad">Unreachable</Badge>
        </span>
      )}
      {link.has_password && (
        <span className="inline-flex text-ink-3" data-tooltip="Visitors enter a password">
          <Lock aria-hidden className="size-4" />
          <span className="sr-only">Has a password</span>
        </span>
      )}
      {typeof link.click_limit === 'number' && (
        <span
          className="inline-flex"
          data-tooltip="Clicks of its limit that are used, up to about ten seconds ago"
        >
          <Badge tone={link.limit_used < link.click_limit ? 'neutral' : 'warn'}>
            {formatNumber(link.limit_used)} of {formatNumber(link.click_limit)}
            <span className="max-sm:sr-only"> clicks used</span>
          </Badge>
        </span>
      )}
      {/* On a phone, the code needs the room: the line below shows the dates. */}
      <span className="inline-flex gap-x-2 empty:hidden max-sm:sr-only">
        {dates !== '' && <Badge>{dates}</Badge>}
        {link.rules.length > 0 && <Badge>{plural(link.rules.length, 'rule')}</Badge>}
        {link.variants.length > 0 && <Badge>{plural(link.variants.length, 'variant')}</Badge>}
      </span>
      {link.tags.map((tag) => (
        <TagBadge key={tag.id} tag={tag} onSelect={() => onTag(tag.name)} />
      ))}
      {link.note !== '' && (
        <button
          type="button"
          data-tooltip={link.note.slice(0, 300)}
          aria-label={`Note: ${link.note.slice(0, 300)}`}
          className="inline-flex size-6 shrink-0 items-center justify-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
          onClick={() => onAction('edit')}
        >
          <StickyNote className="size-4" />
        </button>
      )}
    </div>
  );
}

function RowActions({
  link,
  onAction,
}: {
  link: ListedLink;
  onAction: (action: LinkAction) => void;
}) {
  const disabled = link.status === 'disabled';
  const item = (label: string, icon: ReactNode, action: LinkAction) => ({
    label,
    icon,
    onSelect: () => onAction(action),
  });
  return (
    <div className="-me-2 flex items-center max-sm:col-start-4 max-sm:row-start-1 max-sm:-my-1.5 max-sm:justify-self-end">
      <Menu
        label={`More actions for ${codeOf(link.short_url)}`}
        tooltip="More actions"
        items={[
          {
            label: 'Analytics',
            icon: <ChartNoAxesColumn />,
            to: `/analytics/${encodeURIComponent(link.short_code)}`,
          },
          item('Edit link', <Pencil />, 'edit'),
          item('Rename link', <TextCursorInput />, 'rename'),
          item('Preview card', <IdCard />, 'card'),
          item('History', <History />, 'history'),
          item('QR code', <QrCode />, 'qr'),
          disabled
            ? item('Enable link', <Link2 />, 'toggle')
            : item('Disable link', <Link2Off />, 'toggle'),
          link.favorite
            ? item('Remove from favorites', <StarOff />, 'unfavorite')
            : item('Add to favorites', <Star />, 'favorite'),
          link.archived
            ? item('Unarchive link', <ArchiveRestore />, 'unarchive')
            : item('Archive link', <Archive />, 'archive'),
          { ...item('Delete link', <Trash2 />, 'delete'), danger: true },
        ]}
      >
        <Ellipsis className="size-4" />
      </Menu>
    </div>
  );
}
