import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import { SETTING_NAMES } from '#contract/link-settings.ts';
import type { LinkEvent } from '#contract/webhooks.ts';
import { askAgain, moveReports } from '#worker/safety/follow-reports.ts';
import { runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import type { InsertGuard } from '#worker/http/idempotency.ts';
import { namesOfColumns, toColumnValues } from '#worker/db/link-settings.ts';
import { hasKey, hasOneKey, isAliasLike } from '#worker/db/has-key.ts';
import { link_outbox, links } from '#worker/db/schema-links.ts';
import { shardOfNewLink } from '#worker/db/shards.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { insertClaims } from './claim-links.ts';
import { recordChange } from '#worker/links/read/link-history.ts';
import { indexNewLinks, tagNewLinks } from './link-details.ts';
import {
  areReleasable,
  releaseCodes,
  removeFromOutbox,
  type FormerLink,
} from '#worker/edge/former-link.ts';
import {
  afterChange,
  CHANGED_TOO_OFTEN,
  countAgainstDay,
  dayLimitError,
  hasRoom,
  mayChangeAgain,
  readRoom,
  type ChangeLimitError,
} from './change-allowance.ts';
import type { TakeAllowance } from './link-allowance.ts';
import { idOfCode } from '#worker/edge/earlier-codes.ts';
import { addToOutbox, isChangedAt } from '#worker/edge/outbox.ts';
import { recordKeyAction } from './record-key-action.ts';
import {
  changedSettings,
  pickSettings,
  PUBLISHED,
  type PublishedSettings,
} from '#worker/links/settings/link-settings.ts';
import type { LinkActor, OwnLink } from '#worker/links/read/own-link.ts';
import {
  freeCode,
  isFree,
  keepCode,
  mayTakeCode,
  settleFormer,
  type Rename,
} from './rename-link.ts';
import { isSpelledAlike } from '#worker/edge/spelled-alike.ts';
import type { NewLink } from './new-link.ts';
import { textOfWords } from '#worker/links/words/words.ts';

/**
 * `ids` maps codes to link ids. `allowance` is the row that the allowance's statements returned.
 */
export type InsertResult =
  | { ok: true; ids: ReadonlyMap<string, number>; allowance: Record<string, unknown> | undefined }
  | { ok: false; reason: 'allowance_used_up' | 'code_taken' };

/**
 * Inserts links with their words and charges an allowance, in one atomic batch, so that a taken
 * code costs nothing. `code_taken` also means a taken external id. `guard` belongs to the
 * idempotent request or the import that creates the links: nothing is inserted unless its
 * `mayInsert` is true, and its `record` statement runs in the same batch.
 */
export async function insertLinks(
  db: Db,
  newLinks: readonly NewLink[],
  take: TakeAllowance,
  now: number,
  guard: InsertGuard | null = null,
): Promise<InsertResult> {
  if (new Set(newLinks.map(({ code }) => code)).size < newLinks.length)
    return { ok: false, reason: 'code_taken' };
  const formers = newLinks.flatMap(({ former }) => former ?? []);
  const areFree = sql`${codesAreFree(newLinks, formers)}${externalIdsAreFree(newLinks)} and ${guard?.mayInsert ?? sql`1`}`;
  const canInsert = formers.length === 0 ? areFree : sql`${areFree} and ${areReleasable(formers)}`;
  const rows = JSON.stringify(
    newLinks.map((link) => ({
      ...link,
      shard: shardOfNewLink(db, link.code),
      words: link.words && textOfWords(link.words),
    })),
  );
  const userId = newLinks[0]?.userId ?? null;
  const { statements, isTaken } = take(newLinks.length, canInsert);
  const { allowance, inserted } = await runNamedBatch(db, {
    allowance: statements,
    released: formers.length === 0 ? [] : [releaseCodes(formers, now, isTaken)],
    inserted: sql<{ id: number; code: string }>`insert into ${links}
        (code, is_alias, target, target_host, user_id, external_id, recheck_at, shard, ${namesOfColumns(SETTING_NAMES)}, version,
        created_at, updated_at, status, disabled_by, imported_clicks, imported_from, imported_at, words)
      select value ->> 'code', value ->> 'isAlias', value ->> 'target', value ->> 'targetHost', value ->> 'userId',
        value ->> 'externalId', value ->> 'recheckAt', value ->> 'shard', ${SETTING_VALUES},
        coalesce(value ->> '$.former.version', 0) + 1,
        coalesce(value ->> '$.imported.createdAt', ${now}), ${now}, coalesce(value ->> '$.imported.status', 'active'), value ->> '$.imported.disabledBy',
        value ->> '$.imported.clicks', value ->> '$.imported.from', value ->> '$.imported.at', value ->> 'words'
      from json_each(${rows}) where ${isTaken} returning id, code`,
    // Only codes of deleted links are queued. Any other new code has no record in KV yet, so
    // redirects read it from D1.
    queued: formers.length === 0 ? [] : [queueFirst(rows, isTaken, now)],
    claims: insertClaims(newLinks, now, isTaken),
    guard: guard === null ? [] : [guard.record(newLinks, isTaken)],
    events:
      userId === null
        ? []
        : recordLinkEvents('link.created', sql`${haveCodes(rows)} and ${isTaken}`, now),
    unqueued: formers.length === 0 ? [] : [removeFromOutbox(formers)],
    tagged: tagNewLinks(newLinks, now),
    indexed: indexNewLinks(newLinks, now),
    reports: formers.length === 0 ? [] : [moveReports(formers)],
    asked: formers.length === 0 ? [] : askAgain(haveCodes(rows), now),
  });
  if (inserted.rows.length > 0)
    return {
      ok: true,
      ids: new Map(inserted.rows.map(({ id, code }) => [code, id])),
      allowance: allowance.rows.at(-1),
    };
  return { ok: false, reason: allowance.rows.length > 0 ? 'code_taken' : 'allowance_used_up' };
}

const SETTING_VALUES = sql.raw(SETTING_NAMES.map((name) => `value ->> '${name}'`).join(', '));

const haveCodes = (rows: string): SQL =>
  hasOneKey(sql`(select value ->> 'code' from json_each(${rows}))`);

/**
 * Returns the statement that adds new links to the outbox if deleted links had their codes before,
 * because KV still holds the records of those.
 */
const queueFirst = (
  rows: string,
  when: SQL,
  now: number,
): SQL => sql`insert into ${link_outbox} (link_id, version, queued_at)
  select id, version, ${now} from ${links}
  where ${when} and version > 1 and ${haveCodes(rows)}`;

/**
 * True in SQL while no link outside `formers` has one of these codes, an alias that equals one of
 * them ignoring case, or a code that equals one of these aliases ignoring case.
 */
function codesAreFree(newLinks: readonly NewLink[], formers: readonly FormerLink[]): SQL {
  const codes = JSON.stringify(newLinks.map(({ code }) => code));
  const aliases = JSON.stringify(newLinks.filter(({ isAlias }) => isAlias).map(({ code }) => code));
  const isOther = sql`id not in (select value from json_each(${JSON.stringify(formers.map(({ id }) => id))}))`;
  // CROSS JOIN keeps SQLite from scanning `links`: for each code it looks the link up in an index.
  return sql`(not exists (select 1 from json_each(${codes}) as item cross join ${links} as link
      on ${hasKey(sql`item.value`, 'link')} and link.${isOther})
    and not exists (select 1 from json_each(${codes}) as item cross join ${links} as link
      on ${isAliasLike(sql`item.value`, 'link')} and link.${isOther})
    and not exists (select 1 from json_each(${aliases}) as item where ${isSpelledAlike(sql`item.value`, sql`spelled.${isOther}`)}))`;
}

/**
 * Returns the end of an SQL condition, starting with `and`: no other link of the owner has one of
 * these external ids. Returns empty SQL for links without external ids.
 */
function externalIdsAreFree(newLinks: readonly NewLink[]): SQL {
  const ids = newLinks.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]));
  if (ids.length === 0) return sql``;
  return sql` and not exists (select 1 from json_each(${JSON.stringify(ids)}) as item cross join ${links} as link
    on link.user_id = ${newLinks[0]?.userId ?? null} and link.external_id = item.value and link.status <> 'deleted')`;
}

/**
 * Returns which of these aliases any link uses, and which of these external ids another link of the
 * member uses.
 */
export async function findTaken(
  db: Db,
  userId: string,
  aliases: readonly string[],
  externalIds: readonly string[],
): Promise<{ aliases: ReadonlySet<string>; externalIds: ReadonlySet<string> }> {
  const rows = await db.all<{ kind: 'alias' | 'external'; value: string }>(
    sql`select 'alias' as kind, item.value from json_each(${JSON.stringify(aliases)}) as item
      where exists (select 1 from ${links} as link where ${hasKey(sql`item.value`, 'link')})
        or exists (select 1 from ${links} as link
          where ${isAliasLike(sql`item.value`, 'link')})
        or ${isSpelledAlike(sql`item.value`, sql`1`)}
      union all select 'external', item.value from json_each(${JSON.stringify(externalIds)}) as item
      cross join ${links} as link on link.user_id = ${userId} and link.external_id = item.value and link.status <> 'deleted'`,
  );
  const valuesOf = (kind: string) =>
    new Set(rows.filter((row) => row.kind === kind).map(({ value }) => value));
  return { aliases: valuesOf('alias'), externalIds: valuesOf('external') };
}

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
  const { userId } = actor;
  const newCodes = rename?.isNew === true ? 1 : 0;
  const cost = 1 + link.earlierCodes.length + newCodes;
  const stops = isStop(link, fields, rename);
  const mayChange = stops
    ? sql`1`
    : sql`${hasRoom('linkChanges', userId, cost, now)} and ${hasRoom('renames', userId, newCodes, now)} and ${mayChangeAgain(now)}`;
  const mayRename = rename === null ? sql`1` : mayTakeCode(link, rename);
  const isAtVersion = sql`${links.id} = ${link.id} and ${links.version} = ${link.version}
    and ${hasNoOther(userId, link, fields)} and ${mayChange}`;
  const isCurrent = sql`${isAtVersion} and ${mayRename}`;
  const version = nextVersion(link, rename);
  const former = rename?.former ?? null;
  const isDone = sql`exists (select 1 from ${links} where ${links.id} = ${link.id} and ${isChangeWritten(link, rename, now)})`;
  const { state, updated } = await runNamedBatch(db, {
    state: sql<State>`select ${mayChangeAgain(now)} as may_change_again,
      (select json_object('used', used, 'limit', "limit") from (${readRoom('linkChanges', userId, now)})) as changes,
      (select json_object('used', used, 'limit', "limit") from (${readRoom('renames', userId, now)})) as renames
      from ${links} where ${links.id} = ${link.id}`,
    recorded: recordChange(isCurrent, actor.keyName ?? '', now),
    freed: rename === null ? [] : freeCode(link, rename, isCurrent, now),
    updated: db
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
        version,
        updated_at: now,
        changes_until: afterChange(now),
      })
      // `mayTakeCode` would be false here, because the deleted link has released the code earlier
      // in this batch.
      .where(rename === null ? isAtVersion : and(isAtVersion, isFree(link, rename))),
    kept: rename === null ? [] : [keepCode(link, rename, version, now, isDone)],
    events: recordLinkEvents(
      eventOf(link, fields),
      sql`${links.id} = ${link.id} and ${links.version} = ${version} and ${isChangedAt(now)}`,
      now,
    ),
    queued: addToOutbox(db, eq(links.id, link.id), now),
    alongside,
    record: recordKeyAction(
      db,
      link,
      { ...fields, code: rename?.code ?? link.code, version },
      { actor, now },
    ),
    settled: rename === null ? [] : settleFormer(rename),
    reports: former === null ? [] : [moveReports([former])],
    asked:
      fields.target === link.target && former === null
        ? []
        : askAgain(sql`${links.id} = ${link.id}`, now),
    counted: countAgainstDay('linkChanges', userId, cost, isDone, now),
    countedCodes: newCodes === 0 ? [] : [countAgainstDay('renames', userId, newCodes, isDone, now)],
  });
  if (updated.changes === 1) return 'changed';
  const [before] = state.rows;
  if (stops || before === undefined) return 'stale';
  if (before.may_change_again === 0) return CHANGED_TOO_OFTEN;
  return (
    dayLimitError('renames', JSON.parse(before.renames), newCodes) ??
    dayLimitError('linkChanges', JSON.parse(before.changes), cost) ??
    'stale'
  );
}

/**
 * True if a change deletes a link, or disables it and publishes nothing else. A change that does
 * more is limited as usual.
 */
const isStop = (link: OwnLink, fields: LinkFields, rename: Rename | null): boolean =>
  fields.status === 'deleted' ||
  (link.status === 'active' &&
    fields.status === 'disabled' &&
    rename === null &&
    fields.target === link.target &&
    fields.externalId === link.externalId &&
    changedSettings(link, fields, PUBLISHED).length === 0);

/** The limits before a change. `changes` and `renames` are each a `Room` as JSON. */
type State = { may_change_again: number; changes: string; renames: string };

/** True in SQL while no other link of the member has the external id that this one gets. */
function hasNoOther(userId: string, link: OwnLink, { externalId }: LinkFields): SQL {
  if (externalId === null || externalId === link.externalId) return sql`1`;
  return sql`not exists (select 1 from ${links} as other where other.user_id = ${userId}
    and other.external_id = ${externalId} and other.status <> 'deleted')`;
}

function eventOf(before: OwnLink, { status }: LinkFields): LinkEvent {
  if (status === 'deleted') return 'link.deleted';
  return status === 'disabled' && before.status === 'active' ? 'link.disabled' : 'link.updated';
}

/** True if a link that has or had this code exists and is not deleted. */
export async function codeExists(db: Db, code: string): Promise<boolean> {
  const row = await db
    .select({ id: links.id })
    .from(links)
    .where(and(eq(links.id, idOfCode(code)), ne(links.status, 'deleted')))
    .get();
  return row !== undefined;
}
