/** A storage call that took longer than it may. The call itself may still happen. */
export class TookTooLong extends Error {}

/** `work`, or a rejection with `TookTooLong` after `ms`. Bindings cannot be cancelled: what comes later is ignored. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TookTooLong(`no answer within ${ms} ms`));
    }, ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
