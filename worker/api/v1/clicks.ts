import { Hono, type Context } from 'hono';
import { planIncludes } from '#contract/plans/plan-features.ts';
import { dayNumber, oldestDayKept, utcDate } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import {
  CLICK_FILTERS,
  clicksQuery,
  endDayOf,
  startDayOf,
  type ClicksQuery,
  type ClicksReport,
} from '#contract/v1/v1-clicks.ts';
import { domainIdsOf } from '#worker/db/domain-names.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import { readQuery, requireKey } from '#worker/http/validate.ts';
import { readOwnLinks } from '#worker/links/read/own-link.ts';
import { queryClicks, type Entry } from '#worker/reports/query-clicks.ts';
import { idsOfTags, listTags } from '#worker/tags/tags.ts';
import { notFound } from './link-json.ts';

type C = Context<ApiEnv>;
type Item = ClicksReport['data'][number];

const DEFAULT_DAYS = 30;
/** The filters and groups that every plan has. The others are advanced analytics. */
const BASIC: ReadonlySet<string> = new Set(['link', 'tag', 'day', 'month', 'country', 'device']);

export const clicksV1 = new Hono<ApiEnv>();

clicksV1.get('/analytics/clicks', async (c) => {
  const query = readQuery(c, clicksQuery);
  const { userId, codePrefix } = requireKey(c);
  checkRights(c, query);
  // A question reads up to 200,000 rows.
  await rateLimit(c.env.LIMIT_MISSES, `clicks:${userId}`);
  const now = c.get('now');
  const { groupBy, interval = null, tag, domain, limit } = query;
  const result = await queryClicks(c.get('db'), {
    userId,
    codePrefix,
    ids: await readIds(c, query.linkIds),
    host: null,
    domains: domain === undefined ? null : domainIdsOf(requireKey(c).domains, domain),
    tagIds: tag === undefined ? null : idsOfTags(await listTags(c.get('db'), userId), [tag]),
    groupBy,
    interval,
    filters: Object.fromEntries(CLICK_FILTERS.map((name) => [name, query[name]])),
    wanted: daysOf(query, now),
    now,
  });
  if (!result.ok) throw apiError(result.reason, { detail: utcDate(oldestDayKept(now)) });
  const { days, shortenedBy, totals, entries } = result;
  const isByTime = groupBy === 'day' || groupBy === 'month';
  const listed = isByTime ? entries : entries.slice(0, limit);
  return c.json({
    groupBy,
    period: { start: utcDate(days.first * DAY_MS), end: utcDate(days.last * DAY_MS) },
    shortenedBy,
    totals,
    groups: entries.length,
    data: groupBy === 'link' ? await toLinkItems(c, listed) : listed.map((entry) => toItem(entry)),
    generatedAt: new Date(now).toISOString(),
  } satisfies ClicksReport);
});

/** Throws 402 for what the plan does not include, and 403 for tags of a key with a code prefix. */
function checkRights(c: C, query: ClicksQuery): void {
  const { plan, codePrefix } = requireKey(c);
  const used = CLICK_FILTERS.filter((name) => query[name] !== undefined);
  if (!planIncludes(plan, 'advancedAnalytics')) {
    const advanced = used.find((name) => !BASIC.has(name));
    const detail = BASIC.has(query.groupBy) ? advanced : 'groupBy';
    if (detail !== undefined) throw apiError('advanced_analytics', { detail });
  }
  if (codePrefix !== '' && query.groupBy === 'tag') throw apiError('tags_with_prefix');
}

function daysOf({ start, end }: ClicksQuery, now: number) {
  const last = Math.min(
    end === undefined ? Number.POSITIVE_INFINITY : endDayOf(end),
    dayNumber(now),
  );
  const first = start === undefined ? last - DEFAULT_DAYS + 1 : startDayOf(start);
  if (first > last) throw apiError('period_backwards');
  return { first, last };
}

/** The ids of the links that the request names. Throws 404 unless the key may see each of them. */
async function readIds(c: C, text: string | undefined): Promise<number[] | null> {
  if (text === undefined) return null;
  const { userId, codePrefix, linkIds } = requireKey(c);
  const ids = [...new Set(text.split(',').map((id) => linkIds.read(id)))];
  const own = await readOwnLinks(c.get('db'), userId, ids);
  const seen = own.filter(({ code }) => code.startsWith(codePrefix));
  if (seen.length < ids.length) throw notFound(c);
  return ids;
}

async function toLinkItems(c: C, entries: readonly Entry[]): Promise<Item[]> {
  const { userId, linkIds } = requireKey(c);
  const ids = entries.map(({ key }) => Number(key));
  const links = await readOwnLinks(c.get('db'), userId, ids);
  const codes = new Map(links.map(({ id, code }) => [id, code]));
  // A link that was deleted in the meantime has no code any more.
  return entries.map((entry, at) => {
    const id = ids[at] ?? 0;
    const code = codes.get(id);
    const shortUrl = code === undefined ? null : shortUrlOf(c.get('origins'), code);
    return toItem(entry, { value: code ?? '', linkId: linkIds.show(id), shortUrl });
  });
}

const toItem = (
  { key, clicks, visitors, series }: Entry,
  link: Pick<Item, 'value' | 'linkId' | 'shortUrl'> = { value: key, linkId: null, shortUrl: null },
): Item => ({
  ...link,
  clicks,
  visitors,
  series:
    series?.map(({ at, ...figures }) => ({ start: new Date(at).toISOString(), ...figures })) ??
    null,
});
