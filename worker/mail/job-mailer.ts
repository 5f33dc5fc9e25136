import type { Db } from '#worker/db/client.ts';
import { originsOf, ownUrl, type Origins } from '#worker/http/origins.ts';
import { canSendMail, createMailer, type Mailer } from './mailer.ts';

/** `origins` are for the links in the mails. */
export type JobMailer = Pick<Mailer, 'send'> & { origins: Origins };

/** A mailer for code that runs without a request; null if this server sends no mail. */
export function createJobMailer(env: Env, db: Db, now: number): JobMailer | null {
  const requestUrl = ownUrl(env);
  if (!canSendMail(env, requestUrl)) return null;
  const mailer = createMailer({ env, db, requestUrl, now, waitUntil: () => undefined });
  return mailer && { send: mailer.send, origins: originsOf(env, requestUrl) };
}
