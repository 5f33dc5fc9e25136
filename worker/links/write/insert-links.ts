import { sql, type SQL } from 'drizzle-orm';
import { splitKey, type DomainId } from '#contract/codes/domain-key.ts';
import { jsonList, jsonRows, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { hasOneKey, link_outbox, links } from '#worker/db/schema-links.ts';
import { toColumnValues } from '#worker/db/link-settings.ts';
import { shardOfNewLink } from '#worker/db/shards.ts';
import { areOwnDomains, mayUseDomains } from '#worker/domains/usable-domain.ts';
import { takeOverCodes, type FormerLink } from '#worker/edge/former-link.ts';
import { isTaken } from '#worker/edge/taken-codes.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import type { InsertGuard } from '#worker/http/idempotency.ts';
import { textOfWords } from '#worker/links/words/words.ts';
import { reopenReports, moveReports } from '#worker/safety/follow-reports.ts';
import { insertClaims } from './claim-links.ts';
import type { TakeAllowance } from './link-allowance.ts';
import {
  earlierCodesOf,
  insertDestinations,
  insertEarlierCodes,
  insertHistory,
  insertLinkTags,
  insertLinkWords,
} from './insert-parts.ts';
import type { NewLink } from './new-link.ts';

/**
 * `ids` maps codes to link ids. `allowance` is the row that the allowance's statements returned.
 */
export type InsertResult =
  | { ok: true; ids: ReadonlyMap<string, number>; allowance: Record<string, unknown> | undefined }
  | { ok: false; reason: 'allowance_used_up' | 'code_taken' };

/**
 * Inserts links with their words and charges an allowance, in one atomic batch, so that a taken code
 * costs nothing. `code_taken` also means a taken external id, or a domain that the member may no
 * longer use. `guard` belongs to the idempotent request or the import that creates the links:
 * nothing is inserted unless its `mayInsert` is true, and its `record` statement runs in the same
 * batch.
 */
export async function insertLinks(
  db: Db,
  newLinks: readonly NewLink[],
  { take, now, guard = null }: { take: TakeAllowance; now: number; guard?: InsertGuard | null },
): Promise<InsertResult> {
  const codes = newLinks.map(({ code }) => code);
  const earlier = newLinks.flatMap(earlierCodesOf);
  if (new Set(codes).size < codes.length) return { ok: false, reason: 'code_taken' };
  const formers = newLinks.flatMap(({ former }) => former ?? []);
  const reused = takeOverCodes(formers, now);
  const userId = newLinks[0]?.userId ?? null;
  const isOwned = userId !== null;
  const canInsert = sql`${codesAreFree([...newLinks, ...earlier.map(toAlias)], formers)} and ${reused.mayTake}
    and ${externalIdsAreFree(newLinks)} and ${mayUseDomains(domainsOf(codes), userId)}
    and ${areOwnDomains(domainsOf(earlier.map((code) => code.earlier)), userId)}
    and ${guard?.mayInsert ?? sql`1`}`;
  const { statements, isCharged } = take(newLinks.length, canInsert, movedAmong(newLinks));
  // Once the allowance is charged, the links with these codes are the new ones.
  const isNew = sql`${hasOneKey(jsonList(codes))} and ${isCharged}`;
  const { allowance, inserted } = await runNamedBatch(db, {
    allowance: statements,
    released: reused.release(isCharged),
    inserted: insertStatement(db, newLinks, now, isCharged),
    // Only codes of deleted links are queued. Any other new code has no record in KV yet, so
    // redirects read it from D1.
    queued: formers.length === 0 ? [] : queueReused(isNew, now),
    claims: insertClaims(newLinks, now, isCharged),
    guard: guard === null ? [] : guard.record(newLinks, isCharged),
    earlierCodes: insertEarlierCodes(newLinks, now, isCharged),
    history: insertHistory(newLinks, isCharged),
    destinations: insertDestinations(newLinks, isNew),
    tagged: insertLinkTags(newLinks, now),
    events: isOwned ? recordLinkEvents('link.created', isNew, now) : [],
    indexed: insertLinkWords(newLinks, now),
    settled: [...reused.settled, ...moveReports(formers)],
    reopened: formers.length === 0 ? [] : reopenReports(isNew, now),
  });
  if (inserted.rows.length > 0)
    return {
      ok: true,
      ids: new Map(inserted.rows.map(({ id, code }) => [code, id])),
      allowance: allowance.rows.at(-1),
    };
  return { ok: false, reason: allowance.rows.length > 0 ? 'code_taken' : 'allowance_used_up' };
}

const domainsOf = (codes: readonly string[]): DomainId[] =>
  codes.map((code) => splitKey(code).domain);

const toAlias = ({ earlier: code }: { earlier: string }) => ({ code, isAlias: true });

const movedAmong = (newLinks: readonly NewLink[]): number =>
  newLinks.filter(({ imported }) => imported?.isMoved === true).length;

function insertStatement(db: Db, newLinks: readonly NewLink[], now: number, when: SQL) {
  const rows = newLinks.map((link) => toRow(link, shardOfNewLink(db, link.code), now));
  const columns = Object.keys(rows[0] ?? {});
  return sql<{ id: number; code: string }>`insert into ${links} (${sql.raw(columns.join(', '))})
    select * from ${jsonRows(columns, rows)} where ${when} returning id, code`;
}

/** The values of a new link, by column. The version is above that of a deleted link's tombstone. */
const toRow = (link: NewLink, shard: number, now: number): Record<string, unknown> => ({
  code: link.code,
  is_alias: link.isAlias,
  target: link.target,
  target_host: link.targetHost,
  user_id: link.userId,
  external_id: link.externalId,
  recheck_at: link.recheckAt,
  shard,
  ...toColumnValues(link),
  limit_id: link.clickLimit === null ? '' : crypto.randomUUID(),
  version: (link.former?.version ?? 0) + 1,
  created_at: link.imported?.createdAt ?? now,
  updated_at: now,
  status: link.imported?.status ?? (link.enabled ? 'active' : 'disabled'),
  disabled_by: link.imported?.disabledBy ?? (link.enabled ? null : 'owner'),
  imported_clicks: link.imported?.clicks,
  imported_from: link.imported?.from,
  imported_at: link.imported?.at,
  words: link.words && textOfWords(link.words),
});

/**
 * Returns the statement that adds new links to the outbox if deleted links had their codes before,
 * because KV still holds the records of those.
 */
const queueReused = (when: SQL, now: number): SQL =>
  sql`insert into ${link_outbox} (link_id, version, queued_at)
    select id, version, ${now} from ${links} where version > 1 and ${when}`;

/** True in SQL while no link outside `formers` takes one of the codes. */
function codesAreFree(
  codes: readonly { code: string; isAlias: boolean }[],
  formers: readonly FormerLink[],
): SQL {
  const others = jsonList(formers.map(({ id }) => id));
  const isOther = (name: string): SQL => sql`${sql.raw(name)}.id not in ${others}`;
  return sql`not exists (select 1 from ${jsonRows(['code', 'isAlias'], codes)} as item
    where ${isTaken(sql`item.code`, isOther, sql`item.isAlias`)})`;
}

/** True in SQL while no other link of the owner has one of the external ids. */
function externalIdsAreFree(newLinks: readonly NewLink[]): SQL {
  const ids = newLinks.flatMap(({ externalId }) => externalId ?? []);
  if (ids.length === 0) return sql`1`;
  return sql`not exists (${linksWithExternalIds(newLinks[0]?.userId ?? null, ids)})`;
}

/** SQL for those of the external ids that a link of the member has. */
const linksWithExternalIds = (userId: string | null, externalIds: readonly string[]): SQL =>
  // CROSS JOIN keeps SQLite from scanning `links`: for each id it looks the link up in an index.
  sql`select 'external' as kind, item.value from ${jsonList(externalIds)} as item cross join ${links} as link
    on link.user_id = ${userId} and link.external_id = item.value and link.status <> 'deleted'`;

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
    sql`select 'alias' as kind, item.value from ${jsonList(aliases)} as item
      where ${isTaken(sql`item.value`, () => sql`1`)}
      union all ${linksWithExternalIds(userId, externalIds)}`,
  );
  const valuesOf = (kind: string) =>
    new Set(rows.filter((row) => row.kind === kind).map(({ value }) => value));
  return { aliases: valuesOf('alias'), externalIds: valuesOf('external') };
}
