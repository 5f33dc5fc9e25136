import type { Context } from 'hono';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { valueOrThrow } from '#worker/auth/service/errors.ts';
import type { Result } from '#worker/auth/service/problems.ts';
import { logSignIn, type SignInMethod } from '#worker/auth/service/sign-in-log.ts';
import { authContext, mailerInput } from '#worker/auth/sessions/request-context.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { canSendMail, createMailer } from '#worker/mail/mailer.ts';
import { tellAboutNewBrowser } from './new-browser.ts';

type C = Context<ApiEnv>;

/**
 * The answer of every route that starts a session. Logs the attempt, and tells the owner about a
 * new browser; where mails are really sent, after the response. `email` is null if only a token is
 * known.
 */
export async function answerSignIn(
  c: C,
  context: AuthContext,
  method: SignInMethod,
  email: string | null,
  result: Result<object>,
): Promise<Response> {
  logSignIn(context, method, email, result);
  const answer = valueOrThrow(result);
  if ('access_token' in answer && typeof answer.access_token === 'string')
    await tellOwner(c, answer.access_token);
  return c.json(answer);
}

async function tellOwner(c: C, accessToken: string): Promise<void> {
  const mailer = canSendMail(c.env, c.req.url) ? createMailer(mailerInput(c)) : null;
  await mailer?.defer(tellAboutNewBrowser({ ...authContext(c), mailer }, accessToken));
}
