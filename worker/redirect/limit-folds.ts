import type { ClickWindow } from './click-event.ts';

export type Fold = (env: Env, window: ClickWindow, now: number) => Promise<unknown>;

/** Times in ms. */
export type FoldLimits = { concurrent: number; maxWaitMs: number; pollMs: number };
const LIMITS: FoldLimits = { concurrent: 2, maxWaitMs: 6_000, pollMs: 100 };
/**
 * The platform cancels a request's work 30 s after its response: a fold of an older start has
 * ended, even if nobody was told.
 */
const FOLD_LIFETIME_MS = 30_000;

/**
 * `fold` with at most `concurrent` calls at once in this isolate. Direct folds are for a queue that
 * fails: more of them would keep D1 from the API, which needs it as much. A call waits for its turn
 * and rejects after `maxWaitMs` without having folded. A turn is a time, not a promise of another
 * request, so that a cancelled request cannot keep it.
 */
export function limitFolds(
  fold: Fold,
  { concurrent, maxWaitMs, pollMs }: FoldLimits = LIMITS,
): Fold {
  /** When each running fold has ended at the latest, in ms since 1970. 0 = no fold is running. */
  const endsAt = Array.from({ length: concurrent }, () => 0);

  return async (env, window, now) => {
    const giveUpAt = Date.now() + maxWaitMs;
    let turn = endsAt.findIndex((end) => end <= Date.now());
    while (turn === -1) {
      if (Date.now() >= giveUpAt) throw new Error('too many direct folds');
      await scheduler.wait(pollMs);
      turn = endsAt.findIndex((end) => end <= Date.now());
    }
    const expiresAt = Date.now() + FOLD_LIFETIME_MS;
    endsAt[turn] = expiresAt;
    try {
      return await fold(env, window, now);
    } finally {
      // After its lifetime, the turn may belong to another fold.
      if (endsAt[turn] === expiresAt) endsAt[turn] = 0;
    }
  };
}
