import { env } from 'cloudflare:test';
import { vi } from 'vitest';
import { BODY_TIMEOUT_MS } from '#worker/http/read-body.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { call } from './call.ts';

/** A request whose head and first byte have been sent. `finish` sends the rest of the body. */
export type Parked = { response: Promise<Response>; waiting: Promise<unknown>; finish: () => void };

type Ask = { method: string; path: string; headers: Record<string, string>; json?: unknown };

/**
 * Sends the head of a request and one space. `waiting` resolves when the Worker waits for more or
 * has responded without it.
 */
export function park({ method, path, headers, json }: Ask, overrides: Partial<Env>): Parked {
  const opened = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  const bytes = new TextEncoder();
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (isFirst) {
          isFirst = false;
          controller.enqueue(bytes.encode(' '));
          return;
        }
        read.resolve();
        await opened.promise;
        if (json !== undefined) controller.enqueue(bytes.encode(JSON.stringify(json)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const response = call(
    path,
    { method, body, headers: { 'Content-Type': 'application/json', ...headers } },
    overrides,
  );
  return {
    response,
    waiting: Promise.race([read.promise, response]),
    finish: () => opened.resolve(),
  };
}

/**
 * Disables the time limit for bodies, because a busy machine may need longer. Tests of
 * `readBodyText` cover the limit.
 */
export function withoutBodyTimeout(): () => void {
  const { setTimeout: start } = globalThis;
  const skip = (run: () => void, ms?: number) => (ms === BODY_TIMEOUT_MS ? 0 : start(run, ms));
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(Object.assign(skip));
  return () => spy.mockRestore();
}

type Named = Ask & { route: string };

/**
 * Parks requests, runs `end`, and then sends their bodies. Returns the responses that were not
 * refusals, and the database `contents` before and after the bodies.
 */
export async function arriveAfter(
  asks: readonly Named[],
  overrides: Partial<Env>,
  end: () => Promise<unknown>,
  contents: () => Promise<string>,
) {
  const restore = withoutBodyTimeout();
  try {
    const parked = asks.map((ask) => ({ route: ask.route, ...park(ask, overrides) }));
    await Promise.all(parked.map(({ waiting }) => waiting));
    await end();
    const before = await contents();
    for (const { finish } of parked) finish();
    const answers = await Promise.all(
      parked.map(async ({ route, response }) => ({ route, status: (await response).status })),
    );
    const accepted = answers.filter(({ status }) => status !== 401 && status !== 403);
    return { accepted, before, after: await contents() };
  } finally {
    restore();
  }
}

/** A part of the check that `guardWrites` puts before every write. */
const GUARD = 'the right has ended';

/**
 * The main database, which runs `end` once, right before the first batch that checks a right: after
 * the request was admitted, but before it writes. `wrote` says whether there was such a batch.
 */
export function endingBeforeWrite(end: () => Promise<unknown>): {
  DB: D1Database;
  wrote: () => boolean;
} {
  const guards = new WeakSet<D1PreparedStatement>();
  let wrote = false;
  const prepare = (query: string): D1PreparedStatement => {
    const statement = env.DB.prepare(query);
    if (!query.includes(GUARD)) return statement;
    const bind = (...values: unknown[]): D1PreparedStatement => {
      const bound = statement.bind(...values);
      guards.add(bound);
      return bound;
    };
    return withMethods(statement, { bind });
  };
  const batch = async (statements: D1PreparedStatement[]) => {
    if (!wrote && statements.some((statement) => guards.has(statement))) {
      wrote = true;
      await end();
    }
    return env.DB.batch(statements);
  };
  return { DB: withMethods(env.DB, { prepare, batch }), wrote: () => wrote };
}
