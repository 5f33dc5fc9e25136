import { Hono } from 'hono';
import { analyticsQuery } from '#contract/analytics.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { requireMember, readQuery } from '#worker/http/validate.ts';
import { findReported, makeReport, reportTag } from './report.ts';

export const analyticsRoutes = new Hono<ApiEnv>();

analyticsRoutes.get('/analytics/:code', async (c) => {
  const { range } = readQuery(c, analyticsQuery);
  const now = c.get('now');
  const found = await findReported(c.get('db'), c.req.param('code'), requireMember(c));
  if (found === undefined) throw new ApiError('not_found', 'There is no such link among yours.');
  // The tag is read before the report: a click in between makes the report newer than its tag, never older.
  const tag = reportTag(found, range, now);
  c.header('ETag', tag);
  if (isKnown(c.req.header('If-None-Match'), tag)) return c.body(null, 304);
  const { report } = await makeReport(c.get('db'), found, range, c.get('origins').short, now);
  return c.json(report);
});

/** Whether the client has this version already. A proxy may have weakened the tag: `W/` does not matter here. */
function isKnown(header: string | undefined, tag: string): boolean {
  return (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
