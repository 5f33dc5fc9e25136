import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  authErrorMessage,
  changePassword,
  resendConfirmation,
  sendRecovery,
  signUp,
  verifyCode,
} from './auth-api.ts';
import { ensureSignUpSecret, loadSignUpSecret } from './auth-secret.ts';
import { startSession } from '#web/shared/session/session.ts';

const store = () => localStorage;
let sent: { path: string; redirect: string | null; body: Record<string, unknown> }[] = [];
let answer: () => Response = () => Response.json({});

beforeEach(() => {
  sent = [];
  answer = () => Response.json({});
  vi.stubGlobal('fetch', async (input: string, init?: { body?: string }) => {
    const url = new URL(input);
    sent.push({
      path: url.pathname.replace(/^.*\/auth\/v1/, ''),
      redirect: url.searchParams.get('redirect_to'),
      body: JSON.parse(init?.body ?? '{}'),
    });
    return answer();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});
const INPUT = { email: 'ann@example.com', next: '/links/import', captchaToken: '' };

describe('mails of the embedded sign-in', () => {
  it.each([
    ['sign-up', () => signUp({ ...INPUT, password: 'secret' })],
    ['confirmation', () => resendConfirmation(INPUT)],
    ['recovery', () => sendRecovery(INPUT)],
  ])('the link of a %s mail opens the page that the member wanted', async (_, send) => {
    await send();
    expect(sent[0]?.redirect).toBe(`${window.location.origin}/links/import`);
  });

  it('a captcha is sent only where there is one', async () => {
    await sendRecovery(INPUT);
    await sendRecovery({ ...INPUT, captchaToken: 'token' });
    expect(sent.map(({ body }) => body['gotrue_meta_security'])).toEqual([
      {},
      { captcha_token: 'token' },
    ]);
  });

  it.each([
    ['signup', true],
    ['recovery', false],
  ] as const)('a code of a %s mail is sent without spaces', async (type, usesSecret) => {
    const secret = ensureSignUpSecret(store, (bytes) => crypto.getRandomValues(bytes));
    answer = () =>
      Response.json({
        access_token: 'a.b.c',
        refresh_token: 'r',
        token_type: 'bearer',
        expires_in: 3600,
        user: { id: 'u', email: 'ann@example.com', app_metadata: {} },
      });
    const result = await verifyCode({ email: 'ann@example.com', code: ' 123 456', type });
    expect(sent[0]?.body).toMatchObject({ token: '123456', type });
    expect(sent[0]?.body['sign_up_secret']).toBe(usesSecret ? secret : undefined);
    expect(loadSignUpSecret(store)).toBe(usesSecret ? null : secret);
    expect(result).toEqual({ needsPassword: false });
  });
});

describe('changePassword', () => {
  it.each([
    ['', undefined],
    ['old', 'old'],
  ])('with the current password “%s” sends %s', async (currentPassword, current) => {
    await verifyCodeAndSignIn();
    sent = [];
    await changePassword({ password: 'new secret', currentPassword });
    const change = sent.find(({ path }) => path === '/user');
    expect(change?.body['password']).toBe('new secret');
    expect(change?.body['current_password']).toBe(current);
  });
});

/** Signs in, because the client changes the password of its session. */
async function verifyCodeAndSignIn(): Promise<void> {
  const user = { id: 'u', email: 'ann@example.com', app_metadata: {} };
  const part = btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600, sub: 'u' }));
  answer = () =>
    Response.json({
      access_token: `${btoa('{"alg":"HS256"}')}.${part}.c`,
      refresh_token: 'r',
      token_type: 'bearer',
      expires_in: 3600,
      user,
    });
  await verifyCode({ email: 'ann@example.com', code: '123456', type: 'recovery' });
  answer = () => Response.json(user);
}

describe('authErrorMessage', () => {
  const unreachable = 'We couldn’t reach the sign-in service. Check your connection and try again.';
  it.each([
    [null, ''],
    [new Error('Wrong password.'), 'Wrong password.'],
    [new Error(''), unreachable],
    [new Error('{}'), unreachable],
    [new TypeError('terminated'), unreachable],
    [new Error('Failed to fetch (hop.example)'), unreachable],
    ['text', unreachable],
  ])('explains %s', (error, text) => {
    expect(authErrorMessage(error)).toBe(text);
  });
});
