import { setTimeout as sleep } from 'node:timers/promises';
import { RequestFailed } from './client.ts';

const ATTEMPTS_MAX = 4;
/** Limits are per minute. A longer wait at a terminal is not worth it. */
const WAIT_MAX_SECONDS = 61;
const WORTH_A_RETRY: ReadonlySet<string> = new Set([
  'rate_limited',
  'unavailable',
  'request_in_progress',
]);

/**
 * Sends a request and repeats it after the time that the server asks to wait. All requests of this
 * program can be repeated: those that create links have an Idempotency-Key.
 */
export async function request<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const seconds = secondsUntilRetry(error);
      if (attempt === ATTEMPTS_MAX || seconds === null) throw error;
      console.error(`The server asks to wait ${seconds} s…`);
      await sleep(seconds * 1000);
    }
  }
}

function secondsUntilRetry(error: unknown): number | null {
  if (
    !(error instanceof RequestFailed) ||
    error.problem === null ||
    !WORTH_A_RETRY.has(error.problem.code)
  )
    return null;
  const seconds = error.retryAfter ?? 1;
  return seconds <= WAIT_MAX_SECONDS ? seconds : null;
}
