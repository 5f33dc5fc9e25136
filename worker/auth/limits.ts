import type { Db } from '#worker/db/client.ts';
import { AuthError } from './auth-problem.ts';
import { countDown, countUp, forget, type Count, type Limit } from './counters.ts';
import { fingerprint } from './secrets.ts';
import type { AuthSettings } from './settings.ts';
import type { Kind } from './store.ts';

const MINUTE = 60_000;

/** Wrong passwords before a lock. The pair's is low; the account's is high, so that a stranger cannot lock the owner out cheaply. */
const PAIR_FAILURES = 20;
const ACCOUNT_FAILURES = 100;
const NETWORK_FAILURES = 300;
const CODE_FAILURES = 20;
const MAILS_PER_NETWORK = 60;

/** Who is trying, from where: the address and the network appear in the database only as keyed fingerprints. */
export type Attempt = { db: Db; settings: AuthSettings; network: string; now: number };

/**
 * Counts one try at a password before it is hashed. Throws 429 once the limit is used up, even where the password would
 * be right (threats row 16). Unknown addresses count like known ones.
 */
export async function beginPasswordTry(attempt: Attempt, email: string): Promise<void> {
  const limits = passwordLimits(attempt, email);
  const count = await countUp(attempt.db, limits, attempt.now);
  if (!count.over) return;
  await uncount(attempt, limits);
  throw tooMany(count, (wait) => `Too many failed sign-in attempts. Try again in ${wait}, or reset your password.`);
}

/** For a try that failed before its password was compared (the queue of hashes was full): it was no guess and does not count. */
export const takeBackPasswordTry =
  (attempt: Attempt, email: string) =>
  async (error: unknown): Promise<never> => {
    await uncount(attempt, passwordLimits(attempt, email));
    throw error;
  };

/** A refused try must not go on filling the account's counter, or one network could lock the owner out. */
function uncount(attempt: Attempt, limits: readonly Limit[]): Promise<void> {
  return countDown(
    attempt.db,
    limits.map((limit) => limit.key),
  );
}

/** The password was right: the try is not held against anyone. */
export async function passwordWasRight(attempt: Attempt, email: string): Promise<void> {
  const [pair, account, network] = passwordLimits(attempt, email).map((limit) => limit.key);
  if (pair === undefined || account === undefined || network === undefined) return;
  await attempt.db.$client.batch([
    attempt.db.$client.prepare('DELETE FROM counters WHERE key = ?').bind(pair),
    attempt.db.$client.prepare('UPDATE counters SET count = count - 1 WHERE count > 0 AND key IN (?, ?)').bind(account, network),
  ]);
}

/** The owner has shown that the mailbox is theirs: locks and mail intervals on the address end. */
export async function addressWasProven(attempt: Attempt, email: string): Promise<void> {
  const keys = passwordLimits(attempt, email).slice(0, 2);
  await forget(attempt.db, [
    ...keys.map((limit) => limit.key),
    codeLimit(attempt, email).key,
    mailKey(attempt, 'signup', email),
    mailKey(attempt, 'recovery', email),
  ]);
}

/** One try at a mailed 6-digit code. Throws 429. */
export async function beginCodeTry(attempt: Attempt, email: string): Promise<void> {
  const count = await countUp(attempt.db, [codeLimit(attempt, email)], attempt.now);
  if (count.over) throw tooMany(count, (wait) => `Too many wrong codes. Try again in ${wait}.`);
}

/**
 * One mail of a kind per address and interval, whether or not the address has an account: the answer tells nothing
 * about it. Throws 429. Where mails really leave (`limitNetwork`), a network has a ceiling an hour, too.
 */
export async function takeMailSlot(attempt: Attempt, kind: Kind, email: string, limitNetwork: boolean): Promise<void> {
  const { db, settings, now } = attempt;
  const network: Limit = { key: key(attempt, 'mails', attempt.network), max: MAILS_PER_NETWORK, windowMs: 60 * MINUTE };
  if (limitNetwork && (await countUp(db, [network], now)).over)
    throw new AuthError(429, 'over_email_send_rate_limit', 'email rate limit exceeded');
  if (settings.emailIntervalMs === 0) return;
  const count = await countUp(db, [{ key: mailKey(attempt, kind, email), max: 1, windowMs: settings.emailIntervalMs }], now);
  if (!count.over) return;
  if (limitNetwork) await countDown(db, [network.key]);
  const seconds = Math.max(1, Math.ceil(count.retryAfterMs / 1000));
  throw new AuthError(
    429,
    'over_email_send_rate_limit',
    `For security purposes, you can only request this after ${seconds} seconds.`,
    { retryAfter: seconds },
  );
}

function passwordLimits(attempt: Attempt, email: string): Limit[] {
  return [
    { key: key(attempt, 'pair', `${email} ${attempt.network}`), max: PAIR_FAILURES, windowMs: 15 * MINUTE },
    { key: key(attempt, 'account', email), max: ACCOUNT_FAILURES, windowMs: 60 * MINUTE },
    { key: key(attempt, 'network', attempt.network), max: NETWORK_FAILURES, windowMs: 15 * MINUTE },
  ];
}

const codeLimit = (attempt: Attempt, email: string): Limit => ({
  key: key(attempt, 'code', email),
  max: CODE_FAILURES,
  windowMs: 60 * MINUTE,
});

const mailKey = (attempt: Attempt, kind: Kind, email: string): string => key(attempt, `mail-${kind}`, email);

const key = (attempt: Attempt, purpose: string, value: string): string =>
  `auth:${purpose}:${fingerprint(attempt.settings.secret, `counter:${purpose}`, value)}`;

function tooMany(count: Count, message: (wait: string) => string): AuthError {
  const minutes = Math.ceil(count.retryAfterMs / MINUTE);
  return new AuthError(429, 'over_request_rate_limit', message(minutes === 1 ? '1 minute' : `${minutes} minutes`), {
    retryAfter: Math.ceil(count.retryAfterMs / 1000),
  });
}
