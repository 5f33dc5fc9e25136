import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { logEvent } from '#worker/log.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { tooManyRequests } from '#worker/auth/service/errors.ts';
import type { MailKind } from '#worker/mail/compose.ts';
import { consume, type Limit } from './counters.ts';
import { counterKey, networkLimits, pairOf } from './network-limits.ts';
import { tooManySignUps } from './sign-up-limits.ts';

/**
 * Emails that anybody may request for an address. Nobody should be able to fill a stranger's
 * mailbox with our emails.
 */
const PER_ADDRESS_AND_DAY = 10;
/**
 * Less than the address's limit, so that one network cannot use that up and keep the owner from an
 * email they need.
 */
const PER_PAIR_AND_DAY = 4;
const PER_NETWORK_AND_HOUR = 10;
const PER_NETWORK_AND_DAY = 30;
/**
 * Over all addresses: bounds what is sent in the product's name, however many networks take part.
 */
const PER_HOUR = 3_000;

/**
 * Counts a requested email, whether or not the address has an account, so that the answer does not
 * reveal it. Throws 429. The limits of pairs, networks and all addresses count only where emails
 * leave this machine. `signUps`: the limits of a sign-up that sends the email, counted together
 * with it.
 */
export async function consumeMail(
  context: AuthContext,
  kind: MailKind,
  email: string,
  signUps: readonly Limit[] = [],
): Promise<void> {
  const { db, settings, now } = context;
  const interval = intervalLimit(context, kind, email);
  const address = addressMailLimit(context, email);
  const everybody = { key: counterKey(context, 'mails-all', ''), max: PER_HOUR, windowMs: HOUR_MS };
  const limits = [
    ...(settings.emailIntervalMs === 0 ? [] : [interval]),
    address,
    ...(settings.isLocal
      ? []
      : [pairLimit(context, email), ...mailNetworkLimits(context), everybody]),
    ...signUps,
  ];
  const { exceeded, reached } = await consume(db, limits, now);
  if (reached.includes(everybody))
    logEvent('auth_mail_limit_reached', { mails_per_hour: PER_HOUR });
  if (exceeded === null) return;
  if (signUps.includes(exceeded.limit)) throw tooManySignUps(exceeded.retryAfterMs);
  const seconds = Math.max(1, Math.ceil(exceeded.retryAfterMs / 1000));
  throw tooManyRequests('over_email_send_rate_limit', exceeded.retryAfterMs, (wait) => {
    // The hosted service's own sentence.
    if (exceeded.limit === interval)
      return `For security purposes, you can only request this after ${seconds} seconds.`;
    if (exceeded.limit === address)
      return `This address has been sent too many emails. Try again in ${wait}.`;
    if (exceeded.limit === everybody)
      return `We are sending too many emails right now. Try again in ${wait}.`;
    return `Too many emails were requested from your network. Try again in ${wait}.`;
  });
}

const mailNetworkLimits = (context: AuthContext): Limit[] => [
  ...networkLimits(context, 'mails-hour', PER_NETWORK_AND_HOUR, HOUR_MS),
  ...networkLimits(context, 'mails-day', PER_NETWORK_AND_DAY, DAY_MS),
];

/** The limits of one address. */
export const addressMailLimits = (context: AuthContext, email: string): Limit[] => [
  intervalLimit(context, 'signup', email),
  intervalLimit(context, 'recovery', email),
  addressMailLimit(context, email),
  pairLimit(context, email),
];

const intervalLimit = (context: AuthContext, kind: MailKind, email: string): Limit => ({
  key: counterKey(context, `mail-${kind}`, email),
  max: 1,
  windowMs: context.settings.emailIntervalMs,
});

/** The emails that a mailbox gets because anybody may cause them. */
export const addressMailLimit = (context: AuthContext, email: string): Limit => ({
  key: counterKey(context, 'mails', mailboxOf(email)),
  max: PER_ADDRESS_AND_DAY,
  windowMs: DAY_MS,
});

const pairLimit = (context: AuthContext, email: string): Limit => ({
  key: counterKey(context, 'mails-pair', pairOf(context, mailboxOf(email))),
  max: PER_PAIR_AND_DAY,
  windowMs: DAY_MS,
});

/**
 * The mailbox that an address leads to: `ann+news@` is `ann@`, and Gmail ignores dots and has two
 * domains. Otherwise one mailbox would have any number of addresses. For limits only: an account is
 * always its exact address.
 */
function mailboxOf(email: string): string {
  const untagged = email.replace(/^([^+@]+)\+[^@]*@/, '$1@');
  const [, name, isGmail] = /^(.*)@(?:(gmail|googlemail)\.com|.*)$/.exec(untagged) ?? [];
  return name === undefined || isGmail === undefined
    ? untagged
    : `${name.replaceAll('.', '')}@gmail.com`;
}
