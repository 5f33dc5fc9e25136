import { withMethods } from '#worker/db/with-methods.ts';

/**
 * Faults that storage has in production but never locally. Every wrapper calls the real local
 * binding.
 */

/**
 * Wraps one call of a binding. It may run the call late, twice or never, and may fail before or
 * after it. `statements` is the number of statements in a batch.
 */
export type Around = (
  name: string,
  run: () => Promise<unknown>,
  statements?: number,
) => Promise<unknown>;

export const throwsBefore =
  (message: string): Around =>
  () =>
    Promise.reject(new Error(message));
/** Runs the call and then throws, so the effect happens although the caller gets an error. */
export const throwsAfter =
  (message: string): Around =>
  async (_, run) => {
    await run();
    throw new Error(message);
  };
export const hangs: Around = () => new Promise<never>(() => undefined);
export const slow =
  (ms: number): Around =>
  async (_, run) => {
    await scheduler.wait(ms);
    return run();
  };
/** Runs the call twice, as at-least-once delivery may. */
export const twice: Around = async (_, run) => {
  await run();
  return run();
};

/**
 * Passes each `get` and `put` of a KV namespace through `around`, under the names 'kv.get' and
 * 'kv.put'.
 */
export function aroundKv(kv: KVNamespace, around: Around): KVNamespace {
  return withMethods(kv, {
    get: (...args: Parameters<KVNamespace['get']>) => around('kv.get', () => kv.get(...args)),
    put: (...args: Parameters<KVNamespace['put']>) => around('kv.put', () => kv.put(...args)),
  });
}

/** Wraps the `send` of a queue, named 'queue.send', in `around`. */
export function aroundQueue(queue: Queue, around: Around): Queue {
  return withMethods(queue, {
    send: (...args: Parameters<Queue['send']>) => around('queue.send', () => queue.send(...args)),
  });
}

/**
 * Wraps a database's statements and batches in `around`. The calls are named 'd1.first', 'd1.all',
 * 'd1.run', 'd1.raw' and 'd1.batch'.
 */
export function aroundD1(db: D1Database, around: Around): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = withMethods(statement, {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      first: (column?: string) =>
        around('d1.first', () =>
          column === undefined ? statement.first() : statement.first(column),
        ),
      all: () => around('d1.all', () => statement.all()),
      run: () => around('d1.run', () => statement.run()),
      raw: () => around('d1.raw', () => statement.raw()),
    });
    originals.set(wrapped, statement);
    return wrapped;
  };
  return withMethods(db, {
    prepare: (query: string) => wrap(db.prepare(query)),
    batch: (statements: D1PreparedStatement[]) =>
      around(
        'd1.batch',
        () => db.batch(statements.map((statement) => originals.get(statement) ?? statement)),
        statements.length,
      ),
  });
}

/** Makes D1 fail from call number `from` on, counted from 0, with an error as D1 throws it. */
export function d1Down(db: D1Database, message = 'Network connection lost.', from = 0): D1Database {
  let calls = 0;
  return aroundD1(db, (_, run) =>
    calls++ < from
      ? run()
      : Promise.reject(new Error(`D1_ERROR: ${message}`, { cause: new Error(message) })),
  );
}

/** Runs `act` before each batch. `nth` counts from 1. */
export function beforeBatch(
  db: D1Database,
  act: (nth: number, statements: number) => unknown,
): D1Database {
  let nth = 0;
  return aroundD1(db, async (name, run, statements = 0) => {
    if (name === 'd1.batch') await act(++nth, statements);
    return run();
  });
}

/** Counts the statements of each batch sent to the database. */
export function countBatches(db: D1Database): { db: D1Database; batches: number[] } {
  const batches: number[] = [];
  return { db: beforeBatch(db, (_, statements) => batches.push(statements)), batches };
}

/** A clock that only moves when `advance` is called. Times are in ms. */
export type Clock = { now: () => number; advance: (ms: number) => void };

export function makeClock(start: number): Clock {
  let now = start;
  return { now: () => now, advance: (ms) => void (now += ms) };
}

const DEFAULT_CACHE_SECONDS = 60;

/**
 * KV as one location sees it: it caches every read, including misses, for `cacheTtl`. A write does
 * not update that cache, not even from the same location, because the platform does not promise
 * that. Supports text values only.
 */
export function kvAtLocation(kv: KVNamespace, clock: Clock): KVNamespace {
  const cache = new Map<string, { value: string | null; until: number }>();
  return withMethods(kv, {
    get: async (key: string, options?: { cacheTtl?: number }) => {
      const known = cache.get(key);
      if (known !== undefined && known.until > clock.now()) return known.value;
      const value = await kv.get(key);
      cache.set(key, {
        value,
        until: clock.now() + (options?.cacheTtl ?? DEFAULT_CACHE_SECONDS) * 1000,
      });
      return value;
    },
  });
}
