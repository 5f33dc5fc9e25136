import { Hono } from 'hono';
import {
  authorizeQuery,
  grantRequest,
  type AppRequest,
  type Granted,
} from '#contract/api/oauth.ts';
import { requireFreshFactor } from '#worker/auth/sessions/reauthenticate.ts';
import { changeAndNotify } from '#worker/auth/notices/change-and-notify.ts';
import { valueOrThrow } from '#worker/auth/service/errors.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { readJson, readQuery, requireMember } from '#worker/http/validate.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { checkRequest, grantAccess } from './authorize.ts';
import { oauthServer } from './oauth-server.ts';

/** Routes for the page of AUTHORIZE_PATH and its signed-in member. */
export const consentRoutes = new Hono<ApiEnv>();

consentRoutes.get('/oauth/authorize', async (c) => {
  requireMember(c);
  const checked = await checkRequest(c.get('db'), oauthServer(c), readQuery(c, authorizeQuery));
  if (!checked.ok) throw apiError(checked.reason);
  return c.json(checked.request satisfies AppRequest);
});

consentRoutes.post('/oauth/authorize', async (c) => {
  const { id: userId, email } = await limitWrites(c);
  const grant = readJson(c, grantRequest);
  await requireFreshFactor(c);
  const told = await changeAndNotify(requestContext(c), {
    email,
    kind: 'key',
    change: () => grantAccess(c.get('db'), oauthServer(c), { userId, grant, now: c.get('now') }),
    mailOf: (made) =>
      made.ok
        ? composeMail(email, MAILS.app(made.host), `${c.get('origins').app}/settings/api`)
        : null,
  });
  const result = valueOrThrow(told);
  if (!result.ok) throw apiError(result.reason);
  return c.json({ redirectTo: result.redirectTo } satisfies Granted, 201);
});
