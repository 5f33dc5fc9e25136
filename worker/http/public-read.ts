import { overLimit } from '#worker/redirect/network-limit.ts';
import { cached } from './edge-cache.ts';

/** Where a read comes from. `now` in ms since 1970; `wait` keeps work alive after the answer: `ctx.waitUntil`. */
export type Reader = {
  request: Request;
  env: Pick<Env, 'LIMIT_READS' | 'LIMIT_SITES'>;
  now: number;
  wait: (work: Promise<unknown>) => void;
};
/** `value` is null where there is nothing to read. */
export type PublicRead<T> = { ok: true; value: T | null } | { ok: false; reason: 'limited' };

/**
 * A read of D1 that anybody may cause, without a sign-in: from the edge cache under `key`, or by `load`, then kept for
 * `seconds`. Only what reaches D1 counts against the network's minute. Throws what `load` throws.
 */
export async function readPublic<T>(
  { request, env, now, wait }: Reader,
  key: string,
  seconds: number,
  load: () => Promise<T | null>,
): Promise<PublicRead<T>> {
  let isLimited = false;
  const value = await cached(key, seconds, now, wait, async () => {
    isLimited = (await overLimit(env, env.LIMIT_READS, 'read', request)) !== null;
    return isLimited ? null : load();
  });
  return isLimited ? { ok: false, reason: 'limited' } : { ok: true, value };
}
