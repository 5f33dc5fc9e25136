import { Hono } from 'hono';
import { DELETED_OWNER } from '#contract/abuse.ts';
import { accountDeletion, type Me } from '#contract/account.ts';
import type { ApiEnv } from '#worker/api/context.ts';
import { ApiError } from '#worker/api/problem.ts';
import { shield } from '#worker/api/rate-limit.ts';
import { member, readJson } from '#worker/api/validate.ts';
import { authSecret } from '#worker/auth/settings.ts';
import { publishLater } from '#worker/links/publish-later.ts';
import { addressHash } from './address-standing.ts';
import { exportAccount, exportLinksCsv } from './export.ts';
import { removeAccount } from './removal.ts';

/** The signed-in person's own account. */
export const accountRoutes = new Hono<ApiEnv>();

accountRoutes.get('/me', (c) => {
  const { id, email, role } = member(c);
  return c.json({ id, email, role } satisfies Me);
});

accountRoutes.get('/account/export', async (c) => {
  const { id, email } = member(c);
  await shield(c.env.LIMIT_VISITOR_LINKS, `export:${id}`);
  const hash = addressHash(authSecret(c.env), email);
  const data = await exportAccount(c.get('db'), { id, email }, hash, c.get('origins').short, c.get('now'));
  c.header('Content-Disposition', 'attachment; filename="account.json"');
  return c.json(data);
});

accountRoutes.get('/account/links.csv', async (c) => {
  const { id } = member(c);
  await shield(c.env.LIMIT_VISITOR_LINKS, `export:${id}`);
  const csv = await exportLinksCsv(c.get('db'), id, c.get('origins').short);
  return c.body(csv, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="links.csv"',
  });
});

accountRoutes.delete('/account', async (c) => {
  const { id, email } = member(c);
  const { links } = await readJson(c, accountDeletion);
  const now = c.get('now');
  const label = DELETED_OWNER + crypto.randomUUID();
  const removal = await removeAccount(c.get('db'), { id, email }, links === 'keep', label, authSecret(c.env), now);
  if (!removal.ok) throw refusal(removal.reason);
  c.executionCtx.waitUntil(publishLater(c.env, removal.removedLinks, now));
  return c.json({ success: true });
});

const refusal = (reason: 'last_admin' | 'suspended'): ApiError =>
  reason === 'last_admin'
    ? new ApiError('conflict', 'You are the last administrator. Make somebody else an administrator first.')
    : new ApiError('forbidden', 'This account is suspended.');
