import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BlocklistEntry, BlocklistImportResponse } from '#contract/abuse.ts';
import { api } from '#web/shared/api.ts';
import { formatDate, plural } from '#web/shared/format.ts';
import { toast } from '#web/ui/announcer.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input, Textarea } from '#web/ui/input.tsx';
import { CursorList } from './cursor-list.tsx';
import { useBlocklist, useRemoveBlockedHost } from './queries.ts';
import { SearchBox } from './search-box.tsx';

/** Hosts that no link may lead to, with their subdomains. */
export function BlocklistTab() {
  const [q, setQ] = useState('');
  const query = useBlocklist(q);
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <div className="flex flex-col gap-4">
      <ImportForm />
      <SearchBox label="Search the blocklist" onSearch={setQ} />
      <CursorList query={query} rows={entries} empty="The blocklist is empty" failure="The blocklist did not load.">
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
          <span className="font-mono text-14 [overflow-wrap:anywhere]">{entry.value}</span>
          {!entry.applied && <Badge tone="warn">not applied to existing links yet</Badge>}
        </p>
        <p className="text-13 text-ink-3">
          {entry.reason === '' ? 'No reason given' : entry.reason} · {formatDate(entry.created_at)}
        </p>
      </div>
      <Button
        size="sm"
        pending={isPending}
        aria-label={`Remove ${entry.value}`}
        onClick={() => mutate({ path: `/api/admin/blocklist/${encodeURIComponent(entry.value)}`, method: 'DELETE' })}
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
  const [refused, setRefused] = useState<BlocklistImportResponse['refused']>([]);
  const add = useMutation({
    mutationFn: () =>
      api<BlocklistImportResponse>('/api/admin/blocklist', { method: 'POST', body: { hosts, reason: reason.trim() } }),
    onSuccess: (answer) => {
      toast(`${plural(answer.added, 'host')} added.`, { note: 'Existing links to them are disabled within a minute.' });
      setRefused(answer.refused);
      setHosts(answer.refused.map((line) => line.text).join('\n'));
      void queries.invalidateQueries({ queryKey: ['admin', 'blocklist'] });
    },
  });
  return (
    <Panel title="Add hosts" hint="One host a line, subdomains included; # starts a comment, and hosts files are understood.">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Field label="Hosts" error={add.isError ? add.error.message : refusedText(refused)}>
          {(control) => (
            <Textarea
              {...control}
              rows={4}
              className="font-mono"
              value={hosts}
              onChange={(event) => setHosts(event.target.value)}
              spellCheck={false}
            />
          )}
        </Field>
        <div className="flex flex-wrap items-end gap-3">
          <label className="inline-flex h-9 cursor-pointer items-center rounded-md border border-line px-3.5 text-14 font-medium hover:border-line-strong hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-11">
            From a text file…
            <input
              type="file"
              accept="text/plain,.txt,.hosts"
              className="sr-only"
              onChange={(event) => void event.target.files?.[0]?.text().then(setHosts)}
            />
          </label>
          <div className="min-w-0 flex-1 basis-60">
            <Field label="Reason">
              {(control) => (
                <Input {...control} value={reason} maxLength={200} onChange={(event) => setReason(event.target.value)} />
              )}
            </Field>
          </div>
          <Button type="submit" variant="primary" pending={add.isPending} disabled={hosts.trim() === ''}>
            Add to blocklist
          </Button>
        </div>
      </form>
    </Panel>
  );
}

const refusedText = (refused: BlocklistImportResponse['refused']): string =>
  refused.length === 0
    ? ''
    : `Not added: ${refused
        .slice(0, 5)
        .map((line) => `${line.text} (${line.why})`)
        .join(', ')}${refused.length > 5 ? ` and ${refused.length - 5} more` : ''}`;
