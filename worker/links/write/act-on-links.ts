import type { LinkRefusal } from '#worker/messages/links.ts';
import { sql, type SQL } from 'drizzle-orm';
import type { LinkActionRequest } from '#contract/links.ts';
import type { LinkEvent } from '#contract/webhooks.ts';
import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { findBlockedAmong } from '#worker/safety/find-blocked.ts';
import { askAgain } from '#worker/safety/follow-reports.ts';
import { isHeld } from '#worker/edge/link-holds.ts';
import { runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { hasKey } from '#worker/db/has-key.ts';
import { abuse_reports } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { ensureTags, type TagError } from '#worker/tags/tags.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { CHANGED_MEANWHILE, HELD, NOT_FOUND } from './change-link.ts';
import {
  afterChange,
  CHANGED_TOO_OFTEN,
  codesOf,
  countAgainstDay,
  dayLimitError,
  hasRoom,
  mayChangeAgain,
  readRoom,
  type ChangeLimitError,
} from './change-allowance.ts';
import { earlierCodesAsJson, parseCodes } from '#worker/edge/earlier-codes.ts';
import { recordChange } from '#worker/links/read/link-history.ts';
import { addIdsToOutbox, isChangedAt } from '#worker/edge/outbox.ts';

/**
 * `errors` has an entry for each code of the request, in order; null means success. `published` are
 * the links whose redirects changed, `indexed` the ids of links whose words may have changed.
 */
export type LinkActionResult =
  | { ok: true; errors: (LinkRefusal | null)[]; published: Row[]; indexed: number[] }
  | TagError
  | ChangeLimitError;

/** `code` is the code in the request, `codes` all codes of the link as JSON. */
type Row = {
  id: number;
  code: string;
  target: string;
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

/**
 * Applies one action to many links of a member, in one atomic batch. A link that cannot be changed
 * does not stop the others.
 */
export async function actOnLinks(
  db: Db,
  userId: string,
  { codes, action, tags = [], expiresAt }: LinkActionRequest,
  { now, hasReputation }: { now: number; hasReputation: boolean },
): Promise<LinkActionResult> {
  const tagged = await ensureTags(
    db,
    userId,
    action === 'add_tags' || action === 'remove_tags' ? tags : [],
    now,
  );
  if (!tagged.ok) return tagged;
  const rows = await readRows(db, userId, codes, action === 'restore', now);
  const checksTarget = action === 'enable' || action === 'restore';
  const blocked = checksTarget
    ? await findBlockedAmong(
        db,
        rows.map(({ target }) => new URL(target)),
      )
    : new Set<string>();
  const errorOf = (row: Row | undefined): LinkRefusal | null => {
    if (row === undefined) return NOT_FOUND;
    if (row.is_not_restorable === 1) return NOT_RESTORABLE;
    if (CHANGES_REDIRECT.has(action) && row.status === 'disabled' && row.disabled_by !== 'owner')
      return HELD;
    if (
      !STOPS.has(action) &&
      REDIRECT_ACTIONS.has(action) &&
      row.may_change_again === 0 &&
      !isAlreadyDone(action, row)
    )
      return CHANGED_TOO_OFTEN;
    if (action === 'set_end' && typeof expiresAt === 'number' && expiresAt <= now) return ENDED;
    return blocked.has(row.target) ? HARMFUL : null;
  };
  const byCode = new Map(rows.map((row) => [row.code, row]));
  const errors = codes.map((code) => errorOf(byCode.get(code)));
  const changeable = rows.filter((row) => errorOf(row) === null);
  const changing = changeable.filter((row) => !isAlreadyDone(action, row));
  const cost = REDIRECT_ACTIONS.has(action)
    ? changing.reduce((sum, { codes: ofLink }) => sum + parseCodes(ofLink).length, 0)
    : changing.length;
  const isUnlimited = STOPS.has(action);
  const mayChange = isUnlimited ? sql`1` : hasRoom('linkChanges', userId, cost, now);
  const isSelected = sql`${links}.user_id = ${userId}
    and ${links}.id in (select value from json_each(${JSON.stringify(changeable.map(({ id }) => id))}))`;
  const isAllowed = sql`${isSelected} and ${mayChange}`;
  const details = detailStatements(
    action,
    isAllowed,
    tagged.tags.map(({ id }) => id),
    now,
  );
  if (details !== null) {
    const { room } = await runNamedBatch(db, {
      room: readRoom('linkChanges', userId, now),
      details,
      counted: countAgainstDay('linkChanges', userId, cost, mayChange, now),
    });
    return (
      dayLimitError('linkChanges', room.rows[0], cost) ?? {
        ok: true,
        errors,
        published: [],
        indexed: [],
      }
    );
  }
  const canChange = sql`${isAllowed} and ${isOpenTo(action)}${isUnlimited ? sql`` : sql` and ${mayChangeAgain(now)}`}`;
  const { room, changed } = await runNamedBatch(db, {
    room: readRoom('linkChanges', userId, now),
    recorded: recordChange(canChange, '', now),
    changed: sql<{
      id: number;
    }>`update ${links} set ${changeOf(action, expiresAt ?? null, hasReputation ? now : null)},
      version = version + 1, updated_at = ${now}, changes_until = ${afterChange(now)} where ${canChange} returning id`,
    events: recordLinkEvents(
      EVENTS[action] ?? 'link.updated',
      sql`${isSelected} and ${isChangedAt(now)}`,
      now,
    ),
    queued: addIdsToOutbox(
      db,
      changeable.map(({ id }) => id),
      now,
    ),
    asked: action === 'restore' ? askAgain(isAllowed, now) : [],
    counted: countAgainstDay(
      'linkChanges',
      userId,
      sql`(select sum(${codesOf(sql`${links}.id`)}) from ${links} where ${isSelected} and ${links}.updated_at = ${now})`,
      mayChange,
      now,
    ),
  });
  const limited = isUnlimited ? null : dayLimitError('linkChanges', room.rows[0], cost);
  if (limited !== null) return limited;
  const ids = new Set(changed.rows.map(({ id }) => id));
  const isDone = (row: Row): boolean => ids.has(row.id) || isAlreadyDone(action, row);
  const finalError = (code: string, at: number): LinkRefusal | null => {
    const row = byCode.get(code);
    return errors[at] ?? (row === undefined || isDone(row) ? null : CHANGED_MEANWHILE);
  };
  const published = changeable.filter(({ id }) => ids.has(id));
  return { ok: true, errors: codes.map(finalError), published, indexed: [...ids] };
}

type Action = LinkActionRequest['action'];

/**
 * The webhook events of actions; other actions send `link.updated`. Restoring sends `link.created`,
 * because receivers have deleted the link.
 */
const EVENTS: Partial<Record<Action, LinkEvent>> = {
  disable: 'link.disabled',
  delete: 'link.deleted',
  restore: 'link.created',
};

const CHANGES_REDIRECT: ReadonlySet<Action> = new Set(['disable', 'enable', 'set_end']);
const REDIRECT_ACTIONS: ReadonlySet<Action> = new Set([...CHANGES_REDIRECT, 'delete', 'restore']);
/** Stopping a link is never limited, because starting it again is. */
const STOPS: ReadonlySet<Action> = new Set(['disable', 'delete']);

function readRows(
  db: Db,
  userId: string,
  codes: readonly string[],
  fromTrash: boolean,
  now: number,
): Promise<Row[]> {
  // Open reports do not count: anybody can send one, and the owner would learn of it.
  const isResolved = sql`exists (select 1 from ${abuse_reports} where link_id = ${links}.id and status = 'acted')`;
  const isListed = fromTrash
    ? sql`${links}.status = 'deleted' and ${links}.target <> '' and ${links}.updated_at > ${now - KEEP_TRASH_DAYS * DAY_MS}`
    : sql`${links}.status <> 'deleted'`;
  return db.all<Row>(
    sql`select ${links}.id, named.code, ${links}.target, ${links}.status, ${links}.disabled_by,
      ${fromTrash ? sql`(${isHeld()} or ${isResolved})` : sql`0`} as is_not_restorable,
      json_insert(${earlierCodesAsJson}, '$[#]', ${links}.code) as codes, ${mayChangeAgain(now)} as may_change_again
      from json_each(${JSON.stringify([...new Set(codes)])}) as item
      cross join ${links} as named on ${hasKey(sql`item.value`, 'named')}
      cross join ${links} on ${links}.id = coalesce(named.earlier_code_of, named.id)
      where ${links}.user_id = ${userId} and ${isListed}`,
  );
}

/** Returns the statements of an action that no redirect depends on; null for any other action. */
function detailStatements(
  action: Action,
  isAllowed: SQL,
  tagIds: readonly number[],
  now: number,
): Statement[] | null {
  const list = JSON.stringify(tagIds);
  const set = (fields: SQL) => [
    sql`update ${links} set ${fields}, updated_at = ${now} where ${isAllowed} and ${links}.status <> 'deleted'`,
  ];
  const record = (isOther: SQL) =>
    recordChange(sql`${isAllowed} and ${links}.status <> 'deleted' and ${isOther}`, '', now);
  const archived = action === 'archive' ? 1 : 0;
  const isOn = sql`exists (select 1 from ${link_tags} where link_id = ${links}.id and tag_id = tag.value)`;
  switch (action) {
    case 'archive':
    case 'unarchive':
      return [
        ...record(sql`${links}.archived <> ${archived}`),
        ...set(sql`archived = ${archived}`),
      ];
    case 'favorite':
    case 'unfavorite':
      return set(sql`favorite = ${action === 'favorite' ? 1 : 0}`);
    case 'add_tags':
      return [
        ...record(sql`exists (select 1 from json_each(${list}) as tag where not ${isOn})`),
        sql`insert or ignore into ${link_tags} (link_id, tag_id, link_created_at)
          select ${links}.id, tag.value, ${links}.created_at from ${links}, json_each(${list}) as tag where ${isAllowed}`,
      ];
    case 'remove_tags':
      return [
        ...record(sql`exists (select 1 from json_each(${list}) as tag where ${isOn})`),
        sql`delete from ${link_tags} where tag_id in (select value from json_each(${list}))
          and link_id in (select id from ${links} where ${isAllowed})`,
      ];
    default:
      return null;
  }
}

function changeOf(action: Action, expiresAt: number | null, recheckAt: number | null): SQL {
  const recheck = recheckAt === null ? sql`` : sql`, recheck_at = ${recheckAt}`;
  switch (action) {
    case 'disable':
      return sql`status = 'disabled', disabled_by = 'owner', disabled_reason = null`;
    case 'enable':
      return sql`status = 'active', disabled_by = null, disabled_reason = null${recheck}`;
    case 'set_end':
      return sql`expires_at = ${expiresAt}`;
    case 'delete':
      return sql`status = 'deleted'`;
    default:
      // Restoring keeps only the owner's own disabling, because `isOpenTo` excludes links on hold.
      // It drops the external id if another link has taken it.
      return sql`status = iif(disabled_by = 'owner', 'disabled', 'active'), disabled_by = iif(disabled_by = 'owner', 'owner', null),
        disabled_reason = null, external_id = iif(exists (select 1 from ${links} as other where other.user_id = ${links}.user_id
          and other.external_id = ${links}.external_id and other.status <> 'deleted'), null, external_id)${recheck}`;
  }
}

/** The SQL condition that a link must still meet when the action is written. */
function isOpenTo(action: Action): SQL {
  switch (action) {
    case 'disable':
      return sql`${links}.status = 'active'`;
    case 'enable':
      return sql`${links}.status = 'disabled' and ${links}.disabled_by = 'owner'`;
    case 'set_end':
      return sql`(${links}.status = 'active' or ${links}.disabled_by = 'owner') and ${links}.status <> 'deleted'`;
    case 'delete':
      return sql`${links}.status <> 'deleted'`;
    default:
      return sql`${links}.released_at is null and ${links}.status = 'deleted' and not ${isHeld()}`;
  }
}

function isAlreadyDone(action: Action, { status }: Row): boolean {
  return (
    (action === 'disable' && status === 'disabled') || (action === 'enable' && status === 'active')
  );
}
