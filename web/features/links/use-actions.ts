import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { LinkActionLine } from '#contract/links/link-actions.ts';
import { plural } from '#contract/language.ts';
import { ACTION_MAX, KEEP_TRASH_DAYS } from '#contract/limits.ts';
import { reloadQueries } from '#web/shared/api/reload-queries.ts';
import { TAGS_KEY } from '#web/shared/link-settings/use-tags.ts';
import { toast, toastFailure } from '#web/ui/announcer.ts';
import { sendAction, toUndoRequests, type Acted, type AnyRequest } from './send-actions.ts';
import { LINKS_KEY } from './queries.ts';

/** The end of the toast after each action: “2 links archived.” */
const RESULTS: Readonly<Record<AnyRequest['action'], string>> = {
  archive: 'archived',
  unarchive: 'taken out of the archive',
  favorite: 'added to favorites',
  unfavorite: 'removed from favorites',
  disable: 'disabled',
  enable: 'enabled',
  set_end: 'changed',
  set_watch: 'changed',
  change_settings: 'changed',
  add_tags: 'tagged',
  remove_tags: 'changed',
  delete: 'deleted',
  restore: 'restored',
};

/** Where an action was started: a dialog shows its error itself. */
type Run = { requests: readonly AnyRequest[]; from: 'button' | 'dialog' | 'undo' };

/** The progress of the running action. `isLong` if it takes several requests. */
export type Working = { isUndo: boolean; isLong: boolean; done: number; total: number };

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
const countLinks = (requests: readonly AnyRequest[]): number =>
  requests.reduce((sum, { ids }) => sum + ids.length, 0);

/**
 * Runs actions on links, reports the result in a toast, and offers to undo it. `onActed` gets the
 * ids of the links that an action has reached, also of those that it could not change.
 */
export function useActions(onActed: (ids: ReadonlySet<number>) => void) {
  const queries = useQueryClient();
  const isStopped = useRef(false);
  const isDialogClosed = useRef(false);
  const [working, setWorking] = useState<Working | null>(null);
  const [failed, setFailed] = useState<Extract<LinkActionLine, { ok: false }>[]>([]);
  const { mutate, ...mutation } = useMutation({
    mutationFn: async ({ requests, from }: Run): Promise<void> => {
      const isUndo = from === 'undo';
      isStopped.current = false;
      isDialogClosed.current = false;
      const total = countLinks(requests);
      const isLong = total > ACTION_MAX || requests.some((request) => 'send' in request);
      setWorking({ isUndo, isLong, done: 0, total });
      const acted: Acted<LinkActionLine>[] = [];
      let failure: unknown = null;
      for (const request of requests) {
        if (failure !== null) break;
        const before = acted.length;
        const control = {
          onProgress: (done: number) => setWorking({ isUndo, isLong, done: before + done, total }),
          isStopped: () => isStopped.current,
        };
        const work = await ('send' in request
          ? request.send(request.ids, control)
          : sendAction(request, control));
        acted.push(...work.acted);
        failure = work.error;
      }
      if (requests.some(({ action }) => action.endsWith('_tags')))
        void reloadQueries(queries, TAGS_KEY);
      await reloadQueries(queries, [LINKS_KEY]);
      setWorking(null);
      const reached = new Set(acted.map(({ id }) => id));
      if (isUndo) reportUndo(requests, acted, failure);
      else {
        for (const request of requests) reportAction(request, acted);
        setFailed(acted.flatMap(({ line }) => (line.ok ? [] : [line])));
        onActed(reached);
        if (failure !== null && (from === 'button' || isDialogClosed.current))
          toastFailure(toError(failure));
      }
      if (failure !== null) throw toError(failure);
    },
  });
  const undo = (requests: readonly AnyRequest[]): void => mutate({ requests, from: 'undo' });

  function reportAction(request: AnyRequest, acted: readonly Acted<LinkActionLine>[]): void {
    const { action } = request;
    const done = acted.filter(({ line }) => line.ok).map(({ id }) => id);
    if (done.length === 0) return;
    const isSettings = 'send' in request;
    const requests = isSettings ? request.undo(done) : toUndoRequests(acted);
    const note = isSettings ? request.note : '';
    toast(`${plural(done.length, 'link')} ${RESULTS[action]}.`, {
      note: action === 'delete' ? `In the trash for up to ${KEEP_TRASH_DAYS} days.` : note,
      ...(requests.length === 0
        ? {}
        : { action: { label: 'Undo', onSelect: () => undo(requests) } }),
    });
  }

  function reportUndo(
    requests: readonly AnyRequest[],
    acted: readonly Acted<LinkActionLine>[],
    failure: unknown,
  ): void {
    const refused = acted.filter(({ line }) => !line.ok).length;
    if (refused > 0)
      toast(`${plural(refused, 'link')} could not be changed back.`, { tone: 'bad' });
    else if (failure === null) toast(`${plural(acted.length, 'link')} back as before.`);
    if (failure === null) return;
    const reached = new Set(acted.map(({ id }) => id));
    const rest = requests
      .map((request) => ({ ...request, ids: request.ids.filter((id) => !reached.has(id)) }))
      .filter(({ ids }) => ids.length > 0);
    toast('Undo failed.', {
      tone: 'bad',
      note: toError(failure).message,
      action: { label: 'Try again', onSelect: () => undo(rest) },
    });
  }

  return {
    run: (request: AnyRequest, from: 'button' | 'dialog' = 'button'): void => {
      if (!mutation.isPending) mutate({ requests: [request], from });
    },
    stop: (): void => void (isStopped.current = true),
    /** Called when the dialog of an action closes, which then no longer shows its error. */
    leaveDialog: (): void => void (isDialogClosed.current = true),
    working,
    isPending: mutation.isPending,
    /** Whether an action on this link runs. */
    isActing: (id: number): boolean =>
      mutation.isPending && mutation.variables.requests.some(({ ids }) => ids.includes(id)),
    error: mutation.error,
    reset: mutation.reset,
    failed,
    closeFailed: () => setFailed([]),
  };
}

export type Actions = ReturnType<typeof useActions>;
