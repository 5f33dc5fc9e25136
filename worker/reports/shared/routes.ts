import { Hono, type Context } from 'hono';
import {
  sharedReportChange,
  sharedReportInput,
  sharedReportRequest,
  type SharedReportsResponse,
} from '#contract/reports/shared-reports.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { networkOf, limitWrites, rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import {
  changeSharedReport,
  readSharedReports,
  shareReport,
} from '#worker/links/share/manage-shared.ts';
import { deleteSharedReport } from '#worker/links/share/shared-store.ts';
import { viewSharedReport } from './view-shared.ts';

export const sharedReportsRoutes = new Hono<ApiEnv>();

const memberOf = (c: Context<ApiEnv>, userId: string) => ({
  userId,
  appOrigin: c.get('origins').app,
  hashers: c.env.PASSWORD_HASHERS,
  now: c.get('now'),
});

sharedReportsRoutes.get('/shared-reports', async (c) => {
  const reports = await readSharedReports(c.get('db'), requireMember(c).id, c.get('now'));
  return c.json({ reports } satisfies SharedReportsResponse);
});

sharedReportsRoutes.post('/shared-reports', async (c) => {
  const input = readJson(c, sharedReportInput);
  const { id: userId } = await limitWrites(c);
  const member = memberOf(c, userId);
  const shared = await shareReport(c.get('db'), member, input);
  if (!shared.ok) throw apiError(shared.reason);
  return c.json(shared.report, 201);
});

sharedReportsRoutes.patch('/shared-reports/:id', async (c) => {
  const change = readJson(c, sharedReportChange);
  const { id: userId } = await limitWrites(c);
  const member = memberOf(c, userId);
  const changed = await changeSharedReport(c.get('db'), member, c.req.param('id'), change);
  if (!changed.ok) throw apiError(changed.reason);
  return c.json(changed.report);
});

sharedReportsRoutes.delete('/shared-reports/:id', async (c) => {
  const { id: userId } = await limitWrites(c);
  if (!(await deleteSharedReport(c.get('db'), userId, c.req.param('id'), c.get('now'))))
    throw apiError('not_own_shared_report');
  return c.json({ success: true });
});

sharedReportsRoutes.post('/shared-report', async (c) => {
  const request = readJson(c, sharedReportRequest);
  await rateLimitNetwork(c.env, c.env.LIMIT_READS, 'shared-report', c.req.raw);
  const viewer = {
    network: networkOf(c.req.raw),
    authSecret: authSecret(c.env),
    hashers: c.env.PASSWORD_HASHERS,
    origins: c.get('origins'),
    now: c.get('now'),
    waitUntil: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
  };
  const result = await viewSharedReport(c.get('db'), viewer, request);
  if (result.ok) return c.json(result.view);
  throw 'retryAfterMs' in result
    ? apiError(result.reason, { retryAfter: Math.ceil(result.retryAfterMs / 1000) })
    : apiError(result.reason);
});
