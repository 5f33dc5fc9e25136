import { sql } from 'drizzle-orm';
import { BUILT_ORIGIN } from '#contract/pages/paths.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { dev_mails } from '#worker/db/schema-auth.ts';
import { recordChannel } from '#worker/db/system-facts.ts';
import { errorText, logEvent } from '#worker/log.ts';
import { isLoopback } from '#worker/http/origins.ts';
import { observe } from '#worker/metrics/counters.ts';
import { configuredOrigins } from '#worker/redirect/configured-origins.ts';
import type { Mail } from './compose.ts';
import { usesLocalMailbox } from './local-mailbox.ts';
import { parseSender, type MailSender } from './sender.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';

export type Mailer = {
  /**
   * Sends the email, or stores it in the local mailbox. Returns null if it was accepted, otherwise
   * the reason without an address. A failure is logged, never thrown.
   */
  send: (mail: Mail) => Promise<string | null>;
  /** Does the work of sending without sending, for an address that gets no email. */
  simulate: (mail: Mail) => Promise<void>;
  /**
   * Runs work that happens only for an existing account. Where emails are really sent it runs after
   * the response, so that the response time reveals nothing. With the local mailbox it runs before,
   * so that the email is there when the page says so.
   */
  defer: (work: Promise<unknown>) => Promise<void>;
};

/** Sends an email about something that has already happened. A failure is logged, never thrown. */
export type Notify = (mail: Mail) => Promise<void>;

/**
 * What a mailer needs of a request. `now` in ms; `waitUntil` keeps work alive after the response.
 */
export type MailerInput = {
  env: Env;
  db: Db;
  requestUrl: string;
  now: number;
  waitUntil: WaitUntil;
};

const LOCAL_MAILS_MAX = 200;
const REASON_MAX = 200;

/** Returns null if emails have to be sent and MAIL_FROM names no sender. The log says what to do. */
export function createMailer({ env, db, requestUrl, now, waitUntil }: MailerInput): Mailer | null {
  const complete = completeMail(env, requestUrl);
  if (usesLocalMailbox(env, requestUrl))
    return {
      send: async (mail) => {
        await storeLocally(db, complete(mail), now);
        return null;
      },
      simulate: (mail) => storeLocally(db, complete(mail), now, true),
      defer: async (work) => void (await work),
    };
  const sender = parseSender(env.MAIL_FROM ?? '');
  if (sender === null) {
    logMissingSender();
    return null;
  }
  const channel = { isKnownToWork: false };
  return {
    send: (mail) => send(env, sender, complete(mail), now, channel),
    // There is nothing to simulate: this runs after the response, where no time is measured.
    simulate: async () => {},
    defer: async (work) => {
      waitUntil(work.catch(logFailure));
    },
  };
}

/**
 * Fills in the address of the email's picture: of the configured origin, because anybody can send
 * any Host (SECURITY.md T32); of the request's only on this machine.
 */
function completeMail(env: Env, requestUrl: string): (mail: Mail) => Mail {
  const local = isLoopback(requestUrl) ? new URL(requestUrl).origin : '';
  const origin = configuredOrigins(env).app?.origin ?? local;
  return (mail) => ({ ...mail, html: mail.html.replace(BUILT_ORIGIN, origin) });
}

/** Whether this deployment sends emails, or keeps them in the local mailbox. */
export const canSendMail = (
  env: Pick<Env, 'MAIL_FROM' | 'DEV_MAILBOX'>,
  requestUrl: string,
): boolean => parseSender(env.MAIL_FROM ?? '') !== null || usesLocalMailbox(env, requestUrl);

/**
 * Returns a function that sends notices. Without MAIL_FROM it sends nothing, and the log says so.
 */
export function createNotifier(input: MailerInput): Notify {
  const mailer = createMailer(input);
  if (mailer === null) return async () => {};
  return async (mail) => {
    try {
      await mailer.defer(mailer.send(mail));
    } catch (error) {
      logFailure(error);
    }
  };
}

/**
 * The errors that are about the recipient. After any other one, nobody else would get mail either
 * (https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#error-codes).
 */
const RECIPIENT_ERRORS: ReadonlySet<string> = new Set([
  'E_DELIVERY_FAILED',
  'E_RECIPIENT_NOT_ALLOWED',
  'E_RECIPIENT_SUPPRESSED',
]);

/**
 * `channel` belongs to one mailer: a job that sends many emails ends an earlier fault with one
 * statement.
 */
async function send(
  env: Env,
  from: MailSender,
  mail: Mail,
  now: number,
  channel: { isKnownToWork: boolean },
): Promise<string | null> {
  const { to, subject, html, text, headers } = mail;
  // Not the caller's database: their right may have ended since.
  const db = openDb(env.DB);
  try {
    await env.EMAIL.send({ from, to, subject, html, text, ...(headers && { headers }) });
  } catch (error) {
    const reason = logFailure(error);
    observe('hop.mails', 1, 'failed');
    if (RECIPIENT_ERRORS.has(reason)) return reason;
    channel.isKnownToWork = false;
    await recordChannel(db, 'mail', reason, now);
    return reason;
  }
  observe('hop.mails', 1, 'sent');
  if (!channel.isKnownToWork) {
    channel.isKnownToWork = true;
    await recordChannel(db, 'mail', null, now);
  }
  return null;
}

function logMissingSender(): void {
  logEvent('auth_mail_not_configured', {
    advice: 'Set MAIL_FROM to an address of a domain that is set up for Email Sending.',
  });
}

/**
 * Logs the cause without any address: logs contain no personal data. Returns the platform's code
 * for it, or else its text.
 */
function logFailure(error: unknown): string {
  const text = errorText(error).replaceAll(/\S+@\S+/g, '<address>');
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  logEvent('auth_mail_failed', { error: text, ...(code !== '' && { code }) });
  return (code || text).slice(0, REASON_MAX);
}

/**
 * Stores an email in the local mailbox and deletes the oldest. A simulated email is deleted again
 * in the same batch.
 */
async function storeLocally(db: Db, mail: Mail, now: number, isSimulated = false): Promise<void> {
  const { to, subject, html, text, link } = mail;
  const newest = sql`(select max(id) from ${dev_mails})`;
  const dropped = isSimulated
    ? sql`${dev_mails.id} = ${newest}`
    : sql`${dev_mails.id} <= ${newest} - ${LOCAL_MAILS_MAX}`;
  await db.batch([
    db.insert(dev_mails).values({ to, subject, html, text, link, sent_at: now }),
    db.delete(dev_mails).where(dropped),
  ]);
}
