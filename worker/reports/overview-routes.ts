import { Hono, type Context } from 'hono';
import {
  compareQuery,
  liveClicksQuery,
  overviewExportQuery,
  overviewQuery,
  overviewTimesQuery,
} from '#contract/reports/overview.ts';
import { oldestDayKept, utcDate } from '#contract/reports/periods.ts';
import { planIncludes } from '#contract/plans/plan-features.ts';
import { periodOf, type RangeQuery } from '#contract/reports/ranges.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { readQuery, requireMember } from '#worker/http/validate.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import { buildOverview, type OverviewOptions } from './account-overview.ts';
import { isLimited, type Chosen } from './chosen-days.ts';
import { compareClicks } from './compare-clicks.ts';
import { readLiveClicks } from './live-clicks.ts';
import { overviewCsv } from './report-csv.ts';
import { readAccountTimes } from './read-times.ts';

/** The reports on all links of a member. */
export const overviewRoutes = new Hono<ApiEnv>();

overviewRoutes.get('/analytics', async (c) => {
  const options = await toOptions(c, readQuery(c, overviewQuery));
  return c.json(await buildOverview(c.get('db'), options));
});

overviewRoutes.get('/overview/clicks', async (c) => {
  const { id: userId } = requireMember(c);
  await rateLimit(c.env.LIMIT_MISSES, `live:${userId}`);
  const { domain = null } = readQuery(c, liveClicksQuery);
  const options = { userId, domain, origins: c.get('origins'), now: c.get('now') };
  return c.json(await readLiveClicks(c.get('db'), options));
});

overviewRoutes.get('/overview/times', async (c) => {
  const { tz, ...query } = readQuery(c, overviewTimesQuery);
  await requireAdvanced(c, 'premium_times');
  return c.json(await readAccountTimes(c.get('db'), await toOptions(c, query), tz));
});

overviewRoutes.get('/overview/export', async (c) => {
  const { format, ...query } = readQuery(c, overviewExportQuery);
  await rateLimit(c.env.LIMIT_VISITOR_LINKS, `export:${requireMember(c).id}`);
  await requireAdvanced(c, 'premium_export');
  const overview = await buildOverview(c.get('db'), await toOptions(c, query));
  c.header('Content-Disposition', `attachment; filename="overview.${format}"`);
  if (format === 'json') return c.json(overview);
  return c.body(overviewCsv(overview), 200, { 'Content-Type': 'text/csv; charset=utf-8' });
});

overviewRoutes.get('/overview/compare', async (c) => {
  const { links, tags = [], ...query } = readQuery(c, compareQuery);
  const { id: userId } = requireMember(c);
  await limitReads(c);
  const now = c.get('now');
  const compared = links === undefined ? { tags } : { links };
  const { domains } = c.get('origins');
  const options = { userId, domains, period: periodOf(query, now), now };
  const result = await compareClicks(c.get('db'), compared, options);
  if (!result.ok) throw apiError(result.reason, { detail: utcDate(oldestDayKept(now)) });
  return c.json(result.body);
});

async function toOptions(
  c: Context<ApiEnv>,
  query: RangeQuery & { [Name in keyof Chosen]?: string | undefined },
): Promise<OverviewOptions> {
  const now = c.get('now');
  const { tag = null, host = null, domain = null } = query;
  const chosen: Chosen = { tag, host, domain };
  if (isLimited(chosen)) await limitReads(c);
  return {
    ...chosen,
    userId: requireMember(c).id,
    period: periodOf(query, now),
    origins: c.get('origins'),
    now,
    waitUntil: (work) => c.executionCtx.waitUntil(work),
  };
}

/** Reports that read links one by one read up to 200,000 rows. */
const limitReads = (c: Context<ApiEnv>): Promise<void> =>
  rateLimit(c.env.LIMIT_MISSES, `clicks:${requireMember(c).id}`);

async function requireAdvanced(
  c: Context<ApiEnv>,
  reason: 'premium_times' | 'premium_export',
): Promise<void> {
  const plan = await readPlan(c.get('db'), requireMember(c).id, c.get('now'));
  if (!planIncludes(plan, 'advancedAnalytics')) throw apiError(reason);
}
