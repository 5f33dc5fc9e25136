import { Hono, type Context } from 'hono';
import { analyticsExportQuery, analyticsQuery, overviewQuery } from '#contract/analytics.ts';
import { linkActivityQuery, type LinkActivityResponse } from '#contract/link-activity.ts';
import { planIncludes } from '#contract/plan-features.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { readQuery, requireMember } from '#worker/http/validate.ts';
import { buildOverview } from './account-overview.ts';
import { buildFilteredReport, isInPlan } from './filtered-report.ts';
import { readLinkActivity } from './link-activity.ts';
import {
  buildReport,
  findVisibleLink,
  limitToPlan,
  planOfOwner,
  reportETag,
  type VisibleLink,
} from './report.ts';
import { reportCsv } from './report-csv.ts';

export const analyticsRoutes = new Hono<ApiEnv>();

analyticsRoutes.get('/analytics', async (c) => {
  const { range } = readQuery(c, overviewQuery);
  const { id } = requireMember(c);
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  const request = {
    userId: id,
    range,
    shortOrigin: c.get('origins').short,
    now: c.get('now'),
    waitUntil,
  };
  return c.json(await buildOverview(c.get('db'), request));
});

analyticsRoutes.get('/analytics/:code', async (c) => {
  const { range, filter = null } = readQuery(c, analyticsQuery);
  const now = c.get('now');
  const found = await findLinkOrThrow(c, c.req.param('code'));
  if (filter !== null && !isInPlan(planOfOwner(found, now), filter))
    throw apiError('premium_filter');
  // The ETag is read before the report: a click in between makes the report newer than its ETag,
  // never older.
  const etag = reportETag(found, range, filter, now);
  c.header('ETag', etag);
  if (matchesETag(c.req.header('If-None-Match'), etag)) return c.body(null, 304);
  const { short } = c.get('origins');
  if (filter !== null)
    return c.json(
      (await buildFilteredReport(c.get('db'), found, range, filter, short, now)).report,
    );
  return c.json(limitToPlan((await buildReport(c.get('db'), found, range, short, now)).report));
});

analyticsRoutes.get('/analytics/:code/export', async (c) => {
  const { range, format } = readQuery(c, analyticsExportQuery);
  await rateLimit(c.env.LIMIT_VISITOR_LINKS, `export:${requireMember(c).id}`);
  const now = c.get('now');
  const found = await findLinkOrThrow(c, c.req.param('code'));
  if (!planIncludes(planOfOwner(found, now), 'advancedAnalytics')) throw apiError('premium_export');
  const { report } = await buildReport(c.get('db'), found, range, c.get('origins').short, now);
  c.header('Content-Disposition', `attachment; filename="analytics.${format}"`);
  if (format === 'json') return c.json(report);
  return c.body(reportCsv(report), 200, { 'Content-Type': 'text/csv; charset=utf-8' });
});

analyticsRoutes.get('/link-activity', async (c) => {
  const { ids } = readQuery(c, linkActivityQuery);
  const { id: userId } = requireMember(c);
  const links = await readLinkActivity(c.get('db'), userId, ids, c.get('now'));
  const response: LinkActivityResponse = {
    links: links.map(({ id, clicks, days, lastClickAt }) => ({
      id,
      clicks,
      days,
      last_click: lastClickAt === null ? null : new Date(lastClickAt).toISOString(),
    })),
  };
  return c.json(response);
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
