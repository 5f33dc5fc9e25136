import { sql, type SQL } from 'drizzle-orm';
import type {
  LinkActionName,
  LinkActionRequest,
  UndoAction,
} from '#contract/links/link-actions.ts';
import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import type { WatchMode } from '#contract/links/watch.ts';
import { jsonList, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { shownStatus } from '#worker/db/link-status.ts';
import { hasKey, link_destinations, links } from '#worker/db/schema-links.ts';
import { earlierCodesAsJson, parseCodes } from '#worker/edge/earlier-codes.ts';
import { addToOutbox, isChangedAt } from '#worker/edge/outbox.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { recordChange } from '#worker/links/read/link-history.ts';
import type { LinkActor } from '#worker/links/read/own-link.ts';
import type { LinkRefusal } from '#worker/messages/links.ts';
import type { Target } from '#worker/safety/target.ts';
import { findBlocked, type Blocked } from '#worker/safety/find-blocked.ts';
import { reopenReports } from '#worker/safety/follow-reports.ts';
import type { Tag } from '#contract/links/tags.ts';
import { ensureTags, type TagError } from '#worker/tags/tags.ts';
import {
  nextChangesUntil,
  CHANGED_TOO_OFTEN,
  chargeDay,
  changeCost,
  mayChangeAgain,
  type ChangeLimitError,
  type ChangeLimitReason,
} from './change-allowance.ts';
import { CHANGED_MEANWHILE, HELD, NOT_FOUND } from './change-link.ts';
import { recordKeyActions } from './record-key-action.ts';
import { ACTIONS, isListed, type NotesAction, type RedirectAction } from './link-actions.ts';
import { INVALID_EXPIRY } from './link-draft.ts';
import { isEvidence } from './purge-links.ts';
import { selectBefore, undoOf, type StateBefore } from './undo-action.ts';

/** One action on links that are named by their codes or by their ids. */
export type ActionOnLinks = Pick<LinkActionRequest, 'action' | 'tags' | 'expiresAt' | 'watch'> & {
  links: { codes: readonly string[] } | { ids: readonly number[] };
};

/** Who acts on links. A key with a code prefix finds only links whose code starts with it. */
export type Acting = LinkActor & { codePrefix?: string };

type ActionErrorReason =
  | 'not_found'
  | 'not_restorable'
  | 'held'
  | 'invalid_expiry'
  | 'invalid_target'
  | 'changed_meanwhile'
  | ChangeLimitReason;

/**
 * What happened to a link of the request. `code` is its current code, null if it was not found.
 * `undo` is null if the link was already as wanted.
 */
type LinkOutcome = {
  code: string | null;
  error: LinkRefusal<ActionErrorReason> | null;
  undo: UndoAction | null;
};

/**
 * `outcomes` has an entry for each link of the request, in order. `changed` are the links whose
 * redirects changed, with all their codes.
 */
export type LinkActionResult =
  | {
      ok: true;
      outcomes: LinkOutcome[];
      changed: { id: number; codes: readonly string[] }[];
    }
  | TagError
  | ChangeLimitError;

/**
 * A link of the request. `ref` is its code or id in the request, `codes` all codes of the link as
 * JSON.
 */
type SelectedLink = {
  id: number;
  ref: string;
  target: string;
  target_host: string;
  /** Its other destinations as JSON. */
  destinations: string;
  status: string;
  disabled_by: string | null;
  is_not_restorable: number;
  codes: string;
  may_change_again: number;
};

const NOT_RESTORABLE = { ok: false, reason: 'not_restorable' } as const;

type Selection = {
  db: Db;
  actor: Acting;
  named: ActionOnLinks['links'];
  now: number;
};

const refsOf = ({ named }: Selection): string[] =>
  'ids' in named ? named.ids.map(String) : [...named.codes];

/**
 * Applies one action to many links of a member, in one atomic batch. A link that cannot be changed
 * does not stop the others.
 */
export async function actOnLinks(
  db: Db,
  actor: Acting,
  { links: named, action: name, tags = [], expiresAt = null, watch = 'off' }: ActionOnLinks,
  { now, hasReputation }: { now: number; hasReputation: boolean },
): Promise<LinkActionResult> {
  const selection = { db, actor, named, now };
  const action = ACTIONS[name];
  if (typeof action !== 'function') {
    const end = name === 'set_end' ? expiresAt : null;
    return changeRedirects(selection, name, action, { expiresAt: end, hasReputation });
  }
  const tagged = await ensureTags(db, actor.userId, name.endsWith('_tags') ? tags : [], now);
  if (!tagged.ok) return tagged;
  return changeNotes(selection, name, action, { tags: tagged.tags, watch });
}

async function changeNotes(
  selection: Selection,
  name: LinkActionName,
  action: NotesAction,
  { tags, watch }: { tags: readonly Tag[]; watch: WatchMode },
): Promise<LinkActionResult> {
  const { db, actor, now } = selection;
  const { userId, keyName } = actor;
  const rows = await readRows(selection, false);
  const day = chargeDay(userId, { linkChanges: rows.length }, now);
  const isAllowed = sql`${isSelected(userId, rows)} and ${day.isCovered}`;
  const tagIds = jsonList(tags.map(({ id }) => id));
  const { usage, before } = await runNamedBatch(db, {
    usage: day.usage,
    before: selectBefore(sql`${isAllowed} and ${isListed}`),
    notes: action({ isAllowed, tags: tagIds, watch, keyName, now }),
    counted: day.count(day.isCovered),
    logged: recordKeyActions({ actor, now, isDone: day.isCovered }, name, rows.length),
  });
  const limited = day.errorOf(usage.rows);
  if (limited !== null) return limited;
  const undoById = undosOf(name, before.rows, { tags, watch, expiresAt: null });
  const outcomes = outcomesOf(selection, rows, undoById, () => null);
  return { ok: true, outcomes, changed: [] };
}

async function changeRedirects(
  selection: Selection,
  name: LinkActionName,
  action: RedirectAction,
  { expiresAt, hasReputation }: { expiresAt: number | null; hasReputation: boolean },
): Promise<LinkActionResult> {
  const { db, actor, now } = selection;
  const { userId, keyName } = actor;
  const { isFromTrash = false, starts = false, stops = false } = action;
  const rows = await readRows(selection, isFromTrash);
  const blocked: Blocked = starts ? await findBlocked(db, rows.flatMap(targetsOf)) : new Map();
  const isDone = ({ status }: SelectedLink): boolean => status === action.doneStatus;
  const errorOf = (row: SelectedLink) =>
    refusalOf(row, action, isDone(row), { expiresAt, blocked, now });
  const wanted = rows.filter((row) => !isDone(row) && errorOf(row) === null);
  const linkChanges = wanted.reduce((sum, row) => sum + parseCodes(row.codes).length, 0);
  const day = chargeDay(userId, { linkChanges }, now);
  const selected = isSelected(userId, wanted);
  const isAllowed = stops ? sql`1` : sql`${day.isCovered} and ${mayChangeAgain(now)}`;
  // Statements before `updated` depend on `canChange`, those after it on `isChanged`, which is true
  // until the change is in the outbox.
  const canChange = sql`${selected} and ${action.isApplicable} and ${isAllowed}`;
  const isChanged = sql`${selected} and ${isChangedAt(now)}`;
  const members = typeof action.changed === 'function' ? action.changed(now) : action.changed;
  const recheck = starts && hasReputation ? sql`, recheck_at = ${now}` : sql``;
  const { usage, before, updated } = await runNamedBatch(db, {
    usage: day.usage,
    before: selectBefore(canChange),
    recorded: recordChange(canChange, keyName, now),
    updated: sql<{ id: number }>`update ${links} set ${action.set(expiresAt)}${recheck},
      version = version + 1, updated_at = ${now}, changes_until = ${nextChangesUntil(now)}
      where ${canChange} returning id`,
    events: recordLinkEvents(action.event, isChanged, now, members),
    reopened: isFromTrash ? reopenReports(isChanged, now) : [],
    counted: day.count(
      sql`1`,
      sql`(select sum(${changeCost(sql`${links}.id`)}) from ${links} where ${isChanged})`,
    ),
    logged: recordKeyActions(
      { actor, now, isDone: sql`exists (select 1 from ${links} where ${isChanged})` },
      name,
      wanted.length,
    ),
    queued: addToOutbox(db, isChanged, now),
  });
  const limited = stops ? null : day.errorOf(usage.rows);
  if (limited !== null) return limited;
  const ids = new Set(updated.rows.map(({ id }) => id));
  const undoById = undosOf(name, before.rows, { tags: [], watch: 'off', expiresAt });
  return {
    ok: true,
    outcomes: outcomesOf(
      selection,
      rows,
      undoById,
      (row) => errorOf(row) ?? (ids.has(row.id) || isDone(row) ? null : CHANGED_MEANWHILE),
    ),
    changed: wanted.flatMap((row) =>
      ids.has(row.id) ? [{ id: row.id, codes: parseCodes(row.codes) }] : [],
    ),
  };
}

const undosOf = (
  name: LinkActionName,
  before: readonly StateBefore[],
  to: Parameters<typeof undoOf>[2],
): ReadonlyMap<number, UndoAction | null> =>
  new Map(before.map((state) => [state.id, undoOf(name, state, to)]));

function outcomesOf(
  selection: Selection,
  rows: readonly SelectedLink[],
  undoById: ReadonlyMap<number, UndoAction | null>,
  errorOf: (row: SelectedLink) => LinkOutcome['error'],
): LinkOutcome[] {
  const byRef = new Map(rows.map((row) => [row.ref, row]));
  return refsOf(selection).map((ref) => {
    const row = byRef.get(ref);
    if (row === undefined) return { code: null, error: NOT_FOUND, undo: null };
    const error = errorOf(row);
    const code = parseCodes(row.codes).at(-1) ?? null;
    return { code, error, undo: error === null ? (undoById.get(row.id) ?? null) : null };
  });
}

type RefusalFacts = { expiresAt: number | null; blocked: Blocked; now: number };

/** Returns why a link cannot be changed; null if it can, or needs no change. */
function refusalOf(
  row: SelectedLink,
  { namesHold, stops }: RedirectAction,
  isDone: boolean,
  { expiresAt, blocked, now }: RefusalFacts,
): LinkRefusal<ActionErrorReason> | null {
  if (row.is_not_restorable === 1) return NOT_RESTORABLE;
  if (namesHold === true && row.status === 'disabled' && row.disabled_by !== 'owner') return HELD;
  if (stops !== true && row.may_change_again === 0 && !isDone) return CHANGED_TOO_OFTEN;
  if (expiresAt !== null && expiresAt <= now) return INVALID_EXPIRY;
  const [target] = targetsOf(row).flatMap(({ href }) => blocked.get(href) ?? []);
  return target === undefined ? null : { ok: false, reason: 'invalid_target', values: { target } };
}

function targetsOf({ target, target_host, destinations }: SelectedLink): Target[] {
  const others: Target[] = JSON.parse(destinations);
  return [{ href: target, host: target_host }, ...others];
}

const isSelected = (userId: string, rows: readonly SelectedLink[]): SQL =>
  sql`${links}.user_id = ${userId} and ${links}.id in ${jsonList(rows.map(({ id }) => id))}`;

function readRows(selection: Selection, isFromTrash: boolean): Promise<SelectedLink[]> {
  const { db, actor, named, now } = selection;
  const { userId, codePrefix = '' } = actor;
  const isWanted = isFromTrash
    ? sql`${links}.status = 'deleted' and ${links}.target <> '' and ${links}.updated_at > ${now - KEEP_TRASH_DAYS * DAY_MS}`
    : isListed;
  const item = sql`${jsonList([...new Set(refsOf(selection))])} as item`;
  const { ref, from } =
    'ids' in named
      ? {
          ref: sql`item.value`,
          from: sql`${item} cross join ${links} on ${links}.id = cast(item.value as integer)`,
        }
      : {
          ref: sql`named.code`,
          from: sql`${item} cross join ${links} as named on ${hasKey(sql`item.value`, 'named')}
            cross join ${links} on ${links}.id = coalesce(named.earlier_code_of, named.id)`,
        };
  return db.all<SelectedLink>(
    sql`select ${links}.id, ${ref} as ref, ${links}.target, ${links}.target_host, ${shownStatus()} as status, ${links}.disabled_by,
      (select json_group_array(json_object('href', href, 'host', host)) from ${link_destinations}
        where link_id = ${links}.id) as destinations,
      ${isFromTrash ? isEvidence : sql`0`} as is_not_restorable,
      json_insert(${earlierCodesAsJson}, '$[#]', ${links}.code) as codes, ${mayChangeAgain(now)} as may_change_again
      from ${from} where ${links}.user_id = ${userId} and ${isWanted}
        and substr(${links}.code, 1, ${codePrefix.length}) = ${codePrefix}`,
  );
}
