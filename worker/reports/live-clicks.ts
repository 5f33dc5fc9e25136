import { sql, type SQL } from 'drizzle-orm';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { LIVE_ORDER_MAX_LINKS, RECENT_CLICKS_MAX } from '#contract/limits.ts';
import type { ShortOrigins } from '#worker/http/origins.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import {
  LIVE_CLICKS_MAX,
  LIVE_CLICKS_MINUTES,
  type LiveClick,
  type LiveClicksResponse,
} from '#contract/reports/live-clicks.ts';
import { planIncludes } from '#contract/plans/plan-features.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { selectClicksSince, type ClickOfLink } from '#worker/clicks/fold/recent-clicks.ts';
import { jsonList } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { domainIdsOf, nameDomains } from '#worker/db/domain-names.ts';
import { links } from '#worker/db/schema-links.ts';
import { openShard } from '#worker/db/shards.ts';
import { isLargeAccount } from '#worker/links/list/account-totals.ts';
import { idsOfSmallAccount } from '#worker/links/list/link-filters.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import { parsePlace, parseReferrer } from './panels.ts';

/**
 * How many of the last clicked links of a large account are read, by the hourly order. The newest
 * links are read as well, because that order lacks them.
 */
const CLICKED_LAST_MAX = 100;
const NEWEST_MAX = 50;
/** Up to this number of links, a response is so cheap that it may be asked for often. */
const FEW_LINKS = 100;
const REFRESH_SECONDS = { few: 5, many: 30 };

type Candidate = { id: number; shard: number; is_some: 0 | 1; is_chosen: 0 | 1 };

/** `domain` is the host of the links' domain, '' for the deployment's own; null for all links. */
type LiveOptions = { userId: string; domain: string | null; origins: ShortOrigins; now: number };

/**
 * Returns the clicks of the last minutes on a member's links, deleted ones left out. It reads three
 * rows for each of at most 2,000 links, or of 250 if the account has more; with a domain, four.
 * Links of a shard that cannot be read are left out.
 */
export async function readLiveClicks(
  db: Db,
  { userId, domain, origins, now }: LiveOptions,
): Promise<LiveClicksResponse> {
  const isAdvanced = planIncludes(await readPlan(db, userId, now), 'advancedAnalytics');
  const domains = domain === null ? null : domainIdsOf(origins.domains, domain);
  const candidates = await db.all<Candidate>(selectCandidates(db, userId, domains));
  const chosen = candidates.filter(({ is_chosen: is }) => is === 1);
  const since = now - LIVE_CLICKS_MINUTES * MINUTE_MS;
  const parts = await Promise.all(
    [...Map.groupBy(chosen, ({ shard }) => shard)].map(([shard, some]) =>
      readShard(db, shard, [...new Set(some.map(({ id }) => id))], since),
    ),
  );
  const all = parts.flatMap((clicks) => clicks ?? []).toSorted((a, b) => b.at - a.at);
  // A link keeps its newest clicks only.
  const isFull = [...Map.groupBy(all, ({ link }) => link).values()].some(
    (some) => some.length >= RECENT_CLICKS_MAX,
  );
  const isWhole =
    candidates.length <= LIVE_ORDER_MAX_LINKS && candidates.every(({ is_some: is }) => is === 0);
  const listed = all.slice(0, LIVE_CLICKS_MAX);
  const codes = await readCodes(db, listed);
  const named = await nameDomains(db, origins, codes.values());
  return {
    clicks: listed.map(({ link, at, place, ref }) => {
      const code = codes.get(link) ?? '';
      const click: LiveClick = {
        clickedAt: new Date(at).toISOString(),
        country: parsePlace(place).country,
        code,
        shortUrl: shortUrlOf(named, code),
      };
      if (isAdvanced) click.referrer = parseReferrer(ref);
      return click;
    }),
    complete: isWhole && !isFull && all.length <= LIVE_CLICKS_MAX && !parts.includes(null),
    refreshSeconds: candidates.length <= FEW_LINKS ? REFRESH_SECONDS.few : REFRESH_SECONDS.many,
  };
}

/** Selects all links of a small account, and some of a large one; null chooses all of these. */
function selectCandidates(db: Db, userId: string, domains: readonly DomainId[] | null): SQL {
  const all = (archived: boolean): SQL =>
    sql`select id, 0 as is_some from (${idsOfSmallAccount(userId, archived)})`;
  // The condition of the partial indexes must appear literally.
  const first = (index: string, archived: 0 | 1, order: string, max: number): SQL =>
    sql`select id, 1 as is_some from (
      select l.id from (select 1 where ${isLargeAccount(sql`${userId}`)})
      cross join ${links} l indexed by ${sql.raw(index)}
      where l.user_id = ${userId} and l.archived = ${archived} and status <> 'deleted'
      order by l.${sql.raw(order)} desc limit ${max})`;
  const clickedLast = (archived: 0 | 1): SQL =>
    first('links_listed_by_last_click', archived, 'ranked_last_click_at', CLICKED_LAST_MAX);
  const candidates = sql`${all(false)} union all ${all(true)}
    union all ${clickedLast(0)} union all ${clickedLast(1)}
    union all ${first('links_listed', 0, 'created_at', NEWEST_MAX)}`;
  // The indexes have neither shard nor domain; without these the links themselves are not read.
  if (db.$shards.others.size === 0 && domains === null)
    return sql`select id, 0 as shard, is_some, 1 as is_chosen from (${candidates})`;
  const isChosen = domains === null ? sql`1` : sql`l.domain_id in ${jsonList(domains)}`;
  return sql`select l.id, l.shard, j.is_some, ${isChosen} as is_chosen
    from (${candidates}) j cross join ${links} l on l.id = j.id`;
}

/** Reads the clicks since a time (ms) on these links. Returns null if the shard cannot be read. */
async function readShard(
  db: Db,
  shard: number,
  ids: readonly number[],
  since: number,
): Promise<ClickOfLink[] | null> {
  try {
    return await openShard(db, shard).all<ClickOfLink>(
      selectClicksSince(ids, since, LIVE_CLICKS_MAX + 1),
    );
  } catch (error) {
    if (shard === 0) throw error;
    logEvent('shard_not_read', { shard, ...errorFacts(error) });
    return null;
  }
}

async function readCodes(
  db: Db,
  clicks: readonly ClickOfLink[],
): Promise<ReadonlyMap<number, string>> {
  if (clicks.length === 0) return new Map();
  const ids = [...new Set(clicks.map(({ link }) => link))];
  const rows = await db.all<{ id: number; code: string }>(
    sql`select l.id, l.code from ${jsonList(ids)} j cross join ${links} l on l.id = j.value`,
  );
  return new Map(rows.map(({ id, code }) => [id, code]));
}
