import { Hono, type Context } from 'hono';
import {
  blocklistImport,
  blocklistQuery,
  moderationAction,
  reportDecision,
  reportRequest,
  reportsQuery,
  type BlocklistImportResponse,
} from '#contract/moderation/abuse.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { previewKey } from '#worker/http/cache-keys.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { secondsToNextDay } from '#worker/http/allowances.ts';
import { evict } from '#worker/http/edge-cache.ts';
import { apiError } from '#worker/http/errors.ts';
import { rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { idParam, readJson, readQuery, requireMember } from '#worker/http/validate.ts';
import { publishHostsLater } from '#worker/edge/publish-hosts.ts';
import { publishLater } from '#worker/events/publish-later.ts';
import { networksOf } from '#worker/redirect/network-limit.ts';
import { applyBlocklist } from './apply-blocklist.ts';
import { importBlocklist, listBlocklist, removeBlocklistEntry } from './blocklist-admin.ts';
import { moderate } from './moderation.ts';
import { readReportEvidence } from './report-evidence.ts';
import { decideReport, listReports } from './reports.ts';
import { deleteIfUnused } from '#worker/links/card/delete-unused-pictures.ts';
import { removeCardAsAdmin } from './remove-card.ts';
import { submitReport } from './submit-report.ts';
import { verifyTurnstile } from '#worker/safety/turnstile.ts';

export const abuseRoutes = new Hono<ApiEnv>();

abuseRoutes.post('/reports', async (c) => {
  await rateLimitNetwork(c.env, c.env.LIMIT_VISITOR_LINKS, 'report', c.req.raw, 'too_many_reports');
  const report = readJson(c, reportRequest);
  await requireTurnstile(c.env, report.turnstileToken);
  const now = c.get('now');
  const networks = networksOf(c.req.raw);
  if (
    !(await submitReport(c.get('db'), {
      report,
      networks,
      secret: authSecret(c.env),
      edge: c.env,
      now,
    }))
  )
    throw apiError('reports_used_up', { retryAfter: secondsToNextDay(now) });
  return c.json({ received: true }, 201);
});

abuseRoutes.get('/admin/reports', async (c) => {
  const { q, ...query } = readQuery(c, reportsQuery);
  return c.json(await listReports(c.get('db'), { ...query, q: q.trim() }));
});

abuseRoutes.get('/admin/reports/:id', async (c) => {
  const evidence = await readReportEvidence(c.get('db'), idParam(c), {
    checksReputation: c.env.REPUTATION_DOH_URL !== '',
    appOrigin: c.get('origins').app,
  });
  if (evidence === null) throw apiError('unknown_report');
  return c.json(evidence);
});

abuseRoutes.post('/admin/reports/:id', async (c) => {
  const decision = readJson(c, reportDecision);
  const adminId = requireMember(c).id;
  const result = await decideReport(c.get('db'), adminId, idParam(c), decision, c.get('now'));
  if (!result.ok) throw apiError(result.reason);
  return c.json({ success: true });
});

abuseRoutes.post('/admin/moderation', async (c) => {
  const action = readJson(c, moderationAction);
  const now = c.get('now');
  const result = await moderate(c.get('db'), requireMember(c).id, action, now, {
    secret: authSecret(c.env),
    edge: c.env,
  });
  if (!result.ok) throw apiError(result.reason, { field: 'scope' });
  c.executionCtx.waitUntil(publishLater(c.env, result.changed, now));
  if (result.hosts !== undefined)
    c.executionCtx.waitUntil(publishHostsLater(c.env, result.hosts, now));
  if (action.scope.kind === 'link') await evict([previewKey(c.get('origins'), action.scope.code)]);
  return c.json({ success: true, links: result.links });
});

abuseRoutes.delete('/admin/cards/:code', async (c) => {
  const now = c.get('now');
  const adminId = requireMember(c).id;
  const db = c.get('db');
  const removed = await removeCardAsAdmin(db, adminId, c.req.param('code'), now);
  if (removed === null) throw apiError('no_card');
  c.executionCtx.waitUntil(publishLater(c.env, [removed.id], now));
  // The job does not delete what was uploaded within the last day. It deletes later what fails here.
  c.executionCtx.waitUntil(deleteIfUnused(db, c.env, removed.pictures).catch(() => undefined));
  return c.json({ success: true });
});

abuseRoutes.get('/admin/blocklist', async (c) => {
  const { q, cursor } = readQuery(c, blocklistQuery);
  return c.json(await listBlocklist(c.get('db'), q.trim(), cursor));
});

abuseRoutes.post('/admin/blocklist', async (c) => {
  const { hosts, reason } = readJson(c, blocklistImport);
  const { app, short } = c.get('origins');
  const ownHosts = [app, short].map((origin) => new URL(origin).hostname);
  const adminId = requireMember(c).id;
  const result = await importBlocklist(c.get('db'), {
    adminId,
    text: hosts,
    reason,
    ownHosts,
    now: c.get('now'),
  });
  applyAfterResponse(c);
  const refused = result.refused.map(({ reason: why, ...line }) => ({
    ...line,
    why: apiError(why).message,
  }));
  return c.json({ ...result, refused } satisfies BlocklistImportResponse, 201);
});

abuseRoutes.delete('/admin/blocklist/:value', async (c) => {
  const value = c.req.param('value');
  if (!(await removeBlocklistEntry(c.get('db'), requireMember(c).id, value, c.get('now'))))
    throw apiError('not_on_blocklist');
  applyAfterResponse(c);
  return c.json({ success: true });
});

/**
 * Applies the blocklist at once, so that the administrator sees the result. If it fails, the job
 * applies it within a minute.
 */
function applyAfterResponse(c: Context<ApiEnv>): void {
  c.executionCtx.waitUntil(applyBlocklist(c.env, c.get('now')).catch(() => undefined));
}

/**
 * Requires a valid Turnstile token if Turnstile is configured. Throws 403 without one, 503 if
 * Turnstile does not answer.
 */
async function requireTurnstile(env: Env, token: string | undefined): Promise<void> {
  const secret = env.TURNSTILE_SECRET_KEY;
  if (env.TURNSTILE_SITE_KEY === '' || secret === undefined || secret === '') return;
  const verdict = await verifyTurnstile(secret, token, fetch);
  if (verdict !== 'passed') throw apiError(`captcha_${verdict}`);
}
