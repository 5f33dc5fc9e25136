import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import type { Reason } from '#worker/auth/service/problems.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import type { Limit } from './counters.ts';

/**
 * Whom a limit counts. `pair` and `mailboxPair` combine the address or its mailbox with the
 * caller's network; `all` counts every caller together.
 */
type Subject = 'address' | 'pair' | 'mailbox' | 'mailboxPair' | 'network' | 'all';
type Rule = {
  by: Subject;
  max: number;
  /** `interval` stands for AUTH_EMAIL_INTERVAL_SECONDS. If that is 0, there is no limit. */
  windowMs: number | 'interval';
  reason: Reason;
  /** The limit of the /48 around an IPv6 network, as a multiple of `max`. */
  siteFactor?: number;
  /** Not counted on a developer's machine, because it protects strangers and capacity. */
  remoteOnly?: true;
};

const DAY = { windowMs: DAY_MS } as const;
const HOUR = { windowMs: HOUR_MS } as const;
const QUARTER = { windowMs: 15 * MINUTE_MS } as const;
const PASSWORDS = { reason: 'passwords_limited' } as const;
const CODES = { reason: 'codes_limited' } as const;
const NOTICES = { by: 'address', ...DAY, reason: 'notices_limited' } as const;
const INTERVAL = { by: 'address', max: 1, windowMs: 'interval', reason: 'mail_too_soon' } as const;
const NETWORK_MAILS = { reason: 'network_mails_limited', remoteOnly: true } as const;
const SIGN_UPS = { by: 'network', reason: 'sign_ups_limited', remoteOnly: true } as const;
/** The /48 has a limit too, because one customer of a provider may hold all of its networks. */
const OPEN_SITE = { by: 'network', siteFactor: 20 } as const;
const NARROW_SITE = { by: 'network', siteFactor: 5 } as const;

/**
 * Every limit, by the purpose in its counters' keys (docs/auth-protocol.md#limits). One network can
 * use up only part of an address's limit, so nobody can be locked out from a single network.
 */
const RULES = {
  /** Wrong passwords. */
  pair: { by: 'pair', max: 20, ...QUARTER, ...PASSWORDS },
  account: { by: 'address', max: 100, ...HOUR, ...PASSWORDS },
  network: { ...OPEN_SITE, max: 300, ...QUARTER, ...PASSWORDS },

  /**
   * Guesses at mailed codes, in addition to the five that each code allows. The link in the same
   * email has no such limit.
   */
  'code-pair': { by: 'pair', max: 20, ...DAY, ...CODES },
  'code-address': { by: 'address', max: 100, ...DAY, ...CODES },
  /** One /48 can use up at most a quarter of `code-all`. */
  'code-network': { ...NARROW_SITE, max: 30, ...HOUR, ...CODES },
  /** A botnet that guesses at many addresses finds a code with a probability of 1.4 % a day. */
  'code-all': { by: 'all', max: 600, ...HOUR, ...CODES },

  /**
   * Wrong codes of a second factor. Proving the mailbox does not clear them: they protect the account
   * from somebody who has it.
   */
  'factor-address': { by: 'address', max: 5, ...QUARTER, reason: 'factor_limited' },
  /** Somebody who knows the password finds a code with a probability of 0.009 % a day. */
  'factor-day': { by: 'address', max: 30, ...DAY, reason: 'factor_limited' },
  'factor-network': { ...NARROW_SITE, max: 30, ...HOUR, reason: 'factor_limited' },

  /** Emails that anybody may request for an address. */
  'mail-signup': INTERVAL,
  'mail-recovery': INTERVAL,
  'mail-provider': INTERVAL,
  mails: { by: 'mailbox', max: 10, ...DAY, reason: 'address_mails_limited' },
  'mails-pair': { by: 'mailboxPair', max: 4, ...DAY, ...NETWORK_MAILS },
  'mails-hour': { ...OPEN_SITE, max: 10, ...HOUR, ...NETWORK_MAILS },
  'mails-day': { ...OPEN_SITE, max: 30, ...DAY, ...NETWORK_MAILS },
  /** Limits the emails sent in the product's name, however many networks take part. */
  'mails-all': { by: 'all', max: 3_000, ...HOUR, reason: 'all_mails_limited', remoteOnly: true },

  /** Every account gets a quota of links, and every sign-up costs a password hash. */
  'signups-hour': { ...NARROW_SITE, max: 10, ...HOUR, ...SIGN_UPS },
  'signups-day': { ...NARROW_SITE, max: 30, ...DAY, ...SIGN_UPS },

  /**
   * Emails about a change. Plan changes have a separate limit, so that they cannot use up the
   * notices about a new password. Each notice about a password voids the link in the previous one.
   */
  notice: { max: 5, ...NOTICES },
  /** Notices of sign-ins in new browsers. The sign-in itself is never refused. */
  'sign-in-notice': { max: 3, ...NOTICES },
  'plan-notice': { max: 10, ...NOTICES },
  /** Higher than the number of API keys that an account may have. */
  'key-notice': { max: 30, ...NOTICES },
  'factor-notice': { max: 10, ...NOTICES },
} as const satisfies Record<string, Rule>;

export type Purpose = keyof typeof RULES;
type CountedLimit = Limit & { reason: Reason; counts: boolean };

export const PASSWORD_LIMITS = ['pair', 'account', 'network'] as const;
export const CODE_LIMITS = ['code-pair', 'code-address', 'code-network', 'code-all'] as const;
export const FACTOR_LIMITS = ['factor-address', 'factor-day', 'factor-network'] as const;
/**
 * Nobody can guess a recovery code, so it works while somebody else uses up the tries of the
 * account.
 */
export const RECOVERY_CODE_LIMITS = ['factor-network'] as const;
export const SIGN_UP_LIMITS = ['signups-hour', 'signups-day'] as const;
/** The limits of an address, which are reset once its owner has used a mailed link or code. */
export const ADDRESS_LIMITS = [
  'pair',
  'account',
  'code-pair',
  'code-address',
  'notice',
  'sign-in-notice',
  'plan-notice',
  'key-notice',
  'factor-notice',
  'mail-signup',
  'mail-recovery',
  'mail-provider',
  'mails',
  'mails-pair',
] as const;

/**
 * The limits of these purposes for an address and the caller. An IPv6 network adds the limit of its
 * /48. Limits that do not count in this deployment are included.
 */
export const allLimitsOf = (
  context: AuthContext,
  purposes: readonly Purpose[],
  email: string,
): CountedLimit[] => purposes.flatMap((purpose) => limitsOfOne(context, purpose, email));

export const limitsOf = (
  context: AuthContext,
  purposes: readonly Purpose[],
  email: string,
): CountedLimit[] => allLimitsOf(context, purposes, email).filter(({ counts }) => counts);

function limitsOfOne(context: AuthContext, purpose: Purpose, email: string): CountedLimit[] {
  const { settings, site } = context;
  const rule: Rule = RULES[purpose];
  const windowMs = rule.windowMs === 'interval' ? settings.emailIntervalMs : rule.windowMs;
  const counts = windowMs > 0 && !(rule.remoteOnly && settings.isLocal);
  const { max, reason, siteFactor = 1 } = rule;
  const key = (name: string, value: string): string =>
    `auth:${name}:${keyedHash(settings.secret, `counter:${name}`, value)}`;
  const own = {
    key: key(purpose, subjectOf(context, rule.by, email)),
    max,
    windowMs,
    reason,
    counts,
  };
  if (rule.by !== 'network' || site === '') return [own];
  return [own, { ...own, key: key(`${purpose}-site`, site), max: max * siteFactor }];
}

function subjectOf(context: AuthContext, by: Subject, email: string): string {
  // Uses the whole /48 for IPv6. Otherwise the networks of one customer together could reach the
  // limit that an address has over all networks.
  const place = context.site || context.network;
  const subjects: Record<Subject, string> = {
    address: email,
    pair: `${email} ${place}`,
    mailbox: mailboxOf(email),
    mailboxPair: `${mailboxOf(email)} ${place}`,
    network: context.network,
    all: '',
  };
  return subjects[by];
}

/**
 * Returns the mailbox of an address: `ann+news@` is `ann@`, and Gmail ignores dots and has two
 * domains. Otherwise one mailbox would have any number of addresses. Only limits use it: an account
 * is always its exact address.
 */
function mailboxOf(email: string): string {
  const untagged = email.replace(/^([^+@]+)\+[^@]*@/, '$1@');
  const [, name, isGmail] = /^(.*)@(?:(gmail|googlemail)\.com|.*)$/.exec(untagged) ?? [];
  return name === undefined || isGmail === undefined
    ? untagged
    : `${name.replaceAll('.', '')}@gmail.com`;
}
