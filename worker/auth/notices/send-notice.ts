import { createAuthContext } from '#worker/auth/service/context.ts';
import { countNotice, type NoticeKind } from '#worker/auth/limits/attempts.ts';
import { openDb } from '#worker/db/client.ts';
import { logEvent } from '#worker/log.ts';
import type { Mail } from '#worker/mail/compose.ts';
import { createNotifier } from '#worker/mail/mailer.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';

/** `now` in ms; `waitUntil` keeps work alive after the response. */
export type NoticeContext = {
  env: Env;
  request: Request;
  now: number;
  waitUntil: WaitUntil;
};

/**
 * Emails the owner of an account about a change that we made to it, with either sign-in service.
 * Does nothing without an address, or once the day's limit is reached. A failure to send is logged,
 * never thrown. Does not use the caller's database, because their right may have ended since.
 * Changes that a member requests go through `changeAndNotify` instead.
 */
export async function sendNotice(
  context: NoticeContext,
  kind: NoticeKind,
  mail: Mail,
): Promise<void> {
  const { env, request, now, waitUntil } = context;
  const db = openDb(env.DB);
  if (mail.to === '') return;
  if (!(await countNotice(createAuthContext(env, db, request, now), mail.to, kind)).ok) {
    logEvent('auth_notice_limit_reached');
    return;
  }
  await createNotifier({ env, db, requestUrl: request.url, now, waitUntil })(mail);
}
