import type { Signal } from '#contract/system.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { ALERT } from '#worker/db/system-facts.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { adoptKvAlerts, alertsInD1, alertsInKv, type AlertState } from './alert-state.ts';
import { readFacts, type Reading } from './read-facts.ts';
import { sendAlert, type Alert } from './send-alert.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { evaluateSignals } from './signals.ts';

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
