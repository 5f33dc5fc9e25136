import { useState } from 'react';
import type { AdminLogEntry } from '#contract/admin.ts';
import { formatDateTime } from '#web/shared/format.ts';
import { SearchBox } from '#web/ui/search-box.tsx';
import { CursorList } from './cursor-list.tsx';
import { useLog } from './queries.ts';
import { shortId } from './short-id.ts';

/** The audit log: every change made by an administrator, and every role granted by ADMIN_EMAILS. */
export function LogTab() {
  const [q, setQ] = useState('');
  const query = useLog(q);
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <div className="flex flex-col gap-4">
      <div className="max-w-form">
        <SearchBox label="Search the audit log" search={q} onSearch={setQ} />
      </div>
      <CursorList
        query={query}
        rows={entries}
        empty={q === '' ? 'No entries yet' : 'No entries found'}
        failure="The audit log could not be loaded."
      >
        {(entry) => <Entry key={entry.id} entry={entry} />}
      </CursorList>
    </div>
  );
}

const formatValue = (value: unknown): string =>
  value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

const Entry = ({ entry }: { entry: AdminLogEntry }) => (
  <li className="min-w-0 px-4 py-3 sm:px-5">
    <p className="flex flex-wrap items-baseline gap-x-2 text-14">
      <span className="font-medium">{entry.action.replaceAll('_', ' ')}</span>
      <span className="font-mono text-13 [overflow-wrap:anywhere]">{entry.subject}</span>
    </p>
    <p className="mt-0.5 text-13 text-ink-3">
      <time dateTime={entry.at}>{formatDateTime(entry.at)}</time> ·{' '}
      {entry.admin_email === '' ? shortId(entry.admin_id) : entry.admin_email}
    </p>
    {entry.reason !== '' && <p className="mt-1 text-13 text-ink-2">{entry.reason}</p>}
    <p className="mt-1 font-mono text-12 text-ink-3 [overflow-wrap:anywhere]">
      {formatValue(entry.before)} → {formatValue(entry.after)}
    </p>
  </li>
);
