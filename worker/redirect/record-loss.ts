import { withTimeout } from './with-timeout.ts';

export type RecordLoss = (env: Env, clicks: number, now: number) => Promise<void>;

const TIMEOUT_MS = 2_000;

/**
 * Stores lost clicks with `store`. Clicks are mostly lost while the database does not answer
 * either, so a number that could not be stored is added to the next call, even one with 0 lost
 * clicks. If the isolate ends before that, only the log has the number.
 */
export function createLossRecorder(
  store: (env: Env, clicks: number, now: number) => Promise<unknown>,
): RecordLoss {
  let unstored = 0;
  return async (env, clicks, now) => {
    const sum = unstored + clicks;
    if (sum === 0) return;
    unstored = 0;
    try {
      await withTimeout(TIMEOUT_MS, store(env, sum, now));
    } catch {
      unstored += sum;
    }
  };
}
