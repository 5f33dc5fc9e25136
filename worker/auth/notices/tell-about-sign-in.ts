import type { Context } from 'hono';
import { authContext, mailerInput } from '#worker/auth/sessions/request-context.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { canSendMail, createMailer } from '#worker/mail/mailer.ts';
import { tellAboutNewBrowser } from './new-browser.ts';

/**
 * Every route that starts a session calls this with its answer. Where mails are really sent, the
 * work happens after the response.
 */
export async function tellAboutSignIn(c: Context<ApiEnv>, answer: object): Promise<void> {
  if (!('access_token' in answer) || typeof answer.access_token !== 'string') return;
  if (!canSendMail(c.env, c.req.url)) return;
  const mailer = createMailer(mailerInput(c));
  if (mailer === null) return;
  await mailer.defer(tellAboutNewBrowser({ ...authContext(c), mailer }, answer.access_token));
}
