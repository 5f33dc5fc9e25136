import { DrizzleQueryError } from 'drizzle-orm';
import { Hono } from 'hono';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApiEnv } from './context.ts';
import { ApiError, onError } from './errors.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function answer(
  error: Error,
): Promise<{ status: number; body: unknown; retryAfter: string | null }> {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const app = new Hono<ApiEnv>();
  app.onError(onError);
  app.get('/', () => {
    throw error;
  });
  const response = await app.request('/');
  return {
    status: response.status,
    body: await response.json(),
    retryAfter: response.headers.get('Retry-After'),
  };
}

describe('onError', () => {
  it.each([
    'D1_ERROR: Network connection lost.',
    'Network connection lost',
    'D1 DB is overloaded. Too many requests queued.',
    'overloaded',
    'KV PUT failed: 500 Internal Server Error',
    'The operation timed out',
    'internal error in Durable Object storage',
  ])('returns 503 with Retry-After for the platform error "%s"', async (message) => {
    expect(await answer(new Error(message))).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
      retryAfter: '5',
    });
  });

  it.each([
    'D1_ERROR: UNIQUE constraint failed: links.code: SQLITE_CONSTRAINT',
    'D1_ERROR: near "selec": syntax error: SQLITE_ERROR',
    'D1_ERROR: no such column: codes',
    'boom',
  ])('returns 500 and no detail for the error "%s"', async (message) => {
    const { status, body, retryAfter } = await answer(new Error(message));
    expect([status, retryAfter]).toEqual([500, null]);
    expect(body).toMatchObject({ code: 'internal' });
    expect(JSON.stringify(body)).not.toContain(message.slice(-8));
  });

  it.each(['read', 'write'])(
    'says what waits until midnight when the rows of a day to %s are used up',
    async (kind) => {
      const message = `D1_ERROR: Your account has exceeded D1's free tier daily row ${kind} limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.`;
      expect(await answer(new Error(message))).toMatchObject({
        status: 503,
        body: {
          code: 'unavailable',
          error: expect.stringContaining('Short links keep redirecting'),
        },
        retryAfter: '3600',
      });
    },
  );

  it.each([
    ['database is locked: SQLITE_BUSY', 503],
    ['internal error; reference = 0123456789abcdef', 503],
    ['database or disk is full: SQLITE_FULL', 503],
    ['UNIQUE constraint failed: links.code: SQLITE_CONSTRAINT', 500],
    ['string or blob too big: SQLITE_TOOBIG', 500],
  ])('classifies an error of D1 by all of its causes: %s', async (message, status) => {
    const cause = new Error(`D1_ERROR: ${message}`, { cause: new Error(message) });
    expect(await answer(new DrizzleQueryError('select …', [], cause))).toMatchObject({ status });
  });

  it('the words of a statement do not make an outage', async () => {
    const query = new DrizzleQueryError('select ?', ['overloaded storage'], new Error('boom'));
    expect(await answer(query)).toMatchObject({ status: 500 });
  });

  it('sends the status, the field and Retry-After of an expected error', async () => {
    const error = new ApiError('rate_limited', 'Wait.', {
      upgradeRequired: false,
      retryAfter: 7,
      field: 'longUrl',
    });
    const limited = await answer(error);
    expect(limited).toMatchObject({ status: 429, retryAfter: '7' });
    expect(limited.body).toEqual({
      error: 'Wait.',
      code: 'rate_limited',
      upgradeRequired: false,
      field: 'longUrl',
    });
  });
});
