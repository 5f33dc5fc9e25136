import { Hono } from 'hono';
import type { SessionsResponse } from '#contract/account/account.ts';
import { sessionMaxMs } from '#worker/auth/service/settings.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { requireMember } from '#worker/http/validate.ts';
import { endSessions } from '#worker/auth/service/end-sessions.ts';
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
  const { id, sessionId } = await limitWrites(c);
  await endSessions(c.get('db'), { id: sessionId, user_id: id }, 'others', c.get('now'));
  return c.json({ success: true });
});

sessionsRoutes.delete('/sessions/:id', async (c) => {
  const session = { id: c.req.param('id'), user_id: requireMember(c).id };
  await limitWrites(c);
  if (!(await endSessions(c.get('db'), session, 'local', c.get('now'))))
    throw apiError('unknown_session');
  return c.json({ success: true });
});
