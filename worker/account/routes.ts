import { Hono } from 'hono';
import type { ApiEnv } from '#worker/api/context.ts';
import { member } from '#worker/api/validate.ts';
import type { Me } from '#contract/account.ts';

/** The signed-in person's own account. */
export const accountRoutes = new Hono<ApiEnv>().get('/me', (c) => {
  const { id, email, role } = member(c);
  return c.json({ id, email, role } satisfies Me);
});
