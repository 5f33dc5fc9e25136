import { Hono } from 'hono';
import {
  unsubscribeQuery,
  weeklyMailChange,
  type WeeklyMail,
} from '#contract/reports/weekly-mail.ts';
import { canSendMail } from '#worker/mail/mailer.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { isEmbedded } from '#worker/redirect/sign-in-settings.ts';
import { hasConfirmedEmail } from '#worker/auth/tokens/hosted-user.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites, rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { readJson, readQuery, requireMember } from '#worker/http/validate.ts';
import { isMailboxProven, isSubscribed, subscribe, unsubscribe } from './store.ts';
import { userOfToken } from './unsubscribe-token.ts';
import { mondayOf } from './weeks.ts';

export const weeklyMailRoutes = new Hono<ApiEnv>();

weeklyMailRoutes.get('/weekly-mail', async (c) => {
  const enabled = await isSubscribed(c.get('db'), requireMember(c).id);
  return c.json({ enabled, offered: canSendMail(c.env, c.req.url) } satisfies WeeklyMail);
});

weeklyMailRoutes.patch('/weekly-mail', async (c) => {
  const { id, email } = await limitWrites(c);
  const { enabled } = readJson(c, weeklyMailChange);
  const db = c.get('db');
  if (!enabled) await unsubscribe(db, id);
  else {
    if (!canSendMail(c.env, c.req.url)) throw apiError('no_mail');
    const bearer = c.req.header('Authorization')?.slice('Bearer '.length) ?? '';
    const isProven = isEmbedded(c.env)
      ? await isMailboxProven(db, id)
      : await hasConfirmedEmail(c.env, bearer, id, email);
    if (!isProven) throw apiError('email_not_proven');
    await subscribe(db, id, mondayOf(c.get('now')), c.get('now'));
  }
  return c.json({ enabled, offered: canSendMail(c.env, c.req.url) } satisfies WeeklyMail);
});

// Mail programs without one-click unsubscribe open this address, and so do scanners. It therefore
// changes nothing.
weeklyMailRoutes.get('/weekly-mail/unsubscribe', (c) => {
  const { token } = readQuery(c, unsubscribeQuery);
  return c.redirect(`${c.get('origins').app}/unsubscribe#${encodeURIComponent(token)}`, 303);
});

// The page and mail programs (RFC 8058, as a form) send this. The body is not read.
weeklyMailRoutes.post('/weekly-mail/unsubscribe', async (c) => {
  await rateLimitNetwork(c.env, c.env.LIMIT_READS, 'unsubscribe', c.req.raw);
  const { token } = readQuery(c, unsubscribeQuery);
  const userId = userOfToken(authSecret(c.env), token);
  if (userId === null) throw apiError('bad_unsubscribe_link');
  await unsubscribe(c.get('db'), userId);
  return c.json({ success: true });
});
