import { createAuthContext } from '#worker/auth/service/context.ts';
import type { Result } from '#worker/auth/service/problems.ts';
import { countNotice, type NoticeKind } from '#worker/auth/limits/attempts.ts';
import { openDb } from '#worker/db/client.ts';
import type { Mail } from '#worker/mail/compose.ts';
import { finish } from './finish.ts';
import { canSendMail, createNotifier } from '#worker/mail/mailer.ts';
import type { NoticeContext } from './send-notice.ts';

/**
 * A change that a member requests. `mailOf` returns the email about it, or null if nothing changed.
 */
type OwnChange<T> = {
  email: string;
  kind: NoticeKind;
  change: () => Promise<T>;
  mailOf: (result: T) => Mail | null;
};

/**
 * Makes a change that the account's owner is told about by email, with either sign-in service.
 * Refuses and changes nothing once the day's limit of notices is reached: otherwise a thief of the
 * session could use the limit up first. If the server cannot send mail or the account has no
 * address, the change is made without an email.
 */
export function changeAndNotify<T>(context: NoticeContext, own: OwnChange<T>): Promise<Result<T>> {
  return finish(countChangeAndNotify(context, own), context.waitUntil);
}

async function countChangeAndNotify<T>(
  context: NoticeContext,
  { email, kind, change, mailOf }: OwnChange<T>,
): Promise<Result<T>> {
  const { env, request, now, waitUntil } = context;
  // A database without the caller's guard: if their session ends meanwhile, the email is still sent
  // and an unused count is still refunded.
  const db = openDb(env.DB);
  const notify = createNotifier({ env, db, requestUrl: request.url, now, waitUntil });
  const canTell = email !== '' && canSendMail(env, request.url);
  const notice = canTell
    ? await countNotice(createAuthContext(env, db, request, now), email, kind)
    : NOT_COUNTED;
  if (!notice.ok) return notice;
  const value = await change().catch(async (error: unknown) => {
    await notice.refund();
    throw error;
  });
  const mail = mailOf(value);
  if (mail === null) await notice.refund();
  else if (email !== '') await notify(mail);
  return { ok: true, value };
}

const NOT_COUNTED = { ok: true, refund: async () => {} } as const;
