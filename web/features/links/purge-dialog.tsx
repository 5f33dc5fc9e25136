import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { ListedLink } from '#contract/links/links.ts';
import { plural } from '#contract/language.ts';
import { codeOf } from '#web/shared/texts/format.ts';
import { reloadQueries } from '#web/shared/api/reload-queries.ts';
import { toast } from '#web/ui/announcer.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { sendPurge } from './send-actions.ts';
import { FailedDialog, type FailedLine } from './failed-dialog.tsx';
import { LINKS_KEY, useMatchingLinks } from './queries.ts';
import { WorkProgress } from './work-progress.tsx';

/** What deleting for good means, for one link and for many. */
const CONSEQUENCE =
  'Destination, title, note, tags and history are deleted. Nobody else can use the code. This cannot be undone.';

/** Asks before a link in the trash is deleted for good; `link` is null to empty the trash. */
export function PurgeDialog({ link, onClose }: { link: ListedLink | null; onClose: () => void }) {
  return link === null ? (
    <EmptyTrashDialog onClose={onClose} />
  ) : (
    <Confirmation
      ids={[link.id]}
      title="Delete this link for good?"
      actionOf={() => 'Delete for good'}
      onClose={onClose}
    >
      {() => <span className="font-mono text-ink">{codeOf(link.short_url)}</span>}
    </Confirmation>
  );
}

function EmptyTrashDialog({ onClose }: { onClose: () => void }) {
  const [ids, setIds] = useState<readonly number[]>();
  const matching = useMatchingLinks('status=trash', ids === undefined);
  // The dialog names how many links it deletes, so a cached number will not do.
  if (ids === undefined && matching.data !== undefined && !matching.isFetching)
    setIds(matching.data.ids);
  if (ids === undefined)
    return (
      <Dialog open onClose={onClose} title="Empty the trash?" closeLabel="Cancel">
        <QueryContent
          query={matching}
          failure="The links in the trash could not be loaded."
          loading="Loading the trash…"
          skeleton={<Skeleton className="h-12 w-full" />}
        >
          {() => null}
        </QueryContent>
      </Dialog>
    );
  return (
    <Confirmation
      ids={ids}
      title="Empty the trash?"
      actionOf={(links) => `Delete ${links} for good`}
      onClose={onClose}
    >
      {(links) => links}
    </Confirmation>
  );
}

function Confirmation({
  ids,
  title,
  actionOf,
  onClose,
  children,
}: {
  ids: readonly number[];
  title: string;
  actionOf: (links: string) => string;
  onClose: () => void;
  /** Names the links: '3 links'. */
  children: (links: string) => ReactNode;
}) {
  const queries = useQueryClient();
  // After a failure, those that are left.
  const [wanted, setWanted] = useState(ids);
  const [done, setDone] = useState(0);
  const isStopped = useRef(false);
  const [failed, setFailed] = useState<FailedLine[]>([]);
  const purge = useMutation({
    mutationFn: async () => {
      setDone(0);
      const { acted, error } = await sendPurge(wanted, {
        onProgress: setDone,
        isStopped: () => isStopped.current,
      });
      await reloadQueries(queries, [LINKS_KEY]);
      const refused = acted.flatMap(({ line }) => (line.ok ? [] : [line]));
      const purged = new Set(acted.flatMap(({ id, line }) => (line.ok ? [id] : [])));
      setWanted(wanted.filter((id) => !purged.has(id)));
      if (purged.size > 0) toast(`${plural(purged.size, 'link')} deleted for good.`);
      if (error !== null) throw error;
      if (refused.length === 0) onClose();
      else setFailed(refused);
    },
  });
  const links = plural(wanted.length, 'link');
  if (failed.length > 0) return <FailedDialog failed={failed} onClose={onClose} />;
  return (
    <ConfirmDialog
      open
      title={title}
      action={actionOf(links)}
      pending={purge.isPending}
      error={purge.error?.message ?? ''}
      onConfirm={() => purge.mutate()}
      onClose={onClose}
    >
      <p>
        {children(links)} will be removed from the trash. {CONSEQUENCE}
      </p>
      {purge.isPending && wanted.length > 1 && (
        <div className="mt-4">
          <WorkProgress
            label="Deleting links for good"
            done={done}
            total={wanted.length}
            onStop={() => (isStopped.current = true)}
          />
        </div>
      )}
    </ConfirmDialog>
  );
}
