import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EMBEDDED, mailsTo, tab } from '#worker/testing/sign-in.ts';
import { call } from '#worker/testing/call.ts';

const KEYS = { TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET_KEY: 'turnstile-secret' };
const address = (): string => `${crypto.randomUUID().slice(0, 8)}@example.com`;
/**
 * Replaces Turnstile's endpoint, which accepts the token 'good'. Returns the bodies that it
 * receives.
 */
function turnstile(answer?: () => Promise<Response>): string[] {
  const bodies: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    expect(new Request(input).url).toBe(
      'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    );
    const body = await new Response(init?.body).text();
    bodies.push(body);
    return answer === undefined
      ? Response.json({ success: body.endsWith('response=good') })
      : answer();
  });
  return bodies;
}
const requests = (email: string, captchaToken?: string) => {
  const options = captchaToken === undefined ? {} : { captchaToken };
  const { auth } = tab(KEYS);
  return [
    () => auth.signUp({ email, password: 'secret-1', options }),
    () => auth.resend({ type: 'signup' as const, email, options }),
    () => auth.resetPasswordForEmail(email, options),
  ];
};
afterEach(() => vi.restoreAllMocks());
describe('captcha', () => {
  it('[A9] sign-up, resend and recovery need a captcha if both keys are set', async () => {
    const bodies = turnstile();
    const email = address();
    const rows = async () =>
      (await env.DB.prepare('SELECT key FROM counters UNION ALL SELECT id FROM auth_users').all())
        .results;
    const before = await rows();
    for (const token of [undefined, 'bad'])
      for (const request of requests(email, token))
        expect((await request()).error).toMatchObject({ status: 400, code: 'captcha_failed' });
    expect(await rows()).toEqual(before);
    expect(await mailsTo(email)).toEqual([]);
    for (const request of requests(email, 'good')) expect((await request()).error).toBeNull();
    expect(await mailsTo(email)).toHaveLength(3);
    expect(bodies).toEqual([
      ...Array(3).fill('secret=turnstile-secret&response=bad'),
      ...Array(3).fill('secret=turnstile-secret&response=good'),
    ]);
  });

  it('sends nothing and answers 503 if the captcha service is unreachable', async () => {
    const email = address();
    for (const answer of [
      () => Promise.reject(new Error('down')),
      async () => new Response('', { status: 500 }),
    ]) {
      turnstile(answer);
      const refused = await call(
        '/api/auth/v1/recover',
        { json: { email, gotrue_meta_security: { captcha_token: 'good' } } },
        { ...EMBEDDED, ...KEYS },
      );
      expect([refused.status, refused.headers.get('x-sb-error-code')]).toEqual([
        503,
        'captcha_unreachable',
      ]);
      vi.restoreAllMocks();
    }
    expect(await mailsTo(email)).toEqual([]);
  });

  it('asks for no captcha if only one key is set', async () => {
    const bodies = turnstile();
    for (const keys of [
      { TURNSTILE_SITE_KEY: 'site' },
      { TURNSTILE_SECRET_KEY: 'turnstile-secret' },
    ])
      expect((await tab(keys).auth.resetPasswordForEmail(address())).error).toBeNull();
    expect(bodies).toEqual([]);
  });
});
