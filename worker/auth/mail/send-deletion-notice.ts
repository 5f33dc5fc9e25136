import { logEvent } from '#worker/log.ts';
import type { Db } from '#worker/db/client.ts';
import { makeAttempt } from '#worker/auth/limits/attempt.ts';
import { takeNotice } from '#worker/auth/limits/limits.ts';
import { writeDeletionNotice } from './mail-text.ts';
import { openNotices } from './mailer.ts';
import { isEmbedded } from '#worker/auth/settings.ts';

/**
 * Mails the owner of an account that it was deleted; a mail that cannot be sent is logged. With the embedded sign-in an address
 * may be signed up and deleted again and again, so the mails of a day are limited.
 */
export async function sendDeletionNotice(
  env: Env,
  db: Db,
  request: Request,
  email: string,
  now: number,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<void> {
  if (email === '') return;
  if (isEmbedded(env) && !(await takeNotice(makeAttempt(env, db, request, now), email)).ok) {
    logEvent('auth_notice_limit_reached');
    return;
  }
  await openNotices(env, db, request.url, now, waitUntil)(writeDeletionNotice(email));
}
