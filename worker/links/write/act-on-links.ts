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
 * One verdict per code, in their order. `published` are links whose redirects changed, `indexed`
 * those whose words may have.
 */
export type LinkActionResult =
  | { ok: true; errors: (LinkRefusal | null)[]; published: Row[]; indexed: number[] }
  | TagError
  | ChangeLimitError;

/** `code` is the one by which the link was named, `codes` all of its codes as JSON. */
type Row = {
  id: number;
  code: string;
  target: string;
  status: string;
  disabled_by: string | null;
  is_gone: number;
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
 * Does one thing to many links of a member, in one atomic batch. Links that cannot be changed do
 * not stop the others.
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
    if (row.is_gone === 1) return NOT_RESTORABLE;
    if (CHANGES_REDIRECT.has(action) && row.status === 'disabled' && row.disabled_by !== 'owner')
      return HELD;
    if (
      !STOPS.has(action) &&
      REDIRECT_ACTIONS.has(action) &&
      row.may_change_again === 0 &&
      !isAsWanted(action, row)
    )
      return CHANGED_TOO_OFTEN;
    if (action === 'set_end' && typeof expiresAt === 'number' && expiresAt <= now) return ENDED;
    return blocked.has(row.target) ? HARMFUL : null;
  };
  const byCode = new Map(rows.map((row) => [row.code, row]));
  const errors = codes.map((code) => errorOf(byCode.get(code)));
  const open = rows.filter((row) => errorOf(row) === null);
  const changing = open.filter((row) => !isAsWanted(action, row));
  const cost = REDIRECT_ACTIONS.has(action)
    ? changing.reduce((sum, { codes: all }) => sum + parseCodes(all).length, 0)
    : changing.length;
  const isFree = STOPS.has(action);
  const mayChange = isFree ? sql`1` : hasRoom('linkChanges', userId, cost, now);
  const own = sql`${links}.user_id = ${userId}
    and ${links}.id in (select value from json_each(${JSON.stringify(open.map(({ id }) => id))}))`;
  const among = sql`${own} and ${mayChange}`;
  const details = detailStatements(
    action,
    among,
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
  const canChange = sql`${among} and ${isOpenTo(action)}${isFree ? sql`` : sql` and ${mayChangeAgain(now)}`}`;
  const { room, changed } = await runNamedBatch(db, {
    room: readRoom('linkChanges', userId, now),
    recorded: recordChange(canChange, '', now),
    changed: sql<{
      id: number;
    }>`update ${links} set ${changeOf(action, expiresAt ?? null, hasReputation ? now : null)},
      version = version + 1, updated_at = ${now}, changes_until = ${afterChange(now)} where ${canChange} returning id`,
    events: recordLinkEvents(
      EVENTS[action] ?? 'link.updated',
      sql`${own} and ${isChangedAt(now)}`,
      now,
    ),
    queued: addIdsToOutbox(
      db,
      open.map(({ id }) => id),
      now,
    ),
    asked: action === 'restore' ? askAgain(among, now) : [],
    counted: countAgainstDay(
      'linkChanges',
      userId,
      sql`(select sum(${codesOf(sql`${links}.id`)}) from ${links} where ${own} and ${links}.updated_at = ${now})`,
      mayChange,
      now,
    ),
  });
  const limited = isFree ? null : dayLimitError('linkChanges', room.rows[0], cost);
  if (limited !== null) return limited;
  const ids = new Set(changed.rows.map(({ id }) => id));
  const isDone = (row: Row): boolean => ids.has(row.id) || isAsWanted(action, row);
  const late = (code: string, at: number): LinkRefusal | null => {
    const row = byCode.get(code);
    return errors[at] ?? (row === undefined || isDone(row) ? null : CHANGED_MEANWHILE);
  };
  const published = open.filter(({ id }) => ids.has(id));
  return { ok: true, errors: codes.map(late), published, indexed: [...ids] };
}

type Action = LinkActionRequest['action'];

/**
 * The events of webhooks. A link that comes back from the trash is created again for systems that
 * have deleted it.
 */
const EVENTS: Partial<Record<Action, LinkEvent>> = {
  disable: 'link.disabled',
  delete: 'link.deleted',
  restore: 'link.created',
};

const CHANGES_REDIRECT: ReadonlySet<Action> = new Set(['disable', 'enable', 'set_end']);
/** Every action that reaches the edge. */
const REDIRECT_ACTIONS: ReadonlySet<Action> = new Set([...CHANGES_REDIRECT, 'delete', 'restore']);
/** A link can always be stopped: that it was started again has been counted. */
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
      ${fromTrash ? sql`(${isHeld()} or ${isResolved})` : sql`0`} as is_gone,
      json_insert(${earlierCodesAsJson}, '$[#]', ${links}.code) as codes, ${mayChangeAgain(now)} as may_change_again
      from json_each(${JSON.stringify([...new Set(codes)])}) as item
      cross join ${links} as named on ${hasKey(sql`item.value`, 'named')}
      cross join ${links} on ${links}.id = coalesce(named.earlier_code_of, named.id)
      where ${links}.user_id = ${userId} and ${isListed}`,
  );
}

/** The statements of an action on which no redirect depends; null for another action. */
function detailStatements(
  action: Action,
  among: SQL,
  tagIds: readonly number[],
  now: number,
): Statement[] | null {
  const list = JSON.stringify(tagIds);
  const set = (fields: SQL) => [
    sql`update ${links} set ${fields}, updated_at = ${now} where ${among} and ${links}.status <> 'deleted'`,
  ];
  const record = (isOther: SQL) =>
    recordChange(sql`${among} and ${links}.status <> 'deleted' and ${isOther}`, '', now);
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
          select ${links}.id, tag.value, ${links}.created_at from ${links}, json_each(${list}) as tag where ${among}`,
      ];
    case 'remove_tags':
      return [
        ...record(sql`exists (select 1 from json_each(${list}) as tag where ${isOn})`),
        sql`delete from ${link_tags} where tag_id in (select value from json_each(${list}))
          and link_id in (select id from ${links} where ${among})`,
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
      // A hold that was lifted in the meantime is gone: only the owner's own choice is left.
      // Another link may have the external id.
      return sql`status = iif(disabled_by = 'owner', 'disabled', 'active'), disabled_by = iif(disabled_by = 'owner', 'owner', null),
        disabled_reason = null, external_id = iif(exists (select 1 from ${links} as other where other.user_id = ${links}.user_id
          and other.external_id = ${links}.external_id and other.status <> 'deleted'), null, external_id)${recheck}`;
  }
}

/** The condition under which the change still holds when it is written. */
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

function isAsWanted(action: Action, { status }: Row): boolean {
  return (
    (action === 'disable' && status === 'disabled') || (action === 'enable' && status === 'active')
  );
}
