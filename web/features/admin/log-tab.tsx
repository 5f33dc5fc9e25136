import { useState } from 'react';
import type { AdminLogEntry } from '#contract/moderation/admin.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { CursorList } from './cursor-list.tsx';
import { describeActor, describeEntry } from './log-sentence.ts';
import { useLog } from './queries.ts';

/** The audit log: every change by an administrator, and every role granted by ADMIN_EMAILS. */
export function LogTab() {
  const [q, setQ] = useState('');
  const query = useLog(q);
  return (
    <div className="flex flex-col gap-4">
      <div className="max-w-form">
        <SearchBox label="Search the audit log" search={q} onSearch={setQ} />
      </div>
      <CursorList
        query={query}
        rowsOf={(page) => page.entries}
        noun="audit log"
        empty={q === '' ? 'No entries yet' : 'No entries found'}
      >
        {(entry) => <Entry key={entry.id} entry={entry} />}
      </CursorList>
    </div>
  );
}

/**
 * Shows an entry as a sentence. The stored values are behind a disclosure, for administrators who
 * need an id or a previous value.
 */
const Entry = ({ entry }: { entry: AdminLogEntry }) => (
  <li className="min-w-0 px-4 py-3 sm:px-5">
    <p className="text-14 font-medium [overflow-wrap:anywhere]">{describeEntry(entry)}</p>
    {entry.reason !== '' && (
      <p className="mt-0.5 text-13 text-ink-2 [overflow-wrap:anywhere]">
        Reason: <bdi>{entry.reason}</bdi>
      </p>
    )}
    <p className="mt-0.5 text-13 text-ink-3 [overflow-wrap:anywhere]">
      <Time at={entry.at} /> by {describeActor(entry)}
    </p>
    <details className="mt-1 text-13 text-ink-3">
      <summary className="w-fit rounded-sm hover:text-ink active:bg-pressed pointer-coarse:py-2.5">
        Stored entry
      </summary>
      <pre className="mt-2 overflow-x-auto rounded-md border border-line bg-sunken p-3 font-mono text-12 whitespace-pre-wrap text-ink-2 [overflow-wrap:anywhere]">
        {JSON.stringify(storedEntry(entry), null, 2)}
      </pre>
    </details>
  </li>
);

const storedEntry = ({ id, adminId, action, subject, before, after }: AdminLogEntry) => ({
  id,
  adminId,
  action,
  subject,
  before,
  after,
});
