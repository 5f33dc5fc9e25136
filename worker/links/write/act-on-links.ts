import type { LinkRefusal } from '#worker/messages/links.ts';
import { sql, type SQL } from 'drizzle-orm';
import type { LinkActionRequest } from '#contract/links.ts';
import type { LinkEvent } from '#contract/webhooks.ts';
import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { findBlocked } from '#worker/safety/find-blocked.ts';
import { askAgain } from '#worker/safety/follow-reports.ts';
import { isHeld } from '#worker/edge/link-holds.ts';
import { jsonList, runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { hasKey, links } from '#worker/db/schema-links.ts';
import { abuse_reports } from '#worker/db/schema-moderation.ts';
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

type Action = LinkActionRequest['action'];

/** An action that changes the redirect of a link. */
type RedirectAction = {
  event: LinkEvent;
  /** The condition that a link must still meet when the action is written. */
  isOpen: SQL;
  /** The assignments of the update. `recheck` asks for a check of the target's reputation. */
  set: (values: { expiresAt: number | null; recheck: SQL }) => SQL;
  /** A link with this status needs no change. */
  doneStatus?: string;
  /** The link is looked for in the trash. */
  isFromTrash?: true;
  /** Stopping a link is never limited, because starting it again is. */
  stops?: true;
  /** The link starts again, so its target must not be on the blocklist. */
  checksTarget?: true;
  /** The answer names a hold that another person placed. */
  namesHold?: true;
};

/** Returns the statements of an action that no redirect depends on. `tags` are ids as a query. */
type DetailAction = (to: { isAllowed: SQL; tags: SQL; now: number }) => Statement[];

const isListed = sql`${links}.status <> 'deleted'`;
const isOwnersDisabling = sql`${links}.disabled_by = 'owner'`;
const isTagged = sql`exists (select 1 from ${link_tags} where link_id = ${links}.id and tag_id = tag.value)`;

const setArchived =
  (archived: number): DetailAction =>
  ({ isAllowed, now }) => [
    ...recordChange(
      sql`${isAllowed} and ${isListed} and ${links}.archived <> ${archived}`,
      '',
      now,
    ),
    sql`update ${links} set archived = ${archived}, updated_at = ${now} where ${isAllowed} and ${isListed}`,
  ];

const setFavorite =
  (favorite: number): DetailAction =>
  ({ isAllowed, now }) => [
    sql`update ${links} set favorite = ${favorite}, updated_at = ${now} where ${isAllowed} and ${isListed}`,
  ];

const ACTIONS: Record<Action, RedirectAction | DetailAction> = {
  disable: {
    event: 'link.disabled',
    isOpen: sql`${links}.status = 'active'`,
    set: () => sql`status = 'disabled', disabled_by = 'owner', disabled_reason = null`,
    doneStatus: 'disabled',
    stops: true,
    namesHold: true,
  },
  enable: {
    event: 'link.updated',
    isOpen: sql`${links}.status = 'disabled' and ${isOwnersDisabling}`,
    set: ({ recheck }) =>
      sql`status = 'active', disabled_by = null, disabled_reason = null${recheck}`,
    doneStatus: 'active',
    checksTarget: true,
    namesHold: true,
  },
  set_end: {
    event: 'link.updated',
    isOpen: sql`(${links}.status = 'active' or ${isOwnersDisabling}) and ${isListed}`,
    set: ({ expiresAt }) => sql`expires_at = ${expiresAt}`,
    namesHold: true,
  },
  delete: {
    event: 'link.deleted',
    isOpen: isListed,
    set: () => sql`status = 'deleted'`,
    stops: true,
  },
  restore: {
    // Receivers have deleted the link.
    event: 'link.created',
    isOpen: sql`${links}.released_at is null and ${links}.status = 'deleted' and not ${isHeld()}`,
    // Keeps only the owner's own disabling, because `isOpen` excludes links on hold. Drops the
    // external id if another link has taken it.
    set: ({ recheck }) => sql`status = iif(disabled_by = 'owner', 'disabled', 'active'),
      disabled_by = iif(disabled_by = 'owner', 'owner', null), disabled_reason = null,
      external_id = iif(exists (select 1 from ${links} as other where other.user_id = ${links}.user_id
        and other.external_id = ${links}.external_id and other.status <> 'deleted'), null, external_id)${recheck}`,
    isFromTrash: true,
    checksTarget: true,
  },
  archive: setArchived(1),
  unarchive: setArchived(0),
  favorite: setFavorite(1),
  unfavorite: setFavorite(0),
  add_tags: ({ isAllowed, tags, now }) => [
    ...recordChange(
      sql`${isAllowed} and ${isListed} and exists (select 1 from ${tags} as tag where not ${isTagged})`,
      '',
      now,
    ),
    sql`insert or ignore into ${link_tags} (link_id, tag_id, link_created_at)
      select ${links}.id, tag.value, ${links}.created_at from ${links}, ${tags} as tag where ${isAllowed}`,
  ],
  remove_tags: ({ isAllowed, tags, now }) => [
    ...recordChange(
      sql`${isAllowed} and ${isListed} and exists (select 1 from ${tags} as tag where ${isTagged})`,
      '',
      now,
    ),
    sql`delete from ${link_tags} where tag_id in ${tags}
      and link_id in (select id from ${links} where ${isAllowed})`,
  ],
};

/**
 * Applies one action to many links of a member, in one atomic batch. A link that cannot be changed
 * does not stop the others.
 */
export async function actOnLinks(
  db: Db,
  userId: string,
  { codes, action, tags = [], expiresAt = null }: LinkActionRequest,
  { now, hasReputation }: { now: number; hasReputation: boolean },
): Promise<LinkActionResult> {
  const takesTags = action === 'add_tags' || action === 'remove_tags';
  const tagged = await ensureTags(db, userId, takesTags ? tags : [], now);
  if (!tagged.ok) return tagged;
  const applied = ACTIONS[action];
  const redirect = typeof applied === 'function' ? null : applied;
  const rows = await readRows(db, userId, codes, redirect?.isFromTrash ?? false, now);
  const blocked =
    redirect?.checksTarget === true
      ? await findBlocked(
          db,
          rows.map(({ target, target_host }) => ({ href: target, host: target_host })),
        )
      : new Set<string>();
  const isDone = ({ status }: Row): boolean => status === redirect?.doneStatus;
  const isLimited = redirect?.stops !== true;
  const errorOf = (row: Row | undefined): LinkRefusal | null => {
    if (row === undefined) return NOT_FOUND;
    if (row.is_not_restorable === 1) return NOT_RESTORABLE;
    if (redirect?.namesHold === true && row.status === 'disabled' && row.disabled_by !== 'owner')
      return HELD;
    if (redirect !== null && isLimited && row.may_change_again === 0 && !isDone(row))
      return CHANGED_TOO_OFTEN;
    if (action === 'set_end' && expiresAt !== null && expiresAt <= now) return ENDED;
    return blocked.has(row.target) ? HARMFUL : null;
  };
  const byCode = new Map(rows.map((row) => [row.code, row]));
  const errors = codes.map((code) => errorOf(byCode.get(code)));
  const changeable = rows.filter((row) => errorOf(row) === null);
  const ids = changeable.map(({ id }) => id);
  const isSelected = sql`${links}.user_id = ${userId} and ${links}.id in ${jsonList(ids)}`;
  const cost =
    redirect === null
      ? changeable.length
      : changeable
          .filter((row) => !isDone(row))
          .reduce((sum, row) => sum + parseCodes(row.codes).length, 0);
  const mayChange = isLimited ? hasRoom('linkChanges', userId, cost, now) : sql`1`;
  const isAllowed = sql`${isSelected} and ${mayChange}`;

  if (typeof applied === 'function') {
    const { room } = await runNamedBatch(db, {
      room: readRoom('linkChanges', userId, now),
      details: applied({
        isAllowed,
        tags: jsonList(tagged.tags.map(({ id: tagId }) => tagId)),
        now,
      }),
      counted: countAgainstDay('linkChanges', userId, cost, mayChange, now),
    });
    const limited = dayLimitError('linkChanges', room.rows[0], cost);
    return limited ?? { ok: true, errors, published: [], indexed: [] };
  }

  const canChange = sql`${isAllowed} and ${applied.isOpen}${isLimited ? sql` and ${mayChangeAgain(now)}` : sql``}`;
  const recheck = hasReputation ? sql`, recheck_at = ${now}` : sql``;
  const { room, changed } = await runNamedBatch(db, {
    room: readRoom('linkChanges', userId, now),
    recorded: recordChange(canChange, '', now),
    changed: sql<{
      id: number;
    }>`update ${links} set ${applied.set({ expiresAt, recheck })},
      version = version + 1, updated_at = ${now}, changes_until = ${afterChange(now)} where ${canChange} returning id`,
    events: recordLinkEvents(applied.event, sql`${isSelected} and ${isChangedAt(now)}`, now),
    queued: addIdsToOutbox(db, ids, now),
    asked: applied.isFromTrash === true ? askAgain(isAllowed, now) : [],
    counted: countAgainstDay(
      'linkChanges',
      userId,
      sql`(select sum(${codesOf(sql`${links}.id`)}) from ${links} where ${isSelected} and ${links}.updated_at = ${now})`,
      mayChange,
      now,
    ),
  });
  const limited = isLimited ? dayLimitError('linkChanges', room.rows[0], cost) : null;
  if (limited !== null) return limited;
  const indexed = changed.rows.map(({ id }) => id);
  const published = changeable.filter(({ id }) => indexed.includes(id));
  const finalError = (code: string, at: number): LinkRefusal | null => {
    const row = byCode.get(code);
    const isApplied = row === undefined || indexed.includes(row.id) || isDone(row);
    return errors[at] ?? (isApplied ? null : CHANGED_MEANWHILE);
  };
  return { ok: true, errors: codes.map(finalError), published, indexed };
}

function readRows(
  db: Db,
  userId: string,
  codes: readonly string[],
  isFromTrash: boolean,
  now: number,
): Promise<Row[]> {
  // Open reports do not count: anybody can send one, and the owner would learn of it.
  const isResolved = sql`exists (select 1 from ${abuse_reports} where link_id = ${links}.id and status = 'acted')`;
  const isWanted = isFromTrash
    ? sql`${links}.status = 'deleted' and ${links}.target <> '' and ${links}.updated_at > ${now - KEEP_TRASH_DAYS * DAY_MS}`
    : isListed;
  return db.all<Row>(
    sql`select ${links}.id, named.code, ${links}.target, ${links}.target_host, ${links}.status, ${links}.disabled_by,
      ${isFromTrash ? sql`(${isHeld()} or ${isResolved})` : sql`0`} as is_not_restorable,
      json_insert(${earlierCodesAsJson}, '$[#]', ${links}.code) as codes, ${mayChangeAgain(now)} as may_change_again
      from ${jsonList([...new Set(codes)])} as item
      cross join ${links} as named on ${hasKey(sql`item.value`, 'named')}
      cross join ${links} on ${links}.id = coalesce(named.earlier_code_of, named.id)
      where ${links}.user_id = ${userId} and ${isWanted}`,
  );
}
