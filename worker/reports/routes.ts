import { Hono, type Context } from 'hono';
import { analyticsExportQuery, analyticsQuery } from '#contract/reports/analytics.ts';
import { linkActivityQuery, type LinkActivityResponse } from '#contract/links/link-activity.ts';
import { planIncludes } from '#contract/plans/plan-features.ts';
import { periodOf } from '#contract/reports/ranges.ts';
import { timesQuery } from '#contract/reports/times.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { readQuery, requireMember } from '#worker/http/validate.ts';
import { buildFilteredReport, isInPlan } from './filtered-report.ts';
import { readLinkActivity } from './link-activity.ts';
import {
  buildReport,
  findVisibleLink,
  limitToPlan,
  planOfOwner,
  type VisibleLink,
} from './report.ts';
import { reportCsv } from './report-csv.ts';
import { reportETag } from './report-etag.ts';
import { readTimes } from './read-times.ts';

export const analyticsRoutes = new Hono<ApiEnv>();

analyticsRoutes.get('/analytics/:code', async (c) => {
  const query = readQuery(c, analyticsQuery);
  const now = c.get('now');
  const found = await findLinkOrThrow(c, c.req.param('code'));
  const filters = [query.filter ?? null, query.and ?? null].filter((filter) => filter !== null);
  if (filters.some((filter) => !isInPlan(planOfOwner(found, now), filter)))
    throw apiError('premium_filter');
  const options = { period: periodOf(query, now), origins: c.get('origins'), now };
  // The ETag is read before the report: a click in between makes the report newer than its ETag,
  // never older.
  const etag = reportETag(found, options.period, filters, now);
  c.header('ETag', etag);
  if (matchesETag(c.req.header('If-None-Match'), etag)) return c.body(null, 304);
  if (filters.length > 0)
    return c.json((await buildFilteredReport(c.get('db'), found, filters, options)).report);
  return c.json(limitToPlan((await buildReport(c.get('db'), found, options)).report));
});

analyticsRoutes.get('/analytics/:code/times', async (c) => {
  const { tz, ...query } = readQuery(c, timesQuery);
  const now = c.get('now');
  const found = await findLinkOrThrow(c, c.req.param('code'));
  if (!planIncludes(planOfOwner(found, now), 'advancedAnalytics')) throw apiError('premium_times');
  return c.json(await readTimes(c.get('db'), found, periodOf(query, now), { timeZone: tz, now }));
});

analyticsRoutes.get('/analytics/:code/export', async (c) => {
  const { format, ...query } = readQuery(c, analyticsExportQuery);
  await rateLimit(c.env.LIMIT_VISITOR_LINKS, `export:${requireMember(c).id}`);
  const now = c.get('now');
  const found = await findLinkOrThrow(c, c.req.param('code'));
  if (!planIncludes(planOfOwner(found, now), 'advancedAnalytics')) throw apiError('premium_export');
  const options = { period: periodOf(query, now), origins: c.get('origins'), now };
  const { report } = await buildReport(c.get('db'), found, options);
  c.header('Content-Disposition', `attachment; filename="analytics.${format}"`);
  if (format === 'json') return c.json(report);
  return c.body(reportCsv(report), 200, { 'Content-Type': 'text/csv; charset=utf-8' });
});

analyticsRoutes.get('/link-activity', async (c) => {
  const { ids } = readQuery(c, linkActivityQuery);
  const { id: userId } = requireMember(c);
  const links = await readLinkActivity(c.get('db'), userId, ids, c.get('now'));
  return c.json({
    links: links.map(({ lastClickAt: at, ...activity }) =>
      Object.assign(activity, { lastClickAt: at === null ? null : new Date(at).toISOString() }),
    ),
  } satisfies LinkActivityResponse);
});

async function findLinkOrThrow(c: Context<ApiEnv>, code: string): Promise<VisibleLink> {
  const found = await findVisibleLink(c.get('db'), code, requireMember(c));
  if (found === undefined) throw apiError('not_own_link');
  return found;
}

/**
 * Whether `If-None-Match` lists this ETag. Proxies may have weakened it, so a `W/` prefix is
 * ignored (RFC 9110 §13.1.2).
 */
function matchesETag(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
