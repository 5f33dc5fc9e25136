import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { counterKey, networkLimits, tooMany, type Attempt } from './attempt.ts';
import { codeKey } from './code-limits.ts';
import { countDown, countTry, forget, type Limit } from './counters.ts';
import { mailKeys, sharedMailLimits } from './mail-limits.ts';

/** Wrong passwords before a lock. The pair's is low; the account's is high, so that a stranger cannot lock the owner out cheaply. */
const PAIR_FAILURES = 20;
const ACCOUNT_FAILURES = 100;
const NETWORK_FAILURES = 300;
/** Each sends the owner a mail with a new link and voids the last one: all of them must fit into a mailbox. */
const CHANGES_PER_DAY = 5;

/**
 * Counts one try at a password before it is hashed. Throws 429 once the limit is used up, even where the password would
 * be right. Unknown addresses count like known ones.
 */
export async function beginPasswordTry(attempt: Attempt, email: string): Promise<void> {
  const { refused } = await countTry(attempt.db, passwordLimits(attempt, email), attempt.now);
  if (refused === null) return;
  throw tooMany(
    'over_request_rate_limit',
    refused.retryAfterMs,
    (wait) => `Too many failed sign-in attempts. Try again in ${wait}, or reset your password.`,
  );
}

/** For a try that failed before its password was compared: it was no guess, and is not held against anyone. */
export const takeBackPasswordTry =
  (attempt: Attempt, email: string) =>
  async (error: unknown): Promise<never> => {
    await countDown(
      attempt.db,
      passwordLimits(attempt, email).map((limit) => limit.key),
    );
    throw error;
  };

/** The password was right: the try is not held against anyone. */
export async function passwordWasRight(attempt: Attempt, email: string): Promise<void> {
  const [pair, ...others] = passwordLimits(attempt, email).map((limit) => limit.key);
  await countDown(attempt.db, others);
  if (pair !== undefined) await forget(attempt.db, [pair]);
}

/**
 * Counts a change of the account that the owner is told of by mail. False where the day's are used up: a change of the
 * password must then wait, because the owner would not hear of it. Where addresses are taken without a mail, anybody has an
 * account under any address, so a notice counts as a mail to a stranger.
 */
export async function takeNotice(attempt: Attempt, email: string): Promise<{ ok: true } | { ok: false; retryAfterMs: number }> {
  const limit = { key: noticeKey(attempt, email), max: CHANGES_PER_DAY, windowMs: DAY_MS };
  const shared = attempt.settings.autoconfirm ? sharedMailLimits(attempt) : [];
  const { refused } = await countTry(attempt.db, [limit, ...shared], attempt.now);
  return refused === null ? { ok: true } : { ok: false, retryAfterMs: refused.retryAfterMs };
}

/** The owner has shown that the mailbox is theirs: locks, and limits on mails to the address, end. */
export async function addressWasProven(attempt: Attempt, email: string): Promise<void> {
  await forget(attempt.db, [
    ...passwordLimits(attempt, email)
      .slice(0, 2)
      .map((limit) => limit.key),
    codeKey(attempt, email),
    noticeKey(attempt, email),
    ...mailKeys(attempt, email),
  ]);
}

/** The pair first, then the account. */
function passwordLimits(attempt: Attempt, email: string): Limit[] {
  // The whole /48 of an IPv6 network: otherwise one customer's networks add up to the account's limit and lock the owner out.
  const pair = counterKey(attempt, 'pair', `${email} ${attempt.site || attempt.network}`);
  return [
    { key: pair, max: PAIR_FAILURES, windowMs: 15 * MINUTE_MS },
    { key: counterKey(attempt, 'account', email), max: ACCOUNT_FAILURES, windowMs: 60 * MINUTE_MS },
    ...networkLimits(attempt, 'network', NETWORK_FAILURES, 15 * MINUTE_MS),
  ];
}

const noticeKey = (attempt: Attempt, email: string): string => counterKey(attempt, 'notice', email);
