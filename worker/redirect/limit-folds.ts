import type { ClickWindow } from './click-event.ts';

export type Fold = (env: Env, window: ClickWindow, now: number) => Promise<unknown>;

/** Times in ms. */
export type FoldLimits = { concurrent: number; maxWaitMs: number; pollMs: number };
const LIMITS: FoldLimits = { concurrent: 2, maxWaitMs: 6_000, pollMs: 100 };
/**
 * The platform cancels a request's work 30 s after its response, so a fold that started earlier has
 * ended.
 */
const FOLD_LIFETIME_MS = 30_000;

/**
 * `fold` with at most `concurrent` calls at once in this isolate. Direct folds replace a queue that
 * fails, and too many of them would keep the API from D1. A call waits for a slot and rejects after
 * `maxWaitMs` without having folded. A slot is freed by time, so that a cancelled request cannot
 * keep it.
 */
export function limitFolds(
  fold: Fold,
  { concurrent, maxWaitMs, pollMs }: FoldLimits = LIMITS,
): Fold {
  /** When the fold in each slot has ended at the latest, in ms since 1970. 0 = the slot is free. */
  const endsAt = Array.from({ length: concurrent }, () => 0);

  return async (env, window, now) => {
    const giveUpAt = Date.now() + maxWaitMs;
    let slot = endsAt.findIndex((end) => end <= Date.now());
    while (slot === -1) {
      if (Date.now() >= giveUpAt) throw new Error('too many direct folds');
      await scheduler.wait(pollMs);
      slot = endsAt.findIndex((end) => end <= Date.now());
    }
    const slotEndsAt = Date.now() + FOLD_LIFETIME_MS;
    endsAt[slot] = slotEndsAt;
    try {
      return await fold(env, window, now);
    } finally {
      // After its lifetime, the slot may belong to another fold.
      if (endsAt[slot] === slotEndsAt) endsAt[slot] = 0;
    }
  };
}
