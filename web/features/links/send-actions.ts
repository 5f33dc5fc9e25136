import type {
  LinkActionLine,
  LinkActionRequest,
  LinkActionResponse,
  PurgeLine,
  PurgeResponse,
  UndoAction,
} from '#contract/links/link-actions.ts';
import { ACTION_MAX } from '#contract/limits.ts';
import { api } from '#web/shared/api/api.ts';

/** One action on any number of links, which need not be loaded. */
export type ActionRequest = Omit<LinkActionRequest, 'codes' | 'ids'> & { ids: readonly number[] };

/** A change of settings, which its dialog knows how to send and to undo. */
export type SettingsRequest = {
  action: 'change_settings';
  ids: readonly number[];
  send: (ids: readonly number[], control: WorkControl) => Promise<Work<LinkActionLine>>;
  /** Returns the requests that undo the change of these links. */
  undo: (changed: readonly number[]) => SettingsRequest[];
  /** Says what Undo does not restore; '' for nothing. */
  note: string;
};
export type AnyRequest = ActionRequest | SettingsRequest;

/** What happened to a link. */
export type Acted<Line> = { id: number; line: Line };
/** `error` is what ended the work before all links were reached; null if nothing did. */
export type Work<Line> = { acted: Acted<Line>[]; error: unknown };

export type WorkControl = {
  /** Gets the number of links so far. */
  onProgress: (done: number) => void;
  /** Asked before every request, which has at most ACTION_MAX links. */
  isStopped: () => boolean;
};

async function inParts<Line>(
  ids: readonly number[],
  { onProgress, isStopped }: WorkControl,
  send: (part: readonly number[]) => Promise<readonly Line[]>,
): Promise<Work<Line>> {
  const acted: Acted<Line>[] = [];
  try {
    for (let at = 0; at < ids.length && !isStopped(); at += ACTION_MAX) {
      const part = ids.slice(at, at + ACTION_MAX);
      const lines = await send(part);
      for (const [index, id] of part.entries()) {
        const line = lines[index];
        if (line !== undefined) acted.push({ id, line });
      }
      onProgress(acted.length);
    }
    return { acted, error: null };
  } catch (error) {
    return { acted, error };
  }
}

export const sendAction = (
  { ids, ...action }: ActionRequest,
  control: WorkControl,
): Promise<Work<LinkActionLine>> =>
  inParts(ids, control, async (part) => {
    const body = { ...action, ids: part };
    return (await api<LinkActionResponse>('/api/links/actions', { method: 'POST', body })).lines;
  });

/** Deletes links in the trash for good. */
export const sendPurge = (ids: readonly number[], control: WorkControl): Promise<Work<PurgeLine>> =>
  inParts(ids, control, async (part) => {
    const body = { ids: part };
    return (await api<PurgeResponse>('/api/links/purge', { method: 'POST', body })).lines;
  });

/** Returns the requests that undo what happened, and leave out links that did not change. */
export function toUndoRequests(acted: readonly Acted<LinkActionLine>[]): ActionRequest[] {
  const idsByUndo = new Map<string, number[]>();
  for (const { id, line } of acted) {
    if (!line.ok || line.undo === null) continue;
    const key = JSON.stringify(line.undo);
    const ids = idsByUndo.get(key);
    if (ids === undefined) idsByUndo.set(key, [id]);
    else ids.push(id);
  }
  return [...idsByUndo].map(([json, ids]) => {
    const undo: UndoAction = JSON.parse(json);
    return Object.assign(undo, { ids });
  });
}
