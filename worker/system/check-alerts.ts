import { type Signal, SIGNAL_TITLES } from '#contract/system.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { ALERT } from '#worker/db/system-facts.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { adoptKvAlerts, alertsInD1, alertsInKv, type AlertState } from './alert-state.ts';
import { readFacts, type Reading } from './read-facts.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { evaluateSignals } from './signals.ts';
import { and, eq, isNull, ne } from 'drizzle-orm';
import { SITE_NAME } from '#contract/site.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { canSendMail, createNotifier } from '#worker/mail/mailer.ts';
import { users } from '#worker/db/schema-users.ts';
import { configuredOrigins } from '#worker/redirect/configured-origins.ts';
import { ALERT_MESSAGES } from '#worker/messages/system.ts';

const fetchFromNetwork: FetchFunction = (url, init) => fetch(url, init);
/** How often the queue's consumer checks, to notice that cron has stopped. */
const CHECK_EVERY_MS = 5 * MINUTE_MS;
let checkedAt = 0;

/**
 * Reads the signals and sends the alerts that follow from them. Cron calls it every minute. Never
 * throws.
 */
export async function checkAlerts(
  env: Env,
  now: number,
  isCron: boolean,
  fetcher = fetchFromNetwork,
): Promise<void> {
  const reading = await readFacts(env, now, isCron);
  await sendAlerts(env, reading, evaluateSignals(reading.facts), fetcher);
}

/**
 * Runs `checkAlerts` at most every five minutes in an isolate, because cron cannot report that cron
 * has stopped.
 */
export async function checkAlertsSometimes(env: Env, now: number): Promise<void> {
  if (now - checkedAt < CHECK_EVERY_MS) return;
  checkedAt = now;
  await checkAlerts(env, now, false);
}

/**
 * Sends an alert for each signal that turned bad, and a message for each that no longer is. Never
 * throws.
 */
export async function sendAlerts(
  env: Env,
  { facts, stored, kvAlerts }: Reading,
  signals: readonly Signal[],
  fetcher = fetchFromNetwork,
): Promise<void> {
  const { now } = facts;
  try {
    const db = openDb(env.DB);
    const isInD1 = facts.stored !== null;
    if (isInD1) await adoptKvAlerts(db, env.LINKS, kvAlerts);
    const state: AlertState = isInD1 ? alertsInD1(db, now) : alertsInKv(env.LINKS, kvAlerts, now);
    const known = new Set([
      ...Object.keys(kvAlerts.since),
      ...stored
        .filter(({ name }) => name.startsWith(ALERT))
        .map(({ name }) => name.slice(ALERT.length)),
    ]);
    // Skipping known alerts saves a statement a minute while an alert lasts.
    const sent = new Set(stored.filter(({ value }) => value === 'sent').map(({ name }) => name));
    for (const signal of signals) {
      const alert = await claim(state, signal, now, {
        isSent: sent.has(ALERT + signal.signal),
        isKnown: known.has(signal.signal),
      });
      if (alert === null) continue;
      const wasDelivered = await sendAlert(env, alert, now, fetcher);
      await state.settle(signal.signal, alert.kind, wasDelivered);
    }
  } catch (error) {
    logEvent('alerts_not_checked', errorFacts(error));
  }
}

/**
 * Claims the message that this invocation must send about a signal; null if there is none. An
 * unknown signal neither begins nor ends an alert.
 */
async function claim(
  state: AlertState,
  signal: Signal,
  now: number,
  { isSent, isKnown }: { isSent: boolean; isKnown: boolean },
): Promise<Alert | null> {
  if (signal.state === 'bad') {
    const since = signal.since === null ? now : Date.parse(signal.since);
    return !isSent && (await state.claim(signal.signal, since))
      ? { kind: 'begin', signal, since }
      : null;
  }
  if (signal.state === 'unknown' || !isKnown) return null;
  const since = await state.claimEnd(signal.signal);
  return since === null ? null : { kind: 'end', signal, since };
}

/** `since` in ms. */
export type Alert = { kind: 'begin' | 'end'; signal: Signal; since: number };

const TIMEOUT_MS = 5_000;
const RECIPIENTS_MAX = 20;

/**
 * Tells the operator through the configured channels: the log, the webhook, and mail to the
 * administrators. Returns false if the caller should try again. No message contains personal data.
 */
export async function sendAlert(
  env: Env,
  alert: Alert,
  now: number,
  fetcher: FetchFunction,
): Promise<boolean> {
  const { kind, signal, since } = alert;
  const title = SIGNAL_TITLES[signal.signal];
  const text =
    kind === 'begin'
      ? ALERT_MESSAGES.begin(title, signal.sentence)
      : ALERT_MESSAGES.end(title, now - since);
  logEvent(kind === 'begin' ? 'alert' : 'alert_over', { signal: signal.signal, text });
  const mails = await sendMails(env, kind, text, now);
  if (!env.ALERT_WEBHOOK_URL) return true;
  return (await callWebhook(env, alert, text, now, fetcher)) || mails > 0;
}

/** Slack and compatible receivers show `text`; the other members are for programs. */
async function callWebhook(
  env: Env,
  { kind, signal, since }: Alert,
  text: string,
  now: number,
  fetcher: FetchFunction,
): Promise<boolean> {
  const { app } = configuredOrigins(env);
  const body = {
    text: `[${SITE_NAME}${app === null ? '' : ` ${app.host}`}] ${text}`,
    event: kind === 'begin' ? 'alert' : 'recovery',
    signal: signal.signal,
    sentence: signal.sentence,
    since: new Date(since).toISOString(),
    at: new Date(now).toISOString(),
  };
  try {
    const response = await fetcher(env.ALERT_WEBHOOK_URL ?? '', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      // A redirect could send the message to somebody else.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.ok) return true;
    logEvent('alert_webhook_failed', { status: response.status });
  } catch (error) {
    // The error's message is not logged, because it may quote the address, which is a secret.
    logEvent('alert_webhook_failed', { error: error instanceof Error ? error.name : 'unknown' });
  }
  return false;
}

/**
 * Mails the administrators, or the addresses in ADMIN_EMAILS if the database cannot be read.
 * Returns the number of mails.
 */
async function sendMails(
  env: Env,
  kind: Alert['kind'],
  text: string,
  now: number,
): Promise<number> {
  if (!canMail(env)) return 0;
  const requestUrl = originOf(env);
  const recipients = await readAdmins(env);
  const work: Promise<unknown>[] = [];
  const notify = createNotifier({
    env,
    db: openDb(env.DB),
    requestUrl,
    now,
    waitUntil: (sending) => void work.push(sending),
  });
  const link = new URL('/admin?tab=system', requestUrl).href;
  for (const to of recipients) await notify(composeMail(to, MAILS.alert(kind, text), link));
  await Promise.all(work);
  return recipients.length;
}

export const canMail = (env: Env): boolean => canSendMail(env, originOf(env));

const originOf = (env: Env): string => configuredOrigins(env).app?.href ?? 'http://localhost/';

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
