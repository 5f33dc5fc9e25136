import { errorText } from '#worker/log.ts';
import { observe } from '#worker/metrics/counters.ts';
import type { ClickWindow } from './click-event.ts';
import { clickQueue } from './click-queues.ts';
import {
  toMessage,
  type ClickBuffer,
  type WindowDelivery,
  type OpenWindow,
} from './click-window.ts';
import type { Fold } from './limit-folds.ts';
import type { RecordLoss } from './record-loss.ts';
import { assignVisitorIds } from './visitor-id.ts';
import { withTimeout } from './with-timeout.ts';

/** Dependencies from outside of the redirect's folder. */
export type DeliveryDeps = {
  /** Folds a window into D1 without the queue. Idempotent by the window's id. */
  fold: Fold;
  log: (event: string, facts: Record<string, string | number>) => void;
  /** Stores the number of clicks that were lost, 0 included. Never throws. */
  recordLoss: RecordLoss;
};

/**
 * Times in ms. Together they stay within the 30 s that the platform grants `waitUntil`. `foldMs`
 * includes the wait for a slot.
 */
export type DeliveryLimits = { sendMs: number; attempts: number; pauseMs: number; foldMs: number };
const LIMITS: DeliveryLimits = { sendMs: 3_000, attempts: 3, pauseMs: 500, foldMs: 16_000 };

/**
 * Delivers a full window, or waits and delivers the open one: assigns the visitor ids and sends the
 * window to the queue, with retries. If the queue fails or hangs, the window is folded into D1
 * directly; because of its id, an attempt that did reach the queue is not counted twice. If that
 * fails as well, it logs and records the number of lost clicks. Never throws.
 */
export async function deliverWindow(
  delivery: WindowDelivery,
  buffer: ClickBuffer,
  env: Env,
  deps: DeliveryDeps,
  limits: DeliveryLimits = LIMITS,
): Promise<void> {
  const window =
    'window' in delivery ? delivery.window : await waitAndClose(delivery.waitMs, buffer);
  if (window === null) return;
  await assignVisitorIds(window.clicks, env);
  const message = toMessage(window);
  const error = (await send(env, message, limits)) && (await fold(env, message, deps, limits));
  if (error !== '') deps.log('click_lost', { clicks: message.e.length, error });
  const dropped = buffer.release(window);
  if (dropped > 0) deps.log('click_lost', { clicks: dropped, error: 'too many clicks pending' });
  const lost = dropped + (error === '' ? 0 : message.e.length);
  if (lost > 0) observe('hop.clicks.lost', lost);
  await deps.recordLoss(env, lost, Date.now());
}

/** Null if another request has filled and delivered the window during the wait. */
async function waitAndClose(waitMs: number, buffer: ClickBuffer): Promise<OpenWindow | null> {
  if (waitMs > 0) await scheduler.wait(waitMs);
  return buffer.close();
}

/** Which of several queues this isolate begins with; below 0 until its first window. */
const isolate = { draw: -1 };

/** Returns '' if a queue accepted the message, else the last error. */
async function send(
  env: Env,
  message: ClickWindow,
  { sendMs, attempts, pauseMs }: DeliveryLimits,
): Promise<string> {
  let lastError = '';
  if (isolate.draw < 0) isolate.draw = Math.random();
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await scheduler.wait(pauseMs * attempt * (0.5 + Math.random() / 2));
    try {
      await withTimeout(sendMs, clickQueue(env, isolate.draw, attempt).send(message));
      return '';
    } catch (error) {
      lastError = errorText(error);
    }
  }
  return lastError;
}

/** Returns '' if D1 has counted the message, else the error. */
async function fold(
  env: Env,
  message: ClickWindow,
  deps: DeliveryDeps,
  { foldMs }: DeliveryLimits,
): Promise<string> {
  try {
    await withTimeout(foldMs, deps.fold(env, message, Date.now()));
    return '';
  } catch (error) {
    return errorText(error);
  }
}
