import { type Signal, SIGNAL_TITLES } from '#contract/system/system.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { ALERT } from '#worker/db/system-facts.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { ALERT_MESSAGES } from '#worker/messages/system.ts';
import { adoptKvAlerts, alertsInD1, alertsInKv, type AlertState } from './alert-state.ts';
import { readFacts, type Reading } from './read-facts.ts';
import { fetchFromNetwork, hasReached, sendToChannels, type AlertMessage } from './send-alert.ts';
import { evaluateSignals } from './signals.ts';

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
    // Sending an alert again already tries the channels.
    const isRetrying = facts.stored !== null && facts.stored.unsentAlerts.count > 0;
    for (const signal of signals) {
      if (isRetrying && signal.signal === 'alerts' && signal.state === 'bad') continue;
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
  const ended = await state.claimEnd(signal.signal);
  if (ended === null) return null;
  const alert: Alert = { kind: 'end', signal, since: ended.since };
  if (ended.wasSent) return alert;
  logAlert(alert, now);
  return null;
}

/** `since` in ms. */
type Alert = { kind: 'begin' | 'end'; signal: Signal; since: number };

/** Returns the text of the alert, which the log has whatever the channels do. */
function logAlert({ kind, signal, since }: Alert, now: number): string {
  const title = SIGNAL_TITLES[signal.signal];
  const text =
    kind === 'begin'
      ? ALERT_MESSAGES.begin(title, signal.sentence)
      : ALERT_MESSAGES.end(title, now - since);
  logEvent(kind === 'begin' ? 'alert' : 'alert_over', { signal: signal.signal, text });
  return text;
}

/** Logs the alert and sends it through the channels. Returns false if it has reached nobody. */
async function sendAlert(
  env: Env,
  alert: Alert,
  now: number,
  fetcher: FetchFunction,
): Promise<boolean> {
  const { signal, sentence } = alert.signal;
  const message: AlertMessage = {
    event: alert.kind === 'begin' ? 'alert' : 'recovery',
    text: logAlert(alert, now),
    facts: { signal, sentence, since: new Date(alert.since).toISOString() },
  };
  return hasReached(await sendToChannels(env, message, now, fetcher));
}
