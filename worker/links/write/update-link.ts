import { eq, sql, type SQL } from 'drizzle-orm';
import type { LinkEvent } from '#contract/webhooks.ts';
import { runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { toColumnValues } from '#worker/db/link-settings.ts';
import { links } from '#worker/db/schema-links.ts';
import { removeFromOutbox } from '#worker/edge/former-link.ts';
import { addToOutbox, isChangedAt } from '#worker/edge/outbox.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { recordChange } from '#worker/links/read/link-history.ts';
import type { LinkActor, OwnLink } from '#worker/links/read/own-link.ts';
import {
  changedSettings,
  pickSettings,
  PUBLISHED,
  type PublishedSettings,
} from '#worker/links/settings/link-settings.ts';
import { askAgain, moveReports } from '#worker/safety/follow-reports.ts';
import {
  afterChange,
  CHANGED_TOO_OFTEN,
  countAgainstDay,
  dayLimitError,
  hasRoom,
  mayChangeAgain,
  readRoom,
  type ChangeLimitError,
  type Room,
} from './change-allowance.ts';
import { recordKeyAction } from './record-key-action.ts';
import { formersOf, freeCode, isFree, keepCode, mayTakeCode, type Rename } from './rename-link.ts';

export type LinkFields = PublishedSettings &
  Pick<
    OwnLink,
    'target' | 'targetHost' | 'externalId' | 'status' | 'disabledBy' | 'disabledReason'
  > & {
    /** When to check the target's reputation again; unchanged if absent. */
    recheckAt?: number | null;
  };

/**
 * Returns the version of a link after a change. It is also above the version of a deleted link
 * whose code it takes, because redirects ignore a lower version.
 */
export const nextVersion = (link: OwnLink, rename: Rename | null): number =>
  Math.max(link.version, rename?.former?.version ?? 0) + 1;

/** True in SQL for the link once this change is written. */
export const isChangeWritten = (link: OwnLink, rename: Rename | null, now: number): SQL =>
  sql`${links}.version = ${nextVersion(link, rename)} and ${links}.updated_at = ${now}`;

/** A change of a link that is about to be written. */
type Change = {
  link: OwnLink;
  fields: LinkFields;
  rename: Rename | null;
  actor: LinkActor;
  now: number;
};

/**
 * Writes `fields`, an outbox row, the link's history and, for an API key, an audit entry. Writes
 * none of these and returns 'stale' if the link is no longer at the version of `link` or another
 * link has taken its external id or its new code. Returns an error if the member has made too many
 * changes; stopping a link is never limited, because starting it again is. `alongside` runs in the
 * same batch in any case.
 */
export async function updateLink(
  db: Db,
  link: OwnLink,
  fields: LinkFields,
  {
    actor,
    now,
    rename = null,
    alongside = [],
  }: { actor: LinkActor; now: number; rename?: Rename | null; alongside?: Statement[] },
): Promise<'changed' | 'stale' | ChangeLimitError> {
  const change = { link, fields, rename, actor, now };
  const formers = formersOf(rename);
  const isAtVersion = sql`${links.id} = ${link.id} and ${links.version} = ${link.version}
    and ${isExternalIdFree(change)} and ${isWithinLimits(change)}`;
  const isCurrent =
    rename === null ? isAtVersion : sql`${isAtVersion} and ${mayTakeCode(link, rename)}`;
  const isDone = sql`exists (select 1 from ${links} where ${links.id} = ${link.id} and ${isChangeWritten(link, rename, now)})`;
  const { limits, updated } = await runNamedBatch(db, {
    limits: readLimits(change),
    recorded: recordChange(isCurrent, actor.keyName ?? '', now),
    freed: rename === null ? [] : freeCode(link, rename, isCurrent, now),
    // The deleted link has released its code by now, so `mayTakeCode` would be false here.
    updated: writeFields(
      db,
      change,
      rename === null ? isAtVersion : sql`${isAtVersion} and ${isFree(link, rename)}`,
    ),
    kept: rename === null ? [] : keepCode(link, rename, nextVersion(link, rename), now, isDone),
    announced: announce(db, change),
    alongside,
    logged: recordKeyAction(
      db,
      link,
      { ...fields, code: rename?.code ?? link.code },
      { actor, now, isDone },
    ),
    settled: [...removeFromOutbox(formers), ...moveReports(formers)],
    asked:
      fields.target === link.target && formers.length === 0
        ? []
        : askAgain(sql`${links.id} = ${link.id}`, now),
    counted: countChange(change, isDone),
  });
  return updated.changes === 1 ? 'changed' : limitError(change, limits.rows[0]);
}

/** What a change costs: one KV write for each code of the link. */
function costOf({ link, rename }: Change): { linkChanges: number; renames: number } {
  const renames = rename?.isNew === true ? 1 : 0;
  return { linkChanges: 1 + link.earlierCodes.length + renames, renames };
}

function isWithinLimits(change: Change): SQL {
  if (isStop(change)) return sql`1`;
  const { actor, now } = change;
  const cost = costOf(change);
  return sql`${hasRoom('linkChanges', actor.userId, cost.linkChanges, now)}
    and ${hasRoom('renames', actor.userId, cost.renames, now)} and ${mayChangeAgain(now)}`;
}

/** The limits before a change. `changes` and `renames` are each a `Room` as JSON. */
type Limits = { may_change_again: number; changes: string; renames: string };

const readLimits = ({ link, actor, now }: Change): SQL<Limits> =>
  sql<Limits>`select ${mayChangeAgain(now)} as may_change_again,
    (${asJson(readRoom('linkChanges', actor.userId, now))}) as changes,
    (${asJson(readRoom('renames', actor.userId, now))}) as renames
    from ${links} where ${links.id} = ${link.id}`;

const asJson = (room: SQL<Room>): SQL =>
  sql`select json_object('used', used, 'limit', "limit") from (${room})`;

/** Returns why a change was not written. */
function limitError(change: Change, limits: Limits | undefined): 'stale' | ChangeLimitError {
  if (isStop(change) || limits === undefined) return 'stale';
  if (limits.may_change_again === 0) return CHANGED_TOO_OFTEN;
  const cost = costOf(change);
  return (
    dayLimitError('renames', JSON.parse(limits.renames), cost.renames) ??
    dayLimitError('linkChanges', JSON.parse(limits.changes), cost.linkChanges) ??
    'stale'
  );
}

const writeFields = (db: Db, { link, fields, rename, now }: Change, when: SQL) =>
  db
    .update(links)
    .set({
      target: fields.target,
      target_host: fields.targetHost,
      ...(fields.target === link.target ? {} : { target_changed_at: now }),
      external_id: fields.externalId,
      status: fields.status,
      disabled_by: fields.disabledBy,
      disabled_reason: fields.disabledReason,
      ...toColumnValues(pickSettings(fields, PUBLISHED)),
      ...(fields.recheckAt === undefined ? {} : { recheck_at: fields.recheckAt }),
      ...(rename === null ? {} : { code: rename.code, is_alias: rename.isAlias }),
      version: nextVersion(link, rename),
      updated_at: now,
      changes_until: afterChange(now),
    })
    .where(when);

/** Returns the statements that tell webhooks and KV of the change. */
const announce = (db: Db, { link, fields, rename, now }: Change): Statement[] => [
  ...recordLinkEvents(
    eventOf(link, fields),
    sql`${links.id} = ${link.id} and ${links.version} = ${nextVersion(link, rename)} and ${isChangedAt(now)}`,
    now,
  ),
  addToOutbox(db, eq(links.id, link.id), now),
];

function countChange(change: Change, isDone: SQL): Statement[] {
  const { actor, now } = change;
  const { linkChanges, renames } = costOf(change);
  return [
    countAgainstDay('linkChanges', actor.userId, linkChanges, isDone, now),
    ...(renames === 0 ? [] : [countAgainstDay('renames', actor.userId, renames, isDone, now)]),
  ];
}

/**
 * True if a change deletes a link, or disables it and publishes nothing else. A change that does
 * more is limited as usual.
 */
const isStop = ({ link, fields, rename }: Change): boolean =>
  fields.status === 'deleted' ||
  (link.status === 'active' &&
    fields.status === 'disabled' &&
    rename === null &&
    fields.target === link.target &&
    fields.externalId === link.externalId &&
    changedSettings(link, fields, PUBLISHED).length === 0);

/** True in SQL while no other link of the member has the external id that this one gets. */
function isExternalIdFree({ link, fields: { externalId }, actor }: Change): SQL {
  if (externalId === null || externalId === link.externalId) return sql`1`;
  return sql`not exists (select 1 from ${links} as other where other.user_id = ${actor.userId}
    and other.external_id = ${externalId} and other.status <> 'deleted')`;
}

function eventOf(before: OwnLink, { status }: LinkFields): LinkEvent {
  if (status === 'deleted') return 'link.deleted';
  return status === 'disabled' && before.status === 'active' ? 'link.disabled' : 'link.updated';
}
