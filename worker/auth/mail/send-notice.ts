import { createAuthContext } from '#worker/auth/context.ts';
import { consumeNotice, type NoticeKind } from '#worker/auth/limits/notice-limits.ts';
import type { Db } from '#worker/db/client.ts';
import { logEvent } from '#worker/log.ts';
import type { Mail } from './compose.ts';
import { createNotifier } from './mailer.ts';

/** `now` in ms; `waitUntil` keeps work alive after the response. */
type NoticeContext = {
  env: Env;
  db: Db;
  request: Request;
  now: number;
  waitUntil: (work: Promise<unknown>) => void;
};

/**
 * Tells the owner of an account by email what has happened to it, with either sign-in service. Does nothing without an address.
 * These emails are limited per day, because what they are about can be done again and again. A failure is logged, never thrown.
 */
export async function sendNotice(context: NoticeContext, kind: NoticeKind, mail: Mail): Promise<void> {
  const { env, db, request, now, waitUntil } = context;
  if (mail.to === '') return;
  if (!(await consumeNotice(createAuthContext(env, db, request, now), mail.to, kind)).ok) {
    logEvent('auth_notice_limit_reached');
    return;
  }
  await createNotifier({ env, db, requestUrl: request.url, now, waitUntil })(mail);
}
