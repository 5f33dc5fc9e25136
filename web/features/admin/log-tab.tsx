import { useState } from 'react';
import type { AdminLogEntry } from '#contract/admin.ts';
import { formatDateTime } from '#web/shared/format.ts';
import { CursorList } from './cursor-list.tsx';
import { useLog } from './queries.ts';
import { SearchBox } from './search-box.tsx';
import { shortId } from './short-id.ts';

/** Every write of an administrator, and the roles that ADMIN_EMAILS gave: who, what, when, before and after. */
export function LogTab() {
  const [q, setQ] = useState('');
  const query = useLog(q);
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <div className="flex flex-col gap-4">
      <SearchBox label="Search the log" onSearch={setQ} />
      <CursorList query={query} rows={entries} empty="Nothing has been recorded yet" failure="The log did not load.">
        {(entry) => <Entry key={entry.id} entry={entry} />}
      </CursorList>
    </div>
  );
}

const said = (value: unknown): string => (value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value));

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
      {said(entry.before)} → {said(entry.after)}
    </p>
  </li>
);
