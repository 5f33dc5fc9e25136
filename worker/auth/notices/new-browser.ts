import { decodeJwt } from 'jose';
import { and, eq, ne } from 'drizzle-orm';
import { KEEP_UNCONFIRMED_DAYS } from '#contract/limits.ts';
import { formatUtcTime, regionName } from '#contract/language.ts';
import { DAY_MS } from '#contract/time.ts';
import { auth_sessions } from '#worker/db/schema-auth.ts';
import type { Db } from '#worker/db/client.ts';
import { logEvent } from '#worker/log.ts';
import { countNotice } from '#worker/auth/limits/attempts.ts';
import type { MailContext } from '#worker/auth/service/context.ts';
import {
  findAccountAndSession,
  updateAccount,
  type Account,
  type SessionRow,
} from '#worker/auth/service/store.ts';
import { beganAt } from '#worker/auth/service/user-json.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';

/** Browsers that an account remembers, the most recent ones. */
const KNOWN_MAX = 20;

/**
 * Tells the owner of an account about a session that began in a browser that the account does not
 * know, with a link that ends it. A browser is its name, system and country: the request has nothing
 * better. The first sign-in of a new account sends no notice.
 */
export async function tellAboutNewBrowser(
  context: MailContext,
  accessToken: string,
): Promise<void> {
  const { db, settings, now, mailer } = context;
  const { sub = '', session_id } = decodeJwt(accessToken);
  const { account, session } = await findAccountAndSession(db, sub, String(session_id));
  // A sign-in that waits for a second factor has no session yet.
  if (account === undefined || session === undefined) return;
  const known = readBrowsers(account);
  const browser = hashBrowser(settings.secret, session);
  if (known.at(-1) === browser) return;
  const others = known.includes(browser) ? [] : await listOthers(db, session);
  const browsers = [...known.filter((one) => one !== browser), browser].slice(-KNOWN_MAX);
  await updateAccount(db, account.id, { known_browsers: JSON.stringify(browsers) });
  const isFirst = account.known_browsers === null && others.length === 0 && isYoung(account, now);
  const isKnown =
    known.includes(browser) ||
    others.some((other) => hashBrowser(settings.secret, other) === browser);
  if (isFirst || isKnown) return;
  if (!(await countNotice(context, account.email, 'sign_in')).ok) {
    logEvent('auth_notice_limit_reached');
    return;
  }
  const token = randomToken();
  await db
    .update(auth_sessions)
    .set({ notice_hash: hashToken(token) })
    .where(eq(auth_sessions.id, session.id));
  const link = `${settings.appOrigin}/auth/confirm#type=session&token_hash=${token}`;
  const method = beganAt(session);
  const facts = {
    browser: session.browser,
    system: session.os,
    country: session.country === null ? null : regionName(session.country),
    time: formatUtcTime(session.created_at),
    method,
    provider: settings.oidc?.name ?? '',
  };
  await mailer.send(composeMail(account.email, MAILS.newBrowser(facts), link));
}

type Browser = Pick<SessionRow, 'user_id' | 'browser' | 'os' | 'country'>;

/** Keyed and different for each account: the database does not say which browsers somebody used. */
export const hashBrowser = (secret: string, { user_id, browser, os, country }: Browser): string =>
  keyedHash(secret, 'known-browser', JSON.stringify([user_id, browser, os, country])).slice(0, 16);

function readBrowsers({ known_browsers }: Account): string[] {
  const list: unknown = JSON.parse(known_browsers ?? '[]');
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

/** The account's other sessions: it may have signed in before it remembered browsers. */
const listOthers = (db: Db, { id, user_id }: SessionRow) =>
  db
    .select()
    .from(auth_sessions)
    .where(and(eq(auth_sessions.user_id, user_id), ne(auth_sessions.id, id)));

const isYoung = ({ created_at }: Account, now: number): boolean =>
  now - created_at < KEEP_UNCONFIRMED_DAYS * DAY_MS;
