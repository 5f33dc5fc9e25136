import { Hono } from 'hono';
import type { SessionsResponse } from '#contract/account.ts';
import { sessionMaxMs } from '#worker/auth/service/settings.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { requireMember } from '#worker/http/validate.ts';
import { endOtherSessions, endSession } from '#worker/auth/service/end-sessions.ts';
import { listSessions } from './own-sessions.ts';

/** Lists and ends the member's sessions. The sign-in service signs in and out. */
export const sessionsRoutes = new Hono<ApiEnv>();

sessionsRoutes.get('/sessions', async (c) => {
  const sessions = await listSessions(
    c.get('db'),
    requireMember(c),
    sessionMaxMs(c.env),
    c.get('now'),
  );
  return c.json({ sessions } satisfies SessionsResponse);
});

sessionsRoutes.delete('/sessions', async (c) => {
  const { id, sessionId } = requireMember(c);
  await limitWrites(c);
  await endOtherSessions(c.get('db'), id, sessionId, c.get('now'));
  return c.json({ success: true });
});

sessionsRoutes.delete('/sessions/:id', async (c) => {
  const { id: userId } = requireMember(c);
  await limitWrites(c);
  const session = { userId, id: c.req.param('id'), now: c.get('now') };
  if (!(await endSession(c.get('db'), session))) throw apiError('unknown_session');
  return c.json({ success: true });
});
