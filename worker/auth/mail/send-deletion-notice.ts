import { createAuthContext } from '#worker/auth/context.ts';
import { consumeNotice } from '#worker/auth/limits/notice-limits.ts';
import { isEmbedded } from '#worker/auth/settings.ts';
import type { Db } from '#worker/db/client.ts';
import { logEvent } from '#worker/log.ts';
import { composeDeletionNotice } from './compose.ts';
import { createNotifier } from './mailer.ts';

/** `now` in ms; `waitUntil` keeps work alive after the response. */
export type DeletionNotice = {
  env: Env;
  db: Db;
  request: Request;
  email: string;
  now: number;
  waitUntil: (work: Promise<unknown>) => void;
};

/**
 * Tells the owner of an account by email that it was deleted. Does nothing without an address. The embedded service limits these
 * emails per day, because an address can be signed up and deleted again and again. A failure is logged, never thrown.
 */
export async function sendDeletionNotice({ env, db, request, email, now, waitUntil }: DeletionNotice): Promise<void> {
  if (email === '') return;
  if (isEmbedded(env) && !(await consumeNotice(createAuthContext(env, db, request, now), email)).ok) {
    logEvent('auth_notice_limit_reached');
    return;
  }
  await createNotifier({ env, db, requestUrl: request.url, now, waitUntil })(composeDeletionNotice(email));
}
