import { Hono } from 'hono';
import { DELETED_OWNER } from '#contract/abuse.ts';
import { accountDeletion, type Me } from '#contract/account.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { requireMember, readJson } from '#worker/http/validate.ts';
import { sendDeletionNotice } from '#worker/auth/mail/deletion-notice.ts';
import { reauthenticateRequest, type RequestReauthentication } from '#worker/auth/sessions/recent-sign-in.ts';
import { authSecret, isEmbedded } from '#worker/auth/settings.ts';
import { publishLater } from '#worker/links/publish-later.ts';
import { addressHash } from './address-standing.ts';
import { exportAccount, exportLinksCsv } from './export.ts';
import { removeAccount } from './removal.ts';

/** The signed-in person's own account. */
export const accountRoutes = new Hono<ApiEnv>();

accountRoutes.get('/me', (c) => {
  const { id, email, role } = requireMember(c);
  return c.json({ id, email, role } satisfies Me);
});

accountRoutes.get('/account/export', async (c) => {
  const { id, email } = requireMember(c);
  await rateLimit(c.env.LIMIT_VISITOR_LINKS, `export:${id}`);
  const hash = addressHash(authSecret(c.env), email);
  const data = await exportAccount(c.get('db'), { id, email }, hash, c.get('origins').short, c.get('now'));
  c.header('Content-Disposition', 'attachment; filename="account.json"');
  return c.json(data);
});

accountRoutes.get('/account/links.csv', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_VISITOR_LINKS, `export:${id}`);
  const csv = await exportLinksCsv(c.get('db'), id, c.get('origins').short);
  return c.body(csv, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="links.csv"',
  });
});

accountRoutes.delete('/account', async (c) => {
  const { id, email, sessionId } = requireMember(c);
  const { links, current_password: currentPassword = '' } = await readJson(c, accountDeletion);
  const now = c.get('now');
  const shown = await reauthenticateRequest(c.env, c.get('db'), c.req.raw, { id, sessionId }, currentPassword, now);
  if (!shown.ok) throw notReauthenticated(shown);
  const label = DELETED_OWNER + crypto.randomUUID();
  const session = isEmbedded(c.env) ? sessionId : null;
  const removal = await removeAccount(c.get('db'), { id, email }, links === 'keep', label, authSecret(c.env), now, session);
  if (!removal.ok) throw refusal(removal.reason);
  c.executionCtx.waitUntil(publishLater(c.env, removal.removedLinks, now));
  await sendDeletionNotice(c.env, c.get('db'), c.req.raw, email, now, (work) => c.executionCtx.waitUntil(work));
  return c.json({ success: true });
});

function notReauthenticated(shown: Exclude<RequestReauthentication, { ok: true }>): ApiError {
  if (shown.reason === 'limited')
    return new ApiError('rate_limited', shown.message, { upgradeRequired: false, retryAfter: shown.retryAfter });
  if (shown.reason === 'sign_in_again')
    return new ApiError('reauthentication_required', 'Sign out, sign in again, and delete your account within ten minutes.');
  const message =
    shown.reason === 'wrong'
      ? 'That is not your current password.'
      : 'Enter your current password, or a code from your email first.';
  return new ApiError('reauthentication_required', message, { field: 'current_password' });
}

function refusal(reason: 'last_admin' | 'session_ended' | 'suspended'): ApiError {
  if (reason === 'suspended') return new ApiError('forbidden', 'This account is suspended.');
  return reason === 'last_admin'
    ? new ApiError('conflict', 'You are the last administrator. Make somebody else an administrator first.')
    : new ApiError('unauthenticated', 'Your session is no longer valid. Please sign in again.');
}
