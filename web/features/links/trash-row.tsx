import { RotateCcw } from 'lucide-react';
import type { ListedLink } from '#contract/links.ts';
import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { plural } from '#contract/language.ts';
import { formatDate, readableUrl } from '#web/shared/format.ts';
import { Button } from '#web/ui/button.tsx';

/** A deleted link, with the number of days in which it can be restored. */
export function TrashRow({
  link,
  now,
  pending,
  onRestore,
}: {
  link: ListedLink;
  now: number;
  pending: boolean;
  onRestore: () => void;
}) {
  const deletedAt = link.deleted_at === null ? now : Date.parse(link.deleted_at);
  const daysLeft = Math.max(1, Math.ceil((deletedAt + KEEP_TRASH_DAYS * DAY_MS - now) / DAY_MS));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2 last:border-b-0 sm:px-5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-mono text-14 leading-6 font-medium [overflow-wrap:anywhere] text-ink-2">
          {readableUrl(link.short_url)}
        </p>
        <p className="truncate text-13 leading-6 text-ink-3">
          {link.title === '' ? readableUrl(link.long_url) : link.title}
        </p>
      </div>
      <div className="flex grow items-center justify-between gap-3 sm:grow-0">
        <p className="text-13 text-ink-3">
          <span className="whitespace-nowrap">
            Deleted {formatDate(link.deleted_at ?? new Date(now).toISOString())},
          </span>{' '}
          <span className="whitespace-nowrap">{plural(daysLeft, 'day')} left</span>
        </p>
        <Button
          size="sm"
          pending={pending}
          aria-label={`Restore ${link.short_code}`}
          onClick={onRestore}
        >
          <RotateCcw className="size-4" />
          Restore
        </Button>
      </div>
    </li>
  );
}
