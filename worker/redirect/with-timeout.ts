/** A storage call took too long. It may still take effect. */
export class TimeoutError extends Error {}

/**
 * Settles like `work`, or rejects with `TimeoutError` after `ms` milliseconds. Calls of a binding
 * cannot be cancelled, so a later result is ignored.
 */
export function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new TimeoutError(`no answer within ${ms} ms`));
    }, ms);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
