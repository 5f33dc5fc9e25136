import { useState } from 'react';
import type { AdminLink } from '#contract/admin.ts';
import { formatDate, plural, readableUrl } from '#web/shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { TruncateMiddle } from '#web/ui/truncate-middle.tsx';
import { CursorList } from './cursor-list.tsx';
import { ModerationDialog } from './moderation-dialog.tsx';
import { canRestore, describeHolds, hostnameOf, buildModeration } from './moderation-scopes.ts';
import { useUrls } from './queries.ts';
import { shortId } from './short-id.ts';

/** All short links, newest first, each with a button to disable or restore it. */
export function UrlsTab() {
  const [q, setQ] = useState('');
  const [selected, setSelected] = useState<AdminLink | null>(null);
  const query = useUrls(q);
  const urls = query.data?.pages.flatMap((page) => page.urls) ?? [];
  return (
    <div className="flex flex-col gap-4">
      <div className="max-w-form">
        <SearchBox label="Search by code or long URL" search={q} onSearch={setQ} />
      </div>
      <CursorList query={query} rows={urls} empty="No URLs found" failure="The URLs could not be loaded.">
        {(url) => <UrlRow key={`${url.short_code} ${url.created_at}`} url={url} onModerate={() => setSelected(url)} />}
      </CursorList>
      <ModerationDialog
        moderation={
          selected === null
            ? null
            : buildModeration(
                {
                  code: selected.short_code,
                  host: hostnameOf(selected.long_url),
                  ownerId: selected.user_id,
                  holds: selected.holds,
                },
                selected.status,
              )
        }
        onClose={() => setSelected(null)}
      />
    </div>
  );
}

const UrlRow = ({ url, onModerate }: { url: AdminLink; onModerate: () => void }) => (
  <li className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
    <div className="min-w-0 flex-1 basis-60">
      <p className="flex items-center gap-2">
        <a className="font-mono text-14 font-medium hover:underline" href={`/${url.short_code}+`}>
          /{url.short_code}
        </a>
        {url.status !== 'active' && <Badge tone="bad">{url.status}</Badge>}
      </p>
      <div className="text-13 text-ink-2">
        <TruncateMiddle text={readableUrl(url.long_url)} />
      </div>
      <p className="mt-0.5 text-13 text-ink-3">
        {plural(url.click_count, 'click')} · {formatDate(url.created_at)} ·{' '}
        {url.user_id === null ? 'by a visitor' : <span className="font-mono">{shortId(url.user_id)}</span>}
      </p>
      {url.holds.length > 0 && <p className="mt-0.5 text-13 text-ink-2">Disabled by {describeHolds(url.holds)}</p>}
    </div>
    {(url.status === 'active' || (url.status === 'disabled' && canRestore(url.holds))) && (
      <Button
        size="sm"
        onClick={onModerate}
        aria-label={`${url.status === 'disabled' ? 'Restore link' : 'Disable link'} ${url.short_code}`}
      >
        {url.status === 'disabled' ? 'Restore link…' : 'Disable link…'}
      </Button>
    )}
  </li>
);
