import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { logEvent } from '#worker/log.ts';
import { counterKey, networkLimits, tooMany, type Attempt } from './attempt.ts';
import { countTry, type Limit } from './counters.ts';
import type { MailKind } from '#worker/auth/store.ts';

/** Mails that anybody may have sent to an address, and from a network. A stranger's mailbox must not be filled through us. */
const PER_ADDRESS_AND_DAY = 10;
/** Fewer than the address's own limit, so that no single network can use that up and keep the owner from a mail they need. */
const PER_PAIR_AND_DAY = 4;
const PER_NETWORK_AND_HOUR = 10;
const PER_NETWORK_AND_DAY = 30;
/** Over all addresses: what is sent in the product's name stays bounded, however many networks ask. */
const PER_HOUR = 3_000;

/**
 * Counts a mail that was asked for, whether or not the address has an account: the answer tells nothing about it.
 * Throws 429. `leaves`: mails leave this machine, so the limits of networks and the overall limit count, too.
 */
export async function takeMailSlot(attempt: Attempt, kind: MailKind, email: string, leaves: boolean): Promise<void> {
  const { db, settings, now } = attempt;
  const interval = { key: intervalKey(attempt, kind, email), max: 1, windowMs: settings.emailIntervalMs };
  const address = { key: dayKey(attempt, email), max: PER_ADDRESS_AND_DAY, windowMs: DAY_MS };
  const pair = { key: pairKey(attempt, email), max: PER_PAIR_AND_DAY, windowMs: DAY_MS };
  const [everybody, ...networks] = sharedMailLimits(attempt);
  const limits = [
    ...(settings.emailIntervalMs === 0 ? [] : [interval]),
    address,
    ...(leaves ? [pair, ...networks, everybody] : []),
  ];
  const { refused, filled } = await countTry(db, limits, now);
  if (filled.includes(everybody)) logEvent('auth_mail_limit_reached', { mails_per_hour: PER_HOUR });
  if (refused === null) return;
  const seconds = Math.max(1, Math.ceil(refused.retryAfterMs / 1000));
  throw tooMany('over_email_send_rate_limit', refused.retryAfterMs, (wait) => {
    if (refused.limit === interval) return `For security purposes, you can only request this after ${seconds} seconds.`;
    if (refused.limit === address) return `This address has been sent too many emails. Try again in ${wait}.`;
    if (refused.limit === everybody) return `We are sending too many emails right now. Try again in ${wait}.`;
    return `Too many emails were requested from your network. Try again in ${wait}.`;
  });
}

/** The limits that mails to all addresses share: everybody's, then the network's. */
export const sharedMailLimits = (attempt: Attempt): [Limit, ...Limit[]] => [
  { key: counterKey(attempt, 'mails-all', ''), max: PER_HOUR, windowMs: HOUR_MS },
  ...networkLimits(attempt, 'mails-hour', PER_NETWORK_AND_HOUR, HOUR_MS),
  ...networkLimits(attempt, 'mails-day', PER_NETWORK_AND_DAY, DAY_MS),
];

/** The counters of one address. */
export const mailKeys = (attempt: Attempt, email: string): string[] => [
  intervalKey(attempt, 'signup', email),
  intervalKey(attempt, 'recovery', email),
  dayKey(attempt, email),
  pairKey(attempt, email),
];

const intervalKey = (attempt: Attempt, kind: MailKind, email: string): string => counterKey(attempt, `mail-${kind}`, email);

const dayKey = (attempt: Attempt, email: string): string => counterKey(attempt, 'mails', mailboxOf(email));

/** The address and who asks: the IPv4 network, or the /48 around an IPv6 one. */
const pairKey = (attempt: Attempt, email: string): string =>
  counterKey(attempt, 'mails-pair', `${mailboxOf(email)} ${attempt.site || attempt.network}`);

/** The address without its tag (`ann+news@` is `ann@`): otherwise one mailbox has as many addresses as somebody can think of. */
const mailboxOf = (email: string): string => email.replace(/^([^+@]+)\+[^@]*@/, '$1@');
