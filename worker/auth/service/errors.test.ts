import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#worker/http/errors.ts';
import { call } from '#worker/testing/call.ts';
import { aroundD1, d1Down, throwsBefore } from '#worker/testing/faults.ts';
import { EMBEDDED } from '#worker/testing/sign-in.ts';
import { AuthError, toApiError, valueOrThrow } from './errors.ts';
import { describeProblem, refuse } from './problems.ts';

const MODERN = { 'X-Supabase-Api-Version': '2024-01-01' };
afterEach(() => vi.restoreAllMocks());

describe('errors of the sign-in service', () => {
  it('an unexpected error names its request in the old format, and is logged with it', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    const fail = (headers: Record<string, string>) =>
      call(
        '/api/auth/v1/token?grant_type=password',
        { json: { email: 'ada@example.com', password: 'x' }, headers },
        { ...EMBEDDED, DB: aroundD1(env.DB, throwsBefore('boom')) },
      );
    const [old, modern] = [await fail({}), await fail(MODERN)];
    const message = 'Unexpected failure, please check server logs for more information';
    const error_id = old.headers.get('X-Request-Id');
    expect(error_id).toMatch(/\S{8}/);
    expect([old.status, await old.json()]).toEqual([
      500,
      { code: 500, error_code: 'unexpected_failure', msg: message, error_id },
    ]);
    expect(await modern.json()).toEqual({ code: 'unexpected_failure', message });
    expect(lines.find((line) => line.includes('auth_failed'))).toContain(error_id);
  });

  it('an outage of D1 is a 503 with Retry-After, after which clients keep the session', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const json = { email: 'ada@example.com', password: 'x' };
    const see = { ...EMBEDDED, DB: d1Down(env.DB) };
    const answer = await call('/api/auth/v1/token?grant_type=password', { json }, see);
    expect([answer.status, answer.headers.get('Retry-After'), await answer.json()]).toEqual([
      503,
      '5',
      expect.objectContaining({ error_code: 'unexpected_failure' }),
    ]);
  });

  it('a weak password has its reasons in both formats', async () => {
    for (const headers of [{}, MODERN]) {
      const json = { email: 'ada@example.com', password: '12345' };
      const answer = await call('/api/auth/v1/signup', { json, headers }, EMBEDDED);
      expect([answer.status, await answer.json()]).toMatchObject([
        422,
        { weak_password: { reasons: ['length'] } },
      ]);
    }
  });

  it('a refusal keeps its values when it is thrown', () => {
    const refusal = refuse('mail_too_soon', { retryAfterMs: 1_001 });
    expect(() => valueOrThrow(refusal)).toThrow(expect.objectContaining({ refusal }));
  });

  it.each([
    [{ retryAfterMs: 1 }, 1, 'after 1 seconds.'],
    [{ retryAfterMs: 1_000 }, 1, 'after 1 seconds.'],
    [{ retryAfterMs: 1_001 }, 2, 'after 2 seconds.'],
    [{ retryAfterMs: 0 }, 0, 'after 1 seconds.'],
  ])('a wait of %j is rounded up to whole seconds', (values, retryAfter, end) => {
    const problem = describeProblem({ reason: 'mail_too_soon', ...values });
    expect(problem).toMatchObject({ status: 429, retryAfter });
    expect(problem.message).toContain(end);
  });

  it('a problem that names no limit says when to try again', () => {
    const reasons = [
      'storage_down',
      'busy',
      'provider_down',
      'flows_limited',
      'captcha_unreachable',
      'requests_limited',
      'unexpected',
    ] as const;
    const waits = reasons.map((reason) => describeProblem({ reason }).retryAfter);
    expect(waits).toEqual([5, 5, 30, 60, 60, 60, undefined]);
  });

  it.each([
    [1, '1 minute'],
    [60_000, '1 minute'],
    [60_001, '2 minutes'],
    [90 * 60_000, '90 minutes'],
    [90 * 60_000 + 1, '2 hours'],
    [24 * 3_600_000, '24 hours'],
  ])('a wait of %i ms reads “%s”', (retryAfterMs, text) => {
    const { message } = describeProblem({ reason: 'address_mails_limited', retryAfterMs });
    expect(message).toBe(`This address has been sent too many emails. Try again in ${text}.`);
  });

  it('outside the sign-in service, a limit is a 429 and a missing secret a 500', () => {
    const limited = toApiError(new AuthError('passwords_limited', { retryAfterMs: 61_000 }));
    expect(limited).toMatchObject({
      code: 'rate_limited',
      message: 'Too many failed sign-in attempts. Try again in 2 minutes, or reset your password.',
      extra: { upgradeRequired: false, retryAfter: 61 },
    });
    expect(toApiError(new AuthError('busy'))).toMatchObject({ extra: { retryAfter: 5 } });
    const endless = toApiError(new AuthError('passwords_limited'));
    expect(endless).toMatchObject({ extra: { retryAfter: 60 } });
    expect(toApiError(new AuthError('not_set_up'))).toMatchObject({
      code: 'internal',
      message: 'This server is not set up yet.',
    });
    const others = [new AuthError('password_wrong'), new Error('x'), new ApiError('internal', 'x')];
    expect(others.map(toApiError)).toEqual(others);
  });
});
