import { and, eq, isNull, ne } from 'drizzle-orm';
import { SITE_NAME } from '#contract/site.ts';
import type { ChannelResult } from '#contract/system/system.ts';
import { openDb } from '#worker/db/client.ts';
import { users } from '#worker/db/schema-users.ts';
import { recordChannel } from '#worker/db/system-facts.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { errorText, logEvent } from '#worker/log.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { canSendMail, createMailer } from '#worker/mail/mailer.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { CHANNEL_FAULTS } from '#worker/messages/system.ts';
import { ownUrl } from '#worker/http/origins.ts';
import { configuredOrigins } from '#worker/redirect/configured-origins.ts';
import { withTimeout } from '#worker/redirect/with-timeout.ts';

/** A message about the installation. It contains no personal data. */
export type AlertMessage = {
  event: 'alert' | 'recovery' | 'test';
  text: string;
  /** Further members for programs that read the webhook. */
  facts: Record<string, string>;
};

export const fetchFromNetwork: FetchFunction = (url, init) => fetch(url, init);

const WEBHOOK_TIMEOUT_MS = 5_000;
const MAIL_TIMEOUT_MS = 10_000;
const RECIPIENTS_MAX = 20;

/**
 * Sends a message through every channel that is set: the webhook, and mail to the administrators.
 * Returns how each of them went, and stores which of them fail. Never throws.
 */
export async function sendToChannels(
  env: Env,
  message: AlertMessage,
  now: number,
  fetcher: FetchFunction = fetchFromNetwork,
): Promise<ChannelResult[]> {
  const sending = channelsOf(env).map((channel) =>
    channel === 'mail' ? sendMails(env, message, now) : callWebhook(env, message, now, fetcher),
  );
  return Promise.all(sending);
}

/** True if the message has reached somebody. */
export const hasReached = (results: readonly ChannelResult[]): boolean =>
  results.some(({ sent }) => sent > 0);

/** The channels that the settings name. */
export const channelsOf = (env: Env): ChannelResult['channel'][] => [
  ...(canSendMail(env, ownUrl(env)) ? (['mail'] as const) : []),
  ...(env.ALERT_WEBHOOK_URL ? (['webhook'] as const) : []),
];

/** Slack and compatible receivers show `text`; the other members are for programs. */
async function callWebhook(
  env: Env,
  { event, text, facts }: AlertMessage,
  now: number,
  fetcher: FetchFunction,
): Promise<ChannelResult> {
  const { app } = configuredOrigins(env);
  const body = {
    text: `[${SITE_NAME}${app === null ? '' : ` ${app.host}`}] ${text}`,
    event,
    ...facts,
    at: new Date(now).toISOString(),
  };
  let fault: string | null;
  try {
    const response = await fetcher(env.ALERT_WEBHOOK_URL ?? '', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      // A redirect could send the message to somebody else.
      redirect: 'manual',
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    });
    await response.body?.cancel();
    fault = response.ok ? null : CHANNEL_FAULTS.status(response.status);
    if (!response.ok) logEvent('alert_webhook_failed', { status: response.status });
  } catch (error) {
    // The error's message is not logged, because it may quote the address, which is a secret.
    logEvent('alert_webhook_failed', { error: error instanceof Error ? error.name : 'unknown' });
    fault = CHANNEL_FAULTS.silent;
  }
  await recordChannel(openDb(env.DB), 'webhook', fault, now);
  return resultOf('webhook', [fault]);
}

/**
 * Mails the administrators, or the addresses in ADMIN_EMAILS if the database cannot be read. The
 * mailer stores whether mail works.
 */
async function sendMails(env: Env, message: AlertMessage, now: number): Promise<ChannelResult> {
  const requestUrl = ownUrl(env);
  const recipients = await readAdmins(env);
  if (recipients.length === 0) return resultOf('mail', [], CHANNEL_FAULTS.nobody);
  const waitUntil = () => undefined;
  const mailer = createMailer({ env, db: openDb(env.DB), requestUrl, now, waitUntil });
  const link = new URL('/admin?tab=system', requestUrl).href;
  const send = async (to: string): Promise<string | null> => {
    const mail = composeMail(to, MAILS.alert(message.event, message.text), link);
    try {
      return await withTimeout(MAIL_TIMEOUT_MS, mailer?.send(mail) ?? Promise.resolve(''));
    } catch (error) {
      return errorText(error);
    }
  };
  return resultOf('mail', await Promise.all(recipients.map(send)));
}

/** `faults`: one for each message, null if it was accepted. */
function resultOf(
  channel: ChannelResult['channel'],
  faults: readonly (string | null)[],
  fault = faults.find((one) => one !== null) ?? '',
): ChannelResult {
  const sent = faults.filter((one) => one === null).length;
  return { channel, sent, failed: faults.length - sent, fault };
}

async function readAdmins(env: Env): Promise<string[]> {
  const listed = (env.ADMIN_EMAILS ?? '').split(',').map((email) => email.trim());
  try {
    const admins = await openDb(env.DB)
      .select({ email: users.email })
      .from(users)
      .where(and(eq(users.role, 'admin'), isNull(users.suspended_at), ne(users.email, '')))
      .limit(RECIPIENTS_MAX);
    return admins.map(({ email }) => email);
  } catch {
    return listed.filter((email) => email !== '').slice(0, RECIPIENTS_MAX);
  }
}
