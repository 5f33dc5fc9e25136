/** A storage call that took longer than it may. The call itself may still happen. */
export class TookTooLong extends Error {}

/**
 * `work`, or a rejection with `TookTooLong` after `ms`. Bindings cannot be cancelled: what comes later is ignored.
 * One promise and no async function, because every redirect that is not remembered goes through here.
 */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new TookTooLong(`no answer within ${ms} ms`));
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
