import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { dev_mails } from '#worker/db/schema-auth.ts';
import { errorText, logEvent } from '#worker/log.ts';
import type { Mail } from './compose.ts';
import { usesLocalMailbox } from './local-mailbox.ts';
import { parseSender, type Sender } from './sender.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';

export type Mailer = {
  /** Sends the email, or stores it in the local mailbox. A failure is logged, never thrown. */
  send: (mail: Mail) => Promise<void>;
  /** Does the same work without sending, for an address that gets no email. */
  simulate: (mail: Mail) => Promise<void>;
  /**
   * Runs work that happens only for an existing account. Where emails are really sent it runs after
   * the response, so that the response time reveals nothing. With the local mailbox it runs before,
   * so that the email is there when the page says so.
   */
  defer: (work: Promise<void>) => Promise<void>;
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

/** Returns null if emails have to be sent and MAIL_FROM names no sender. The log says what to do. */
export function createMailer({ env, db, requestUrl, now, waitUntil }: MailerInput): Mailer | null {
  if (usesLocalMailbox(env, requestUrl))
    return {
      send: (mail) => storeLocally(db, mail, now),
      simulate: (mail) => storeLocally(db, mail, now, true),
      defer: (work) => work,
    };
  const sender = parseSender(env.MAIL_FROM ?? '');
  if (sender === null) {
    logMissingSender();
    return null;
  }
  return {
    send: (mail) => send(env, sender, mail),
    // There is nothing to simulate: this runs after the response, where no time is measured.
    simulate: async () => {},
    defer: async (work) => {
      waitUntil(work.catch((error: unknown) => logFailure(error)));
    },
  };
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

async function send(env: Env, from: Sender, mail: Mail): Promise<void> {
  const { to, subject, html, text, headers } = mail;
  try {
    await env.EMAIL.send({
      from,
      to,
      subject,
      html,
      text,
      ...(headers && { headers }),
    });
  } catch (error) {
    logFailure(error);
  }
}

function logMissingSender(): void {
  logEvent('auth_mail_not_configured', {
    advice: 'Set MAIL_FROM to an address of a domain that is set up for Email Sending.',
  });
}

/** Logs the cause without any address: logs contain no personal data. */
function logFailure(error: unknown): void {
  logEvent('auth_mail_failed', { error: errorText(error).replaceAll(/\S+@\S+/g, '<address>') });
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
