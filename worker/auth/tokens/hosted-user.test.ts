import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasConfirmedEmail } from './hosted-user.ts';
import { SignInServiceDown } from './verify-access-token.ts';

const USER = { id: 'ada', email: 'ada@example.com', email_confirmed_at: '2026-01-01T00:00:00Z' };
/** Answers every request of the service like this. Returns the requests. */
function service(answer: () => Promise<Response>) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(answer);
}
const ask = (vars: Partial<Env> = {}) =>
  hasConfirmedEmail({ ...env, ...vars }, 'the token', 'ada', 'ada@example.com');
afterEach(() => vi.restoreAllMocks());

describe('hasConfirmedEmail', () => {
  it.each(['', '/', '//'])('asks the project at a URL that ends in “%s”', async (end) => {
    const fetched = service(async () => Response.json(USER));
    const SUPABASE_URL = `https://project.example/base${end}`;
    expect(await ask({ SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY: 'key' })).toBe(true);
    expect(fetched.mock.calls).toEqual([
      [
        'https://project.example/base/auth/v1/user',
        {
          headers: { apikey: 'key', Authorization: 'Bearer the token' },
          // A redirect would send the token to another server.
          redirect: 'manual',
          signal: expect.any(AbortSignal),
        },
      ],
    ]);
  });

  it.each([
    [{}, true],
    [{ email: 'Ada@Example.COM' }, true],
    [{ email: 'ada@example.com.evil.example' }, false],
    [{ email: null }, false],
    [{ id: 'eve' }, false],
    [{ email_confirmed_at: null }, false],
    [{ email_confirmed_at: true }, false],
  ])('a user with %j is confirmed: %s', async (members, confirmed) => {
    service(async () => Response.json({ ...USER, ...members }));
    expect(await ask()).toBe(confirmed);
  });

  it.each([null, [], 'ada', {}])('the answer %j confirms nobody', async (body) => {
    service(async () => Response.json(body));
    expect(await ask()).toBe(false);
  });

  it('a refusal of the service confirms nobody, whatever it says', async () => {
    for (const status of [302, 401, 403, 404, 499]) {
      service(async () => Response.json(USER, { status }));
      expect([status, await ask()]).toEqual([status, false]);
      vi.restoreAllMocks();
    }
  });

  it.each<[string, () => Promise<Response>]>([
    ['answers 500', async () => Response.json(USER, { status: 500 })],
    ['answers 503', async () => new Response('', { status: 503 })],
    ['answers no JSON', async () => new Response('<html>')],
    ['does not answer', () => Promise.reject(new Error('no route'))],
  ])('a service that %s is down', async (_, answer) => {
    service(answer);
    await expect(ask()).rejects.toBeInstanceOf(SignInServiceDown);
  });
});
