import type { ClickWindow } from './click-event.ts';
import { toMessage, type ClickBuffer, type Delivery } from './click-window.ts';
import { within } from './time-limit.ts';
import { markVisitors } from './visitor-key.ts';

/** What delivery needs from outside the hot path. */
export type ClickOutlets = {
  /** Folds a window into D1 without the queue; idempotent by the window's id. */
  fold: (env: Env, window: ClickWindow, now: number) => Promise<unknown>;
  log: (event: string, facts: Record<string, string | number>) => void;
};

/** Together they end within the 30 s that the platform grants `waitUntil`. Times in ms. */
export type Patience = { sendMs: number; attempts: number; pauseMs: number; foldMs: number };
const PATIENCE: Patience = { sendMs: 3_000, attempts: 3, pauseMs: 500, foldMs: 10_000 };

/**
 * Delivers a window when its time is over: marks its visitors, sends it to the queue, with retries; if the queue
 * fails or hangs, folds it straight into D1 under the same id, so that an attempt that did get through counts no
 * second time; if that fails too, logs how many clicks are lost. Never throws.
 */
export async function deliver(
  { window, waitMs }: Delivery,
  buffer: ClickBuffer,
  env: Env,
  outlets: ClickOutlets,
  patience: Patience = PATIENCE,
): Promise<void> {
  if (waitMs > 0) await scheduler.wait(waitMs);
  if (!buffer.take(window)) return;
  await markVisitors(window.clicks, env);
  const message = toMessage(window);
  const trouble = (await trySending(env.CLICKS, message, patience)) && (await tryFolding(env, message, outlets, patience));
  if (trouble !== '') outlets.log('click_lost', { clicks: message.e.length, error: trouble });
  const dropped = buffer.done(window);
  if (dropped > 0) outlets.log('click_lost', { clicks: dropped, error: 'too many clicks pending' });
}

/** '' = sent; otherwise why not. */
async function trySending(queue: Queue, message: ClickWindow, { sendMs, attempts, pauseMs }: Patience): Promise<string> {
  let trouble = '';
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await scheduler.wait(pauseMs * attempt * (0.5 + Math.random() / 2));
    try {
      await within(sendMs, queue.send(message));
      return '';
    } catch (error) {
      trouble = String(error);
    }
  }
  return trouble;
}

async function tryFolding(env: Env, message: ClickWindow, outlets: ClickOutlets, { foldMs }: Patience): Promise<string> {
  try {
    await within(foldMs, outlets.fold(env, message, Date.now()));
    return '';
  } catch (error) {
    return String(error);
  }
}
