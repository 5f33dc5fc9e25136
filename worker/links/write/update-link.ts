import { sql, type SQL } from 'drizzle-orm';
import type { LinkEvent } from '#contract/webhooks/webhook-events.ts';
import { jsonRows, runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { toColumnValues } from '#worker/db/link-settings.ts';
import { link_destinations, links } from '#worker/db/schema-links.ts';
import { addToOutbox, isChangedAt } from '#worker/edge/outbox.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { changedFields, toLinkFacts } from '#worker/links/read/link-json.ts';
import { recordChange } from '#worker/links/read/link-history.ts';
import type { LinkActor, OwnLink } from '#worker/links/read/own-link.ts';
import { destinationsOf } from '#worker/links/settings/destinations.ts';
import {
  changedSettings,
  pickSettings,
  PUBLISHED,
  type PublishedSettings,
} from '#worker/links/settings/link-settings.ts';
import { statusOf, toGate } from '#worker/redirect/gate.ts';
import { reopenReports } from '#worker/safety/follow-reports.ts';
import {
  nextChangesUntil,
  CHANGED_TOO_OFTEN,
  chargeDay,
  mayChangeAgain,
  type ChangeLimitError,
} from './change-allowance.ts';
import { recordKeyAction } from './record-key-action.ts';
import { codeSteps, nextVersion, type Rename } from './rename-link.ts';
import { writeNotes, type StoredNotes } from './write-notes.ts';

export type LinkFields = PublishedSettings &
  Pick<
    OwnLink,
    'target' | 'targetHost' | 'externalId' | 'status' | 'disabledBy' | 'disabledReason'
  > & {
    /** When to check the target's reputation again; unchanged if absent. */
    recheckAt?: number | null;
  };

/**
 * True in SQL for the link once its batch has written this change, until the batch adds the change
 * to the outbox. A change by another batch in the same millisecond is already there.
 */
const isChangeWritten = (link: OwnLink, rename: Rename | null, now: number): SQL =>
  sql`${links.id} = ${link.id} and ${links}.version = ${nextVersion(link, rename)} and ${isChangedAt(now)}`;

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
 * changes; stopping a link is never limited, because starting it again is. `notes` change in the
 * same batch.
 */
export async function updateLink(
  db: Db,
  link: OwnLink,
  fields: LinkFields,
  {
    actor,
    now,
    rename = null,
    notes = null,
  }: {
    actor: LinkActor;
    now: number;
    rename?: Rename | null;
    notes?: StoredNotes | null;
  },
): Promise<'changed' | 'stale' | ChangeLimitError> {
  const change = { link, fields, rename, actor, now };
  const day = chargeDay(actor.userId, costOf(change), now);
  const code = codeSteps(actor.userId, link, rename, now);
  // Statements before `updated` depend on `mayWrite`, those after it on `isWritten`.
  const mayWrite = sql`${links.id} = ${link.id} and ${links.version} = ${link.version}
    and ${isExternalIdFree(change)}
    and ${isStop(change) ? sql`1` : sql`${day.isCovered} and ${mayChangeAgain(now)}`}`;
  const mayRecord = sql`${mayWrite} and ${code.mayTake}`;
  const isWritten = isChangeWritten(link, rename, now);
  const isDone = sql`exists (select 1 from ${links} where ${isWritten})`;
  const mayReopenReports = fields.target !== link.target || rename?.former != null;
  const { updated } = await runNamedBatch(db, {
    recorded: recordChange(mayRecord, actor.keyName, now),
    freed: code.free(mayRecord),
    updated: writeFields(db, change, sql`${mayWrite} and ${code.isFree}`),
    kept: code.keep(isDone),
    destinations: writeDestinations(change, isDone),
    notes:
      notes === null
        ? []
        : writeNotes(db, { userId: actor.userId, linkId: link.id, notes, now, when: isWritten }),
    events: recordLinkEvents(eventOf(link, fields), isWritten, now, changedFieldsOf(change, notes)),
    logged: recordKeyAction(
      link,
      { ...fields, code: rename?.code ?? link.code },
      { actor, now, isDone },
    ),
    counted: day.count(isDone),
    queued: addToOutbox(db, isWritten, now),
    settled: code.settled,
    reopened: mayReopenReports ? reopenReports(sql`${links.id} = ${link.id}`, now) : [],
  });
  if (updated.changes === 1) return 'changed';
  return isStop(change) ? 'stale' : ((await readLimitError(db, change)) ?? 'stale');
}

/** Replaces the stored destinations besides the target, by which moderation finds the link. */
function writeDestinations({ link, fields }: Change, when: SQL): Statement[] {
  const names = ['fallbackUrl', 'rules', 'variants', 'watchFallback'] as const;
  if (changedSettings(link, fields, names).length === 0) return [];
  const rows = jsonRows(['host', 'href'], destinationsOf(fields));
  return [
    sql`delete from ${link_destinations} where link_id = ${link.id} and ${when}`,
    sql`insert into ${link_destinations} (link_id, host, href)
      select ${link.id}, item.host, item.href from ${rows} as item where ${when}`,
  ];
}

/** The cost of a change: one KV write for each code of the link. */
function costOf({ link, rename }: Change): { linkChanges: number; renames: number } {
  const renames = rename?.isNew === true ? 1 : 0;
  return { linkChanges: 1 + link.earlierCodes.length + renames, renames };
}

/** Returns the limit that kept a change from being written; null if no limit did. */
async function readLimitError(db: Db, change: Change): Promise<ChangeLimitError | null> {
  const { link, actor, now } = change;
  const day = chargeDay(actor.userId, costOf(change), now);
  const [paused] = await db.all(
    sql`select 1 from ${links} where ${links.id} = ${link.id} and not ${mayChangeAgain(now)}`,
  );
  return paused === undefined ? day.errorOf(await db.all(day.usage)) : CHANGED_TOO_OFTEN;
}

const writeFields = (db: Db, { link, fields, rename, now }: Change, when: SQL) =>
  db
    .update(links)
    .set({
      target: fields.target,
      target_host: fields.targetHost,
      ...(fields.target === link.target ? {} : { target_changed_at: now, next_check_at: 0 }),
      external_id: fields.externalId,
      status: storedStatus(fields),
      disabled_by: fields.disabledBy,
      disabled_reason: fields.disabledReason,
      ...toColumnValues(pickSettings(fields, PUBLISHED)),
      ...newCount(link, fields),
      ...(fields.recheckAt === undefined ? {} : { recheck_at: fields.recheckAt }),
      ...(rename === null ? {} : { code: rename.code, is_alias: rename.isAlias }),
      version: nextVersion(link, rename),
      updated_at: now,
      changes_until: nextChangesUntil(now),
    })
    .where(when);

/**
 * Returns the status that a trigger would store, so that the trigger changes nothing: D1 counts its
 * changes among the rows of the statement.
 */
function storedStatus(fields: LinkFields): SQL {
  if (fields.status !== 'active') return sql`${fields.status}`;
  // The status does not depend on which object counts.
  const gate = toGate({ ...toColumnValues(fields), limit_id: 'any' });
  return sql`${gate ? statusOf(gate) : fields.status}`;
}

/** True if a change sets a click limit or removes it. */
export const resetsCount = (link: OwnLink, { clickLimit }: LinkFields): boolean =>
  (link.clickLimit === null) !== (clickLimit === null);

/**
 * A link that gets a limit also gets a new counting object, so that earlier clicks do not count.
 * Raising or lowering the limit keeps the count.
 */
const newCount = (link: OwnLink, fields: LinkFields) =>
  resetsCount(link, fields)
    ? { limit_id: fields.clickLimit === null ? '' : crypto.randomUUID(), limit_used: 0 }
    : {};

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

/** Returns the fields of the public API that a change changes. */
function changedFieldsOf(
  { link, fields, rename, now }: Change,
  notes: StoredNotes | null,
): string[] {
  // The API shows no link as deleted.
  if (fields.status === 'deleted') return ['status'];
  const codes =
    rename === null
      ? {}
      : {
          code: rename.code,
          earlierCodes: [link.code, ...link.earlierCodes.filter((code) => code !== rename.code)],
        };
  const after = { ...link, ...fields, ...notes, ...codes };
  return changedFields(toLinkFacts(link), toLinkFacts(after), now);
}

function eventOf(before: OwnLink, { status }: LinkFields): LinkEvent {
  if (status === 'deleted') return 'link.deleted';
  return status === 'disabled' && before.status === 'active' ? 'link.disabled' : 'link.updated';
}
