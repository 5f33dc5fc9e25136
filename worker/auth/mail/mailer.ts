import { sql } from 'drizzle-orm';
import { logEvent } from '#worker/log.ts';
import type { Db } from '#worker/db/client.ts';
import { dev_mails } from '#worker/db/schema-auth.ts';
import { SITE_NAME } from '#contract/site.ts';
import { AuthError } from '#worker/auth/errors.ts';
import type { Mail } from './mail-text.ts';
import { keepsMails } from '#worker/auth/settings.ts';

/** How this request gets its mails out. */
export type Post = {
  /** Writes to the address, or keeps the mail on a developer's machine. A failure is logged, never thrown. */
  send: (mail: Mail) => Promise<void>;
  /** The same work without a mail: for an address that gets none. */
  pretend: (mail: Mail) => Promise<void>;
  /**
   * Work that only an existing account causes: done after the answer where mails are really sent, so that the time of
   * the answer tells nothing; on a developer's machine before it, so that the mailbox is full when the page says so.
   */
  afterAnswer: (work: Promise<void>) => Promise<void>;
  /** True where mails leave this machine. */
  leaves: boolean;
};

/** Sends a notice of something that has happened already: a mail that fails is logged, never thrown. */
export type Notify = (mail: Mail) => Promise<void>;

const MAILS_KEPT = 200;

/** Throws 500 where mails should be sent but no sender is set: for every address alike, and the log says what to do. */
export function openPost(env: Env, db: Db, requestUrl: string, now: number, waitUntil: (work: Promise<unknown>) => void): Post {
  if (keepsMails(env, requestUrl))
    return {
      send: (mail) => keep(db, mail, now),
      pretend: (mail) => keep(db, mail, now, true),
      afterAnswer: (work) => work,
      leaves: false,
    };
  if (!env.MAIL_FROM) {
    logNoSender();
    throw new AuthError(500, 'unexpected_failure', 'This server cannot send e-mail yet.');
  }
  return {
    send: (mail) => send(env, mail),
    // The answer is out by then: there is nothing left to even out.
    pretend: async () => {},
    afterAnswer: async (work) => {
      waitUntil(work.catch((error: unknown) => logFailure(error)));
    },
    leaves: true,
  };
}

export function openNotices(
  env: Env,
  db: Db,
  requestUrl: string,
  now: number,
  waitUntil: (work: Promise<unknown>) => void,
): Notify {
  if (!env.MAIL_FROM && !keepsMails(env, requestUrl)) return async () => logNoSender();
  const post = openPost(env, db, requestUrl, now, waitUntil);
  return async (mail) => {
    try {
      await post.afterAnswer(post.send(mail));
    } catch (error) {
      logFailure(error);
    }
  };
}

async function send(env: Env, mail: Mail): Promise<void> {
  const { to, subject, html, text } = mail;
  try {
    await env.EMAIL.send({ from: { email: env.MAIL_FROM, name: SITE_NAME }, to, subject, html, text });
  } catch (error) {
    logFailure(error);
  }
}

function logNoSender(): void {
  logEvent('auth_mail_not_configured', { advice: 'Set MAIL_FROM to an address of a domain onboarded for Email Sending.' });
}

function logFailure(error: unknown): void {
  // The cause, but not the address: logs hold no personal data.
  const text = error instanceof Error ? error.message : String(error);
  logEvent('auth_mail_failed', { error: text.replaceAll(/\S+@\S+/g, '<address>') });
}

/** Bounded: a mailbox nobody empties must not grow for ever. `pretended` mails go again in the same batch. */
async function keep(db: Db, mail: Mail, now: number, pretended = false): Promise<void> {
  const { to, subject, html, text, link } = mail;
  const newest = sql`(SELECT max(id) FROM dev_mails)`;
  const gone = pretended ? sql`${dev_mails.id} = ${newest}` : sql`${dev_mails.id} <= ${newest} - ${MAILS_KEPT}`;
  await db.batch([
    db.insert(dev_mails).values({ to, subject, html, text, link, sent_at: now }),
    db.delete(dev_mails).where(gone),
  ]);
}
