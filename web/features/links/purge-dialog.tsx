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
      action="Delete for good"
      onClose={onClose}
    >
      <span className="font-mono text-ink">{codeOf(link.short_url)}</span> will be removed from the
      trash. {CONSEQUENCE}
    </Confirmation>
  );
}

function EmptyTrashDialog({ onClose }: { onClose: () => void }) {
  const matching = useMatchingLinks('status=trash', true);
  // The dialog names how many links it deletes, so a cached number will not do.
  if (matching.data === undefined || matching.isFetching)
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
  const { ids } = matching.data;
  return (
    <Confirmation
      ids={ids}
      title="Empty the trash?"
      action={`Delete ${plural(ids.length, 'link')} for good`}
      onClose={onClose}
    >
      {plural(ids.length, 'link')} will be removed from the trash. {CONSEQUENCE}
    </Confirmation>
  );
}

function Confirmation({
  ids,
  title,
  action,
  onClose,
  children,
}: {
  ids: readonly number[];
  title: string;
  action: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const queries = useQueryClient();
  // The links of the confirmation, because the list reloads while they are deleted.
  const [wanted] = useState(ids);
  const [done, setDone] = useState(0);
  const isStopped = useRef(false);
  const [failed, setFailed] = useState<FailedLine[]>([]);
  const purge = useMutation({
    mutationFn: async () => {
      const { acted, error } = await sendPurge(wanted, {
        onProgress: setDone,
        isStopped: () => isStopped.current,
      });
      await reloadQueries(queries, [LINKS_KEY]);
      const refused = acted.flatMap(({ line }) => (line.ok ? [] : [line]));
      const count = acted.length - refused.length;
      if (count > 0) toast(`${plural(count, 'link')} deleted for good.`);
      if (error !== null) throw error;
      if (refused.length === 0) onClose();
      else setFailed(refused);
    },
  });
  if (failed.length > 0) return <FailedDialog failed={failed} onClose={onClose} />;
  return (
    <ConfirmDialog
      open
      title={title}
      action={action}
      pending={purge.isPending}
      error={purge.error?.message ?? ''}
      onConfirm={() => purge.mutate()}
      onClose={onClose}
    >
      <p>{children}</p>
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
