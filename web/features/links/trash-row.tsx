import { RotateCcw, Trash2 } from 'lucide-react';
import type { ListedLink } from '#contract/links/links.ts';
import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { plural } from '#contract/language.ts';
import { codeOf, formatDate, readableUrl } from '#web/shared/texts/format.ts';
import { Button } from '#web/ui/button.tsx';

/** A link may have been deleted after `now`, which is when the page was opened. */
function daysLeft(deletedAt: number, now: number): number {
  const left = Math.ceil((deletedAt + KEEP_TRASH_DAYS * DAY_MS - now) / DAY_MS);
  return Math.min(KEEP_TRASH_DAYS, Math.max(1, left));
}

/** What the trash is, above its links. */
export const TrashNote = ({ onClear, onEmpty }: { onClear: () => void; onEmpty: () => void }) => (
  <p className="flex flex-wrap items-center gap-x-3 px-1 text-13 text-ink-3">
    The trash: deleted links can be restored for at most {KEEP_TRASH_DAYS} days.
    <button type="button" className="font-medium text-accent hover:underline" onClick={onClear}>
      Show all links
    </button>
    <button type="button" className="font-medium text-accent hover:underline" onClick={onEmpty}>
      Empty trash
    </button>
  </p>
);

/** A deleted link, with the number of days in which it can be restored. */
export function TrashRow({
  link,
  now,
  pending,
  onRestore,
  onPurge,
}: {
  link: ListedLink;
  now: number;
  pending: boolean;
  onRestore: () => void;
  onPurge: () => void;
}) {
  const deletedAt = link.deleted_at === null ? now : Date.parse(link.deleted_at);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2 last:border-b-0 sm:px-5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-mono text-14 leading-6 font-medium [overflow-wrap:anywhere] text-ink-2">
          {readableUrl(link.short_url)}
        </p>
        <p className="truncate text-13 leading-6 text-ink-3">
          {link.title === '' ? readableUrl(link.long_url) : link.title}
        </p>
        {link.status_reason !== null && (
          <p className="text-13 [overflow-wrap:anywhere] text-warn">{link.status_reason}</p>
        )}
      </div>
      <div className="flex grow items-center justify-between gap-3 sm:grow-0">
        <p className="text-13 text-ink-3">
          <span className="whitespace-nowrap">
            Deleted {formatDate(link.deleted_at ?? new Date(now).toISOString())},
          </span>{' '}
          <span className="whitespace-nowrap">{plural(daysLeft(deletedAt, now), 'day')} left</span>
        </p>
        <div className="flex gap-2">
          <Button
            size="sm"
            pending={pending}
            aria-label={`Restore ${codeOf(link.short_url)}`}
            onClick={onRestore}
          >
            <RotateCcw className="size-4" />
            Restore
          </Button>
          <Button
            size="sm"
            variant="ghost"
            className="w-8 px-0! pointer-coarse:w-11"
            aria-label={`Delete ${codeOf(link.short_url)} for good`}
            data-tooltip="Delete for good"
            onClick={onPurge}
          >
            <Trash2 className="size-4" />
          </Button>
        </div>
      </div>
    </li>
  );
}
