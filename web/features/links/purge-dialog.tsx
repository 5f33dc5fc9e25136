import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
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

type Props = { link: ListedLink | null; onClose: () => void };

/** Asks before a link in the trash is deleted for good; `link` is null to empty the trash. */
export const PurgeDialog = (props: Props) =>
  props.link === null ? (
    <EmptyTrashDialog {...props} />
  ) : (
    <Confirmation {...props} ids={[props.link.id]} />
  );

function EmptyTrashDialog({ link, onClose }: Props) {
  const [ids, setIds] = useState<readonly number[]>();
  const matching = useMatchingLinks('status=trash', ids === undefined);
  if (ids !== undefined) return <Confirmation ids={ids} link={link} onClose={onClose} />;
  // The dialog names how many links it deletes, so a cached number will not do.
  if (matching.data !== undefined && !matching.isFetching) setIds(matching.data.ids);
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
}

function Confirmation({ ids, link, onClose }: Props & { ids: readonly number[] }) {
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
      title={link === null ? 'Empty the trash?' : 'Delete this link for good?'}
      action={link === null ? `Delete ${links} for good` : 'Delete for good'}
      pending={purge.isPending}
      error={purge.error?.message ?? ''}
      onConfirm={() => purge.mutate()}
      onClose={onClose}
    >
      <p>
        {link === null ? (
          links
        ) : (
          <span className="font-mono text-ink">{codeOf(link.short_url)}</span>
        )}{' '}
        will be removed from the trash. Destination, title, note, tags and history are deleted.
        Nobody else can use the code. This cannot be undone.
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
