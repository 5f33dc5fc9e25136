import { sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/time.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { domain_hosts } from '#worker/db/schema-domains.ts';
import { users } from '#worker/db/schema-users.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { createJobMailer } from '#worker/mail/job-mailer.ts';
import { MAILS, type MailText } from '#worker/mail/texts.ts';
import { displayHost } from '#worker/safety/lookalike.ts';
import type { MemberHost } from './check-member-host.ts';
import { isMailDue } from './host-state.ts';

/**
 * Mails the owner of a failing host if the next mail is due. The mail is counted before it is sent,
 * so that nobody gets two.
 */
export async function mailFailing(
  env: Env,
  db: Db,
  host: MemberHost,
  now: number,
): Promise<boolean> {
  const since = host.failing_since;
  if (since === null || !isMailDue(host, now)) return false;
  const days = Math.floor((now - since) / DAY_MS);
  const taken = await db.all(sql`update ${domain_hosts} set mails = mails + 1
    where host = ${host.host} and domain_id = ${host.domain_id} and mails = ${host.mails} returning host`);
  if (taken.length === 0) return false;
  return mailOwner(env, host.owner_id, MAILS.domainFailing(displayHost(host.host), days), now);
}

/**
 * Mails the owner of an account about a domain. The caller's right may have ended since. Returns
 * true if a mail was sent.
 */
export async function mailOwner(
  env: Env,
  userId: string,
  text: MailText,
  now: number,
): Promise<boolean> {
  const db = openDb(env.DB);
  const owner = await db
    .select({ email: users.email })
    .from(users)
    .where(sql`${users.id} = ${userId} and ${users.suspended_at} is null`)
    .get();
  if (owner === undefined || owner.email === '') return false;
  const mailer = createJobMailer(env, db, now);
  if (mailer === null) return false;
  const link = `${mailer.origins.app}/settings/domains`;
  return (await mailer.send(composeMail(owner.email, text, link))) === null;
}
