import { Hono } from 'hono';
import type { Context } from 'hono';
import {
  blocklistImport,
  blocklistQuery,
  moderationAction,
  reportDecision,
  reportRequest,
  reportsQuery,
} from '#contract/abuse.ts';
import { POST_BODY_MAX_BYTES } from '#contract/limits.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { requireMember, readJson, readQuery } from '#worker/http/validate.ts';
import { authSecret } from '#worker/auth/settings.ts';
import { applyBlocklist } from './apply-blocklist.ts';
import { previewKey } from '#worker/http/cache-keys.ts';
import { evict } from '#worker/http/edge-cache.ts';
import { publishLater } from '#worker/links/publish-later.ts';
import { networksOf } from '#worker/redirect/network-limit.ts';
import { importEntries, listEntries, removeEntry } from './blocklist-entries.ts';
import { moderate } from './moderation.ts';
import { decide, listReports, takeIn } from './reports.ts';
import { verifyTurnstile } from './turnstile.ts';

const DAY_SECONDS = 86_400;
const REFUSED = {
  unknown_link: 'not_found',
  bad_host: 'invalid_body',
  unknown_user: 'not_found',
  last_admin: 'conflict',
  yourself: 'conflict',
} as const;

export const abuseRoutes = new Hono<ApiEnv>();

abuseRoutes.post('/reports', async (c) => {
  await rateLimitNetwork(
    c.env,
    c.env.LIMIT_VISITOR_LINKS,
    'report',
    c.req.raw,
    'Too many reports in a short time. Please wait a minute.',
  );
  const report = await readJson(c, reportRequest);
  await askForPerson(c.env, report.turnstileToken);
  if (!(await takeIn(c.get('db'), report, networksOf(c.req.raw), authSecret(c.env), c.get('now'), c.env)))
    throw new ApiError('rate_limited', 'You have sent many reports today. Please write to us instead.', {
      upgradeRequired: false,
      retryAfter: DAY_SECONDS,
    });
  return c.json({ received: true }, 201);
});

abuseRoutes.get('/admin/reports', async (c) => {
  const { status, cursor } = readQuery(c, reportsQuery);
  return c.json(await listReports(c.get('db'), status, cursor));
});

abuseRoutes.post('/admin/reports/:id', async (c) => {
  const { status } = await readJson(c, reportDecision);
  const id = c.req.param('id');
  const known = /^[1-9]\d{0,14}$/.test(id) && (await decide(c.get('db'), requireMember(c).id, Number(id), status, c.get('now')));
  if (!known) throw new ApiError('not_found', 'There is no such report.');
  return c.json({ success: true });
});

abuseRoutes.post('/admin/moderation', async (c) => {
  const action = await readJson(c, moderationAction);
  const now = c.get('now');
  const done = await moderate(c.get('db'), requireMember(c).id, action, now, { secret: authSecret(c.env), edge: c.env });
  if (!done.ok) throw new ApiError(REFUSED[done.reason], done.message, { field: 'scope' });
  c.executionCtx.waitUntil(publishLater(c.env, done.changed, now));
  if (action.scope.kind === 'link') await evict([previewKey(c.get('origins'), action.scope.code)]);
  return c.json({ success: true, links: done.links });
});

abuseRoutes.get('/admin/blocklist', async (c) => {
  const { q, cursor } = readQuery(c, blocklistQuery);
  return c.json(await listEntries(c.get('db'), q.trim(), cursor));
});

abuseRoutes.post('/admin/blocklist', async (c) => {
  const { hosts, reason } = await readJson(c, blocklistImport, POST_BODY_MAX_BYTES);
  const own = Object.values(c.get('origins')).map((origin) => new URL(origin).hostname);
  const result = await importEntries(c.get('db'), requireMember(c).id, hosts, reason, own, c.get('now'));
  applySoon(c);
  return c.json(result, 201);
});

abuseRoutes.delete('/admin/blocklist/:value', async (c) => {
  const value = c.req.param('value');
  if (!(await removeEntry(c.get('db'), requireMember(c).id, value, c.get('now'))))
    throw new ApiError('not_found', 'This is not on the list.');
  applySoon(c);
  return c.json({ success: true });
});

/** The job does it within a minute in any case; an administrator sees it at once. */
function applySoon(c: Context<ApiEnv>): void {
  c.executionCtx.waitUntil(applyBlocklist(c.env, c.get('now')).catch(() => 'left to the job'));
}

/** Where Turnstile is set up, a report needs its token. Throws 403 without a good one, 503 where nobody can say. */
async function askForPerson(env: Env, token: string | undefined): Promise<void> {
  const secret = env.TURNSTILE_SECRET_KEY;
  if (env.TURNSTILE_SITE_KEY === '' || secret === undefined || secret === '') return;
  const verdict = await verifyTurnstile(secret, token, fetch);
  if (verdict === 'failed') throw new ApiError('forbidden', 'Please confirm that you are a person.', { field: 'turnstileToken' });
  if (verdict === 'unreachable')
    throw new ApiError('unavailable', 'The check for persons cannot be reached just now. Please try again.', { retryAfter: 10 });
}
