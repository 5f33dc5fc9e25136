import type { SQL } from 'drizzle-orm';
import { Hono, type Context } from 'hono';
import { DELETED_OWNER } from '#contract/moderation/abuse.ts';
import { deleteAccountRequest, type Me } from '#contract/account/account.ts';
import {
  accountLinksQuery,
  someLinksFileRequest,
  type LinksFormat,
} from '#contract/files/links-file.ts';
import { changeAndNotify } from '#worker/auth/notices/change-and-notify.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { AuthError, valueOrThrow } from '#worker/auth/service/errors.ts';
import { describeProblem, type Refusal } from '#worker/auth/service/problems.ts';
import { reauthenticateRequest, requireFreshFactor } from '#worker/auth/sessions/reauthenticate.ts';
import { authSecret, needsSecondFactor } from '#worker/auth/service/settings.ts';
import { publish } from '#worker/domains/saas/domain-requests.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError, ApiError } from '#worker/http/errors.ts';
import { limitWrites, rateLimit } from '#worker/http/rate-limit.ts';
import { readJson, readQuery, requireMember } from '#worker/http/validate.ts';
import { filtersOf } from '#worker/links/list/query-filters.ts';
import { chooseLinks } from '#worker/links/list/select-links.ts';
import { publishLater } from '#worker/events/publish-later.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import { addressHash } from '#worker/users/address-standing.ts';
import { deleteAccount } from './delete-account.ts';
import { exportAccount } from './export.ts';
import { areAmong, linksFileHeaders, streamLinks } from './export-links.ts';

export const accountRoutes = new Hono<ApiEnv>();

accountRoutes.get('/me', async (c) => {
  const member = requireMember(c);
  const { id, email, role } = member;
  const plan = await readPlan(c.get('db'), id, c.get('now'));
  const needs = needsSecondFactor(c.env, member);
  const me: Me = { id, email, role, plan, ...(needs && { needsSecondFactor: true }) };
  return c.json(me);
});

accountRoutes.get('/account/export', async (c) => {
  const { id, email } = requireMember(c);
  await rateLimit(c.env.LIMIT_VISITOR_LINKS, `export:${id}`);
  await requireFreshFactor(c);
  const hash = addressHash(authSecret(c.env), email);
  const data = await exportAccount(
    c.get('db'),
    { id, email },
    hash,
    c.get('origins'),
    c.get('now'),
  );
  c.header('Content-Disposition', 'attachment; filename="account.json"');
  return c.json(data);
});

/** The URL of the CSV file from before there were other formats. */
accountRoutes.get('/account/links.csv', (c) => sendLinks(c, 'csv'));

accountRoutes.get('/account/links', async (c) => {
  const { format, listed, ...query } = readQuery(c, accountLinksQuery);
  if (listed === undefined) return sendLinks(c, format);
  const selection = filtersOf(query, c.get('origins'));
  return sendLinks(
    c,
    format,
    async (reader) => (await chooseLinks(c.get('db'), selection, reader)).condition,
  );
});

accountRoutes.post('/account/links', (c) => {
  const { format, ids } = readJson(c, someLinksFileRequest);
  return sendLinks(c, format, async () => areAmong(ids));
});

/** Sends the links for which `choose` returns a condition, or all of them. */
async function sendLinks(
  c: Context<ApiEnv>,
  format: LinksFormat,
  choose?: (reader: { userId: string; now: number }) => Promise<SQL>,
): Promise<Response> {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_VISITOR_LINKS, `export:${id}`);
  const now = c.get('now');
  const where = await choose?.({ userId: id, now });
  const file = await streamLinks(c.get('db'), id, format, {
    origins: c.get('origins'),
    now,
    ...(where !== undefined && { where }),
  });
  return c.body(file, 200, linksFileHeaders(format));
}

accountRoutes.delete('/account', async (c) => {
  const { id, email, sessionId } = await limitWrites(c);
  const { links, currentPassword = '' } = readJson(c, deleteAccountRequest);
  const now = c.get('now');
  const reauthentication = await reauthenticateRequest({
    env: c.env,
    db: c.get('db'),
    request: c.req.raw,
    person: { id, sessionId },
    currentPassword,
    now,
  });
  if (!reauthentication.ok) throw reauthenticationError(reauthentication);
  const deletion = {
    user: { id, email },
    links,
    label: DELETED_OWNER + crypto.randomUUID(),
    secret: authSecret(c.env),
    now,
  };
  const told = await changeAndNotify(requestContext(c), {
    email,
    kind: 'account',
    change: () => deleteAccount(c.get('db'), deletion),
    mailOf: ({ ok }) => (ok ? composeMail(email, MAILS.deletion) : null),
  });
  const result = valueOrThrow(told);
  if (!result.ok) throw apiError(result.reason);
  c.executionCtx.waitUntil(publishLater(c.env, result.deletedLinks, now));
  publish(c, result.hosts);
  return c.json({ success: true });
});

function reauthenticationError(refusal: Refusal): Error {
  const { status, message } = describeProblem(refusal);
  if (status === 429) return new AuthError(refusal.reason, refusal);
  if (refusal.reason === 'second_factor_stale') return apiError('second_factor_stale');
  const isAboutPassword = refusal.reason !== 'sign_in_too_old';
  const field = isAboutPassword ? { field: 'currentPassword' } : {};
  return new ApiError('reauthentication_required', message, field);
}
