import { Hono } from 'hono';
import { analyticsQuery } from '#contract/analytics.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { readQuery, requireMember } from '#worker/http/validate.ts';
import { buildReport, findVisibleLink, reportETag } from './report.ts';

export const analyticsRoutes = new Hono<ApiEnv>();

analyticsRoutes.get('/analytics/:code', async (c) => {
  const { range } = readQuery(c, analyticsQuery);
  const now = c.get('now');
  const found = await findVisibleLink(c.get('db'), c.req.param('code'), requireMember(c));
  if (found === undefined) throw new ApiError('not_found', "We couldn't find that link in your account.");
  // The ETag is read before the report: a click in between makes the report newer than its ETag, never older.
  const etag = reportETag(found, range, now);
  c.header('ETag', etag);
  if (matchesETag(c.req.header('If-None-Match'), etag)) return c.body(null, 304);
  const { report } = await buildReport(c.get('db'), found, range, c.get('origins').short, now);
  return c.json(report);
});

/** Whether `If-None-Match` lists this ETag. Proxies may have weakened it, so a `W/` prefix is ignored (RFC 9110 §13.1.2). */
function matchesETag(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
