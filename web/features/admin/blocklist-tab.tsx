import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { BlocklistEntry, BlocklistImportResponse } from '#contract/moderation/abuse.ts';
import { api } from '#web/shared/api/api.ts';
import { plural } from '#contract/language.ts';
import { formatDate } from '#web/shared/texts/format.ts';
import { reloadQueries } from '#web/shared/api/reload-queries.ts';
import { toast } from '#web/ui/announcer.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Form } from '#web/ui/form.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { TextareaField, TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { CursorList } from './cursor-list.tsx';
import { useBlocklist, useRemoveBlockedHost } from './queries.ts';

/** The blocked hosts. No link may redirect to them or to their subdomains. */
export function BlocklistTab() {
  const [q, setQ] = useState('');
  const query = useBlocklist(q);
  return (
    <div className="flex flex-col gap-4">
      <ImportForm />
      <div className="max-w-form">
        <SearchBox label="Search the blocklist" search={q} onSearch={setQ} />
      </div>
      <CursorList
        query={query}
        rowsOf={(page) => page.entries}
        noun="blocklist"
        empty={q === '' ? 'The blocklist is empty' : 'No hosts found'}
      >
        {(entry) => <Entry key={`${entry.kind} ${entry.value}`} entry={entry} />}
      </CursorList>
    </div>
  );
}

function Entry({ entry }: { entry: BlocklistEntry }) {
  const { mutate, isPending } = useRemoveBlockedHost();
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2">
          <span dir="ltr" className="font-mono text-14 [overflow-wrap:anywhere]">
            {entry.value}
          </span>
          {!entry.applied && <Badge tone="warn">Not yet applied to existing links</Badge>}
        </p>
        <p className="text-13 [overflow-wrap:anywhere] text-ink-3">
          {entry.reason === '' ? 'No reason' : <bdi>{entry.reason}</bdi>} ·{' '}
          {formatDate(entry.createdAt)}
        </p>
      </div>
      <Button
        size="sm"
        pending={isPending}
        aria-label={`Remove ${entry.value}`}
        onClick={() =>
          mutate({
            path: `/api/admin/blocklist/${encodeURIComponent(entry.value)}`,
            method: 'DELETE',
          })
        }
      >
        Remove
      </Button>
    </li>
  );
}

function ImportForm() {
  const queries = useQueryClient();
  const [hosts, setHosts] = useState('');
  const [reason, setReason] = useState('');
  const [rejected, setRejected] = useState<BlocklistImportResponse['refused']>([]);
  const required = useRequired({ hosts: hosts.trim() === '' && 'Enter at least one host.' });
  const field = useRef<HTMLTextAreaElement>(null);
  const add = useMutation({
    mutationFn: () =>
      api<BlocklistImportResponse>('/api/admin/blocklist', {
        method: 'POST',
        body: { hosts, reason: reason.trim() },
      }),
    onSuccess: (answer) => {
      toast(`${plural(answer.added, 'host')} added.`, {
        note: 'Existing links to these hosts are disabled within a minute.',
      });
      setRejected(answer.refused);
      setHosts(answer.refused.map((line) => line.text).join('\n'));
      field.current?.focus();
      void reloadQueries(queries, ['admin', 'blocklist']);
    },
  });
  return (
    <Panel
      title="Add hosts"
      hint="One host per line. Subdomains are included, and lines from a hosts file work too. # starts a comment."
    >
      <Form
        className="flex flex-col gap-4"
        error={add.error}
        onSubmit={() => required.check() && add.mutate()}
      >
        <TextareaField
          label="Hosts"
          error={required.at('hosts') || (add.isError ? add.error.message : rejectedText(rejected))}
          ref={field}
          rows={4}
          className="font-mono"
          value={hosts}
          spellCheck={false}
          onText={setHosts}
        />
        <div className="flex flex-wrap items-end gap-3">
          <label className="inline-flex h-9 cursor-pointer items-center rounded-md border border-line px-3.5 text-14 font-medium hover:border-line-strong hover:bg-hover active:bg-pressed has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-11">
            Choose a text file…
            <input
              type="file"
              accept="text/plain,.txt,.hosts"
              className="sr-only"
              onChange={({ target }) => {
                void target.files?.[0]?.text().then(setHosts);
                // Without this, the same file could not be chosen again.
                target.value = '';
              }}
            />
          </label>
          <div className="min-w-0 flex-1 basis-60">
            <TextField label="Reason" value={reason} maxLength={200} onText={setReason} />
          </div>
          <Button type="submit" variant="primary" pending={add.isPending}>
            Add hosts
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

/** The maximum number of lines in the error message. */
const LISTED_MAX = 5;

function rejectedText(rejected: BlocklistImportResponse['refused']): string {
  if (rejected.length === 0) return '';
  const listed = rejected.slice(0, LISTED_MAX).map((line) => `${line.text} (${line.why})`);
  const more = rejected.length > LISTED_MAX ? ` and ${rejected.length - LISTED_MAX} more` : '';
  return `Not added: ${listed.join(', ')}${more}`;
}
