import { sql, type SQL } from 'drizzle-orm';
import type { LinkActionRequest } from '#contract/links.ts';
import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { jsonList, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { hasKey, links } from '#worker/db/schema-links.ts';
import { abuse_reports } from '#worker/db/schema-moderation.ts';
import { earlierCodesAsJson, parseCodes } from '#worker/edge/earlier-codes.ts';
import { isHeld } from '#worker/edge/link-holds.ts';
import { addToOutbox, isChangedAt } from '#worker/edge/outbox.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { recordChange } from '#worker/links/read/link-history.ts';
import type { LinkRefusal } from '#worker/messages/links.ts';
import { findBlocked } from '#worker/safety/find-blocked.ts';
import { reopenReports } from '#worker/safety/follow-reports.ts';
import { ensureTags, type TagError } from '#worker/tags/tags.ts';
import {
  nextChangesUntil,
  CHANGED_TOO_OFTEN,
  chargeDay,
  changeCost,
  mayChangeAgain,
  type ChangeLimitError,
} from './change-allowance.ts';
import { CHANGED_MEANWHILE, HELD, NOT_FOUND } from './change-link.ts';
import { ACTIONS, isListed, type DetailAction, type RedirectAction } from './link-actions.ts';

/**
 * `errors` has an entry for each code of the request, in order; null means success. `changed` are
 * the links whose redirects changed, with all their codes.
 */
export type LinkActionResult =
  | {
      ok: true;
      errors: (LinkRefusal | null)[];
      changed: { id: number; codes: readonly string[] }[];
    }
  | TagError
  | ChangeLimitError;

/**
 * A link of the request. `code` is the code in the request, `codes` all codes of the link as JSON.
 */
type SelectedLink = {
  id: number;
  code: string;
  target: string;
  target_host: string;
  status: string;
  disabled_by: string | null;
  is_not_restorable: number;
  codes: string;
  may_change_again: number;
};

const ENDED = { ok: false, reason: 'invalid_expiry' } as const;
const NOT_RESTORABLE = { ok: false, reason: 'not_restorable' } as const;
const HARMFUL: LinkRefusal = {
  ok: false,
  reason: 'invalid_target',
  values: { target: 'on_blocklist' },
};

type Selection = {
  db: Db;
  userId: string;
  codes: readonly string[];
  now: number;
};

/**
 * Applies one action to many links of a member, in one atomic batch. A link that cannot be changed
 * does not stop the others.
 */
export async function actOnLinks(
  db: Db,
  userId: string,
  { codes, action: name, tags = [], expiresAt = null }: LinkActionRequest,
  { now, hasReputation }: { now: number; hasReputation: boolean },
): Promise<LinkActionResult> {
  const selection = { db, userId, codes, now };
  const action = ACTIONS[name];
  if (typeof action !== 'function') {
    const end = name === 'set_end' ? expiresAt : null;
    return changeRedirects(selection, action, end, hasReputation);
  }
  const takesTags = name === 'add_tags' || name === 'remove_tags';
  const tagged = await ensureTags(db, userId, takesTags ? tags : [], now);
  if (!tagged.ok) return tagged;
  return changeDetails(
    selection,
    action,
    tagged.tags.map(({ id }) => id),
  );
}

async function changeDetails(
  selection: Selection,
  action: DetailAction,
  tagIds: readonly number[],
): Promise<LinkActionResult> {
  const { db, userId, codes, now } = selection;
  const rows = await readRows(selection, false);
  const day = chargeDay(userId, { linkChanges: rows.length }, now);
  const isAllowed = sql`${isSelected(userId, rows)} and ${day.isCovered}`;
  const { usage } = await runNamedBatch(db, {
    usage: day.usage,
    details: action({ isAllowed, tags: jsonList(tagIds), now }),
    counted: day.count(day.isCovered),
  });
  const found = new Set(rows.map(({ code }) => code));
  const errors = codes.map((code) => (found.has(code) ? null : NOT_FOUND));
  return day.errorOf(usage.rows) ?? { ok: true, errors, changed: [] };
}

async function changeRedirects(
  selection: Selection,
  action: RedirectAction,
  expiresAt: number | null,
  hasReputation: boolean,
): Promise<LinkActionResult> {
  const { db, userId, codes, now } = selection;
  const { isFromTrash = false, starts = false, stops = false } = action;
  const rows = await readRows(selection, isFromTrash);
  const harmful = starts ? await findBlocked(db, rows.map(toTarget)) : new Set<string>();
  const isDone = ({ status }: SelectedLink): boolean => status === action.doneStatus;
  const errorOf = (row: SelectedLink) =>
    refusalOf(row, action, isDone(row), { expiresAt, harmful, now });
  const wanted = rows.filter((row) => !isDone(row) && errorOf(row) === null);
  const linkChanges = wanted.reduce((sum, row) => sum + parseCodes(row.codes).length, 0);
  const day = chargeDay(userId, { linkChanges }, now);
  const selected = isSelected(userId, wanted);
  const isAllowed = stops ? sql`1` : sql`${day.isCovered} and ${mayChangeAgain(now)}`;
  // Statements before `updated` depend on `canChange`, those after it on `isChanged`, which is true
  // until the change is in the outbox.
  const canChange = sql`${selected} and ${action.isApplicable} and ${isAllowed}`;
  const isChanged = sql`${selected} and ${isChangedAt(now)}`;
  const recheck = starts && hasReputation ? sql`, recheck_at = ${now}` : sql``;
  const { usage, updated } = await runNamedBatch(db, {
    usage: day.usage,
    recorded: recordChange(canChange, '', now),
    updated: sql<{ id: number }>`update ${links} set ${action.set(expiresAt)}${recheck},
      version = version + 1, updated_at = ${now}, changes_until = ${nextChangesUntil(now)}
      where ${canChange} returning id`,
    events: recordLinkEvents(action.event, isChanged, now),
    reopened: isFromTrash ? reopenReports(isChanged, now) : [],
    counted: day.count(
      sql`1`,
      sql`(select sum(${changeCost(sql`${links}.id`)}) from ${links} where ${isChanged})`,
    ),
    queued: addToOutbox(db, isChanged, now),
  });
  const limited = stops ? null : day.errorOf(usage.rows);
  if (limited !== null) return limited;
  const ids = new Set(updated.rows.map(({ id }) => id));
  const byCode = new Map(rows.map((row) => [row.code, row]));
  const resultOf = (code: string): LinkRefusal | null => {
    const row = byCode.get(code);
    if (row === undefined) return NOT_FOUND;
    return errorOf(row) ?? (ids.has(row.id) || isDone(row) ? null : CHANGED_MEANWHILE);
  };
  return {
    ok: true,
    errors: codes.map(resultOf),
    changed: wanted.flatMap((row) =>
      ids.has(row.id) ? [{ id: row.id, codes: parseCodes(row.codes) }] : [],
    ),
  };
}

/** Returns why a link cannot be changed; null if it can, or needs no change. */
function refusalOf(
  row: SelectedLink,
  { namesHold, stops }: RedirectAction,
  isDone: boolean,
  {
    expiresAt,
    harmful,
    now,
  }: { expiresAt: number | null; harmful: ReadonlySet<string>; now: number },
): LinkRefusal | null {
  if (row.is_not_restorable === 1) return NOT_RESTORABLE;
  if (namesHold === true && row.status === 'disabled' && row.disabled_by !== 'owner') return HELD;
  if (stops !== true && row.may_change_again === 0 && !isDone) return CHANGED_TOO_OFTEN;
  if (expiresAt !== null && expiresAt <= now) return ENDED;
  return harmful.has(row.target) ? HARMFUL : null;
}

const toTarget = ({ target, target_host }: SelectedLink) => ({ href: target, host: target_host });

const isSelected = (userId: string, rows: readonly SelectedLink[]): SQL =>
  sql`${links}.user_id = ${userId} and ${links}.id in ${jsonList(rows.map(({ id }) => id))}`;

function readRows(
  { db, userId, codes, now }: Selection,
  isFromTrash: boolean,
): Promise<SelectedLink[]> {
  // Open reports do not count: anybody can send one, and the owner would learn of it.
  const isResolved = sql`exists (select 1 from ${abuse_reports} where link_id = ${links}.id and status = 'acted')`;
  const isWanted = isFromTrash
    ? sql`${links}.status = 'deleted' and ${links}.target <> '' and ${links}.updated_at > ${now - KEEP_TRASH_DAYS * DAY_MS}`
    : isListed;
  return db.all<SelectedLink>(
    sql`select ${links}.id, named.code, ${links}.target, ${links}.target_host, ${links}.status, ${links}.disabled_by,
      ${isFromTrash ? sql`(${isHeld()} or ${isResolved})` : sql`0`} as is_not_restorable,
      json_insert(${earlierCodesAsJson}, '$[#]', ${links}.code) as codes, ${mayChangeAgain(now)} as may_change_again
      from ${jsonList([...new Set(codes)])} as item
      cross join ${links} as named on ${hasKey(sql`item.value`, 'named')}
      cross join ${links} on ${links}.id = coalesce(named.earlier_code_of, named.id)
      where ${links}.user_id = ${userId} and ${isWanted}`,
  );
}
