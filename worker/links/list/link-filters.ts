import { sql, type SQL } from 'drizzle-orm';
import { DEFAULT_DOMAIN, type DomainId } from '#contract/codes/domain-key.ts';
import { jsonList } from '#worker/db/batch.ts';
import type { Tag } from '#contract/links/tags.ts';
import type { HealthState } from '#contract/links/watch.ts';
import { hasHealth } from '#worker/db/link-health.ts';
import { isActive } from '#worker/db/link-status.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { link_imports } from '#worker/db/schema-link-imports.ts';
import { link_words, links } from '#worker/db/schema-links.ts';
import { LIVE_ORDER_MAX_LINKS } from '#contract/limits.ts';
import { isLargeAccount } from './account-totals.ts';
import type { LinkOrder } from './link-order.ts';
import { toWords } from '#worker/links/words/words.ts';

/** The filters of a member's list. Absent fields do not limit it. */
export type LinkFilters = {
  /** Each of them must begin a word of the code, the title, the target, the note or a tag. */
  words: readonly string[];
  codePrefix: string;
  archived: boolean;
  /** For links in the trash: `archived` and `status` do not apply. */
  isDeleted?: true | undefined;
  favorite?: boolean | undefined;
  tag?: string | undefined;
  status?: 'active' | 'disabled' | 'expired' | undefined;
  /** Only watched links whose destination was last found in this state. */
  health?: HealthState | undefined;
  /** Lower-case. */
  host?: string | undefined;
  domain?: DomainId | undefined;
  /** In ms. `createdAfter` is included, `createdBefore` is not. */
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
  minClicks?: number | undefined;
  maxClicks?: number | undefined;
  /** In ms: links without a click since then, also those without any. */
  lastClickBefore?: number | undefined;
  /** The id of an import: only the links that it created. */
  importId?: string | undefined;
};

export type FilterContext = { userId: string; tags: readonly Tag[]; now: number };

/**
 * True in SQL for links outside the trash. This is SQL text, because SQLite uses a partial index
 * only if its condition appears literally.
 */
const isInList = (userId: string, archived: boolean): SQL =>
  sql`${links}.user_id = ${userId} and ${links}.archived = ${archived ? 1 : 0} and ${links}.status <> 'deleted'`;

/** Names the index to read `links` by, because SQLite might choose one that reads more rows. */
const linksBy = (index: string): SQL => sql`${links} indexed by ${sql.raw(index)}`;

/**
 * True in SQL for the links that all filters accept; `keys` has the expressions that filters by
 * clicks compare. Callers select the links by id, so a unary plus keeps SQLite from using another
 * index.
 */
export function matches(
  filters: LinkFilters,
  { userId, tags, now }: FilterContext,
  keys: Pick<Readonly<Record<LinkOrder, SQL>>, 'clicks' | 'lastClickAt'>,
): SQL {
  const {
    codePrefix,
    archived,
    isDeleted,
    favorite,
    tag,
    status,
    health,
    host,
    domain,
    createdAfter,
    createdBefore,
    minClicks,
    maxClicks,
    lastClickBefore,
    importId,
  } = filters;
  const conditions = [
    sql`+${links}.user_id = ${userId}`,
    isDeleted === true
      ? sql`${links}.status = 'deleted'`
      : sql`+${links}.archived = ${archived ? 1 : 0} and ${links}.status <> 'deleted'`,
    ...filters.words.map(
      (word) =>
        sql`(instr(${links}.words, ${` ${word}`}) > 0 or ${hasTag(tagsWithWord(tags, word))})`,
    ),
    codePrefix === '' ? null : sql`substr(${links}.code, 1, ${codePrefix.length}) = ${codePrefix}`,
    favorite === undefined ? null : sql`${links}.favorite = ${favorite ? 1 : 0}`,
    tag === undefined ? null : hasTag(tagsNamed(tags, tag)),
    status === undefined ? null : hasStatus(status, now),
    health === undefined ? null : hasHealth(health),
    host === undefined ? null : sql`+${links}.target_host = ${host}`,
    domain === undefined ? null : sql`+${links}.domain_id = ${domain}`,
    createdAfter === undefined ? null : sql`${links}.created_at >= ${createdAfter}`,
    createdBefore === undefined ? null : sql`${links}.created_at < ${createdBefore}`,
    minClicks === undefined ? null : sql`${keys.clicks} >= ${minClicks}`,
    maxClicks === undefined ? null : sql`${keys.clicks} <= ${maxClicks}`,
    lastClickBefore === undefined ? null : sql`${keys.lastClickAt} < ${lastClickBefore}`,
    importId === undefined ? null : sql`${links}.id in (${idsOfImport(userId, importId)})`,
  ];
  return sql.join(
    conditions.filter((condition) => condition !== null),
    sql` and `,
  );
}

const idsOfImport = (userId: string, importId: string): SQL =>
  sql`select link_id as id from ${link_imports} where user_id = ${userId} and import_id = ${importId}`;

const hasTag = (ids: readonly number[]): SQL =>
  ids.length === 0
    ? sql`0`
    : sql`exists (select 1 from ${link_tags} where link_id = ${links}.id and tag_id in ${jsonList(ids)})`;

function hasStatus(status: 'active' | 'disabled' | 'expired', now: number): SQL {
  if (status === 'disabled') return sql`${links}.status = 'disabled'`;
  const endsAt = sql`coalesce(${links}.expires_at, ${now + 1})`;
  return sql`(${isActive()} and ${endsAt} ${sql.raw(status === 'active' ? '>' : '<=')} ${now})`;
}

const tagsNamed = (tags: readonly Tag[], name: string): number[] =>
  tags.flatMap((tag) => (tag.name.toLowerCase() === name.toLowerCase() ? [tag.id] : []));

const tagsWithWord = (tags: readonly Tag[], word: string): number[] =>
  tags.flatMap(({ id, name }) =>
    toWords(name).some((other) => other.startsWith(word)) ? [id] : [],
  );

/**
 * An index to read in the order of `key`: SQL for the `from` and `where` clauses, and the column
 * with the link's id.
 */
export type Source = { table: SQL; where: SQL; key: SQL; id: SQL };

const ORDER_INDEXES: Readonly<Record<LinkOrder, string>> = {
  createdAt: 'links_listed',
  clicks: 'links_listed_by_clicks',
  lastClickAt: 'links_listed_by_last_click',
  code: 'links_listed_by_code',
};

/**
 * Returns the index that has a member's links in this order, limited to the range that the filters
 * set for the order key.
 */
export function sourceInOrder(
  filters: LinkFilters,
  { userId, tags }: FilterContext,
  by: LinkOrder,
  key: SQL,
): Source {
  const { archived, tag, createdAfter, createdBefore, minClicks, maxClicks } = filters;
  const byIndex = (index: string, where: SQL): Source => ({
    table: linksBy(index),
    where: sql`${isInList(userId, archived)} and ${where}`,
    key,
    id: sql`${links}.id`,
  });
  if (by === 'clicks') return byIndex(ORDER_INDEXES.clicks, between(key, minClicks, maxClicks));
  if (by !== 'createdAt') return byIndex(ORDER_INDEXES[by], sql`1`);
  const last = createdBefore === undefined ? undefined : createdBefore - 1;
  const range = between(key, createdAfter, last);
  const [tagId] = tag === undefined ? [] : tagsNamed(tags, tag);
  if (tagId !== undefined) {
    const created = sql`${link_tags}.link_created_at`;
    return {
      table: sql`${link_tags} indexed by link_tags_by_tag`,
      where: sql`${link_tags}.tag_id = ${tagId} and ${between(created, createdAfter, last)}`,
      key: created,
      id: sql`${link_tags}.link_id`,
    };
  }
  const [indexed] = indexedFilters(filters);
  return indexed === undefined
    ? byIndex(ORDER_INDEXES.createdAt, range)
    : byIndex(indexed.index, sql`${indexed.where} and ${range}`);
}

/** Returns the filters that have an index of their links in the order of creation. */
function indexedFilters({
  status,
  favorite,
  health,
  host,
  domain = DEFAULT_DOMAIN,
}: LinkFilters): { index: string; where: SQL }[] {
  const indexed = [];
  if (status === 'disabled')
    indexed.push({ index: 'links_disabled', where: sql`${links}.status = 'disabled'` });
  if (favorite === true)
    indexed.push({ index: 'links_favorite', where: sql`${links}.favorite = 1` });
  if (health !== undefined)
    indexed.push({ index: 'links_watched', where: sql`${links}.watch <> 'off'` });
  if (host !== undefined)
    indexed.push({ index: 'links_listed_by_host', where: sql`${links}.target_host = ${host}` });
  // Links on the deployment's own short host are most links, so they have no index.
  if (domain !== DEFAULT_DOMAIN)
    indexed.push({
      index: 'links_listed_by_domain',
      where: sql`domain_id <> '' and ${links}.domain_id = ${domain}`,
    });
  return indexed;
}

/** True in SQL for keys in a range that includes both ends. */
function between(key: SQL, from: number | undefined, to: number | undefined): SQL {
  const lower = from === undefined ? sql`1` : sql`${key} >= ${from}`;
  return to === undefined ? lower : sql`${lower} and ${key} <= ${to}`;
}

/**
 * SQL for the ids of a member's links, at most LIVE_ORDER_MAX_LINKS + 1, or none if the account is
 * known to be large. That test is the outer table, because SQLite would repeat a condition for
 * every link.
 */
export const idsOfSmallAccount = (userId: string, archived: boolean): SQL =>
  sql`select ${links}.id as id from (select 1 where not ${isLargeAccount(sql`${userId}`)})
    cross join ${linksBy(ORDER_INDEXES.createdAt)} where ${isInList(userId, archived)} limit ${LIVE_ORDER_MAX_LINKS + 1}`;

/**
 * Returns SQL for each filter that an index can answer: the ids of its links, unordered. If one
 * filter has few links, only those need to be read.
 */
export function idsOfFilters(filters: LinkFilters, { userId, tags, now }: FilterContext): SQL[] {
  const {
    words,
    codePrefix,
    archived,
    tag,
    status,
    createdAfter,
    createdBefore,
    minClicks,
    maxClicks,
    importId,
  } = filters;
  const byIndex = (index: string, where: SQL): SQL =>
    sql`select ${links}.id as id from ${linksBy(index)} where ${isInList(userId, archived)} and ${where}`;
  const inTags = (ids: readonly number[]): SQL =>
    sql`select link_id as id from ${link_tags} where tag_id in ${jsonList(ids)}`;
  const sources = words.map(
    (
      word,
    ) => sql`select link_id as id from ${link_words} where user_id = ${userId} and word >= ${word} and word < ${after(word)}
      union all ${inTags(tagsWithWord(tags, word))}`,
  );
  if (tag !== undefined) sources.push(inTags(tagsNamed(tags, tag)));
  if (importId !== undefined) sources.push(idsOfImport(userId, importId));
  for (const { index, where } of indexedFilters(filters)) sources.push(byIndex(index, where));
  if (status === 'expired') {
    const hasEnded = sql`${links}.expires_at is not null and ${links}.expires_at <= ${now}`;
    const ended = (index: string, stored: SQL): SQL =>
      byIndex(index, sql`${links}.status = ${stored} and ${hasEnded}`);
    sources.push(sql`${ended('links_ending', sql`'active'`)}
      union all ${ended('links_ending_conditional', sql`'conditional'`)}
      union all ${ended('links_ending_guarded', sql`'guarded'`)}`);
  }
  if (createdAfter !== undefined || createdBefore !== undefined)
    sources.push(
      byIndex(
        ORDER_INDEXES.createdAt,
        between(sql`${links}.created_at`, createdAfter, createdBefore),
      ),
    );
  if (minClicks !== undefined || maxClicks !== undefined)
    sources.push(
      byIndex(ORDER_INDEXES.clicks, between(sql`${links}.ranked_clicks`, minClicks, maxClicks)),
    );
  if (codePrefix !== '')
    sources.push(
      sql`select ${links}.id as id from ${linksBy('links_by_code')}
        where ${links}.released_at is null and ${links}.code >= ${codePrefix} and ${links}.code < ${after(codePrefix)}`,
    );
  return sources;
}

/** The first text after all texts that start with `prefix`. */
const after = (prefix: string): string => `${prefix}\u{10FFFF}`;
