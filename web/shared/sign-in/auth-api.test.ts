import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  authErrorMessage,
  changePassword,
  isCurrentPasswordError,
  isEmailUnconfirmed,
  resendConfirmation,
  sendRecovery,
  signInAtProvider,
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
const SESSION = {
  access_token: 'a.b.c',
  refresh_token: 'r',
  token_type: 'bearer',
  expires_in: 3600,
  user: { id: 'u', email: 'ann@example.com', app_metadata: {} },
};
const INPUT = { email: 'ann@example.com', next: '/links/import', captchaToken: '' };

describe('mails of the embedded sign-in', () => {
  it.each([
    [
      'sign-up',
      (input: typeof INPUT) => signUp({ ...input, password: 'secret' }),
      {
        path: '/signup',
        body: {
          password: 'secret',
          data: { sign_up_secret: expect.stringMatching(/^[\w-]{43}$/) },
        },
      },
    ],
    ['confirmation', resendConfirmation, { path: '/resend', body: { type: 'signup' } }],
    ['recovery', sendRecovery, { path: '/recover' }],
  ])('the link of a %s mail opens the page that the member wanted', async (_, send, expected) => {
    await send(INPUT);
    expect(sent[0]?.redirect).toBe(`${window.location.origin}/links/import`);
    expect(sent[0]).toMatchObject(expected);
    expect(sent[0]?.body['email']).toBe('ann@example.com');
    // A captcha is sent only where there is one.
    await send({ ...INPUT, captchaToken: 'token' });
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
    const user = { ...SESSION.user, app_metadata: { has_password: usesSecret } };
    answer = () => Response.json({ ...SESSION, user });
    const result = await verifyCode({ email: 'ann@example.com', code: ' 123 456', type });
    expect(sent[0]?.body).toMatchObject({ token: '123456', type });
    expect(sent[0]?.body['sign_up_secret']).toBe(usesSecret ? secret : undefined);
    expect(loadSignUpSecret(store)).toBe(usesSecret ? null : secret);
    expect(result).toEqual({ needsPassword: !usesSecret });
  });
});

describe('signUp', () => {
  it('a sign-up needs a confirmation unless it has begun a session', async () => {
    const input = { ...INPUT, password: 'secret' };
    answer = () => Response.json({ id: 'u', email: 'ann@example.com' });
    expect(await signUp(input)).toEqual({ needsConfirmation: true });
    answer = () => Response.json(SESSION);
    expect(await signUp(input)).toEqual({ needsConfirmation: false });
  });

  it('a request says that the browser was offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    answer = () => {
      throw new TypeError('Failed to fetch');
    };
    await expect(sendRecovery(INPUT)).rejects.toThrow('You’re offline.');
    vi.restoreAllMocks();
    await expect(sendRecovery(INPUT)).rejects.not.toThrow('You’re offline.');
  });
});

describe('changePassword', () => {
  it('a password is changed after the token was renewed', async () => {
    await verifyCodeAndSignIn();
    sent = [];
    let isOld = true;
    answer = () => {
      if (sent.at(-1)?.path === '/token') {
        isOld = false;
        return Response.json(SESSION);
      }
      return isOld
        ? Response.json(
            { code: 'bad_jwt', message: 'Expired.' },
            { status: 403, headers: { 'X-Supabase-Api-Version': '2024-01-01' } },
          )
        : Response.json(SESSION.user);
    };
    await changePassword({ password: 'new secret', currentPassword: '' });
    expect(sent.map(({ path }) => path)).toEqual(['/user', '/token', '/user']);
  });

  it('a password that is refused is sent once, with the token that it has', async () => {
    await verifyCodeAndSignIn();
    sent = [];
    answer = () =>
      Response.json({ code: 'weak_password', message: 'Too common.' }, { status: 422 });
    const changed = changePassword({ password: 'password1', currentPassword: '' });
    await expect(changed).rejects.toThrow('Too common.');
    expect(sent.map(({ path }) => path)).toEqual(['/user']);
  });

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
  const part = btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600, sub: 'u' }));
  const access_token = `${btoa('{"alg":"HS256"}')}.${part}.c`;
  answer = () => Response.json({ ...SESSION, access_token });
  await verifyCode({ email: 'ann@example.com', code: '123456', type: 'recovery' });
  answer = () => Response.json(SESSION.user);
}

describe('signInAtProvider', () => {
  it('the provider returns to the page that the member wanted', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockReturnValue();
    await signInAtProvider({ provider: 'google', next: '/links/import' });
    const { searchParams } = new URL(String(assign.mock.calls[0]?.[0]));
    expect([searchParams.get('provider'), searchParams.get('redirect_to')]).toEqual([
      'google',
      `${window.location.origin}/links/import`,
    ]);
    assign.mockRestore();
  });
});

describe('errors by their code', () => {
  const coded = (code: string) => Object.assign(new Error('No.'), { code });

  it('an unconfirmed address is not reported as a wrong current password', () => {
    const codes = ['email_not_confirmed', 'current_password_invalid', 'other'].map(coded);
    expect(codes.map(isEmailUnconfirmed)).toEqual([true, false, false]);
    expect(codes.map(isCurrentPasswordError)).toEqual([false, true, false]);
  });
});

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

describe('mails of a hosted sign-in', () => {
  it('their links complete the sign-in, and then open the page that the member wanted', async () => {
    vi.resetModules();
    const { config } = await import('#web/shared/page/config.ts');
    config.auth = { ...config.auth, mode: 'hosted' };
    const hosted = await import('./auth-api.ts');
    await hosted.signUp({ ...INPUT, password: 'secret' });
    await hosted.sendRecovery(INPUT);
    expect(sent.map(({ redirect }) => redirect?.replace(window.location.origin, ''))).toEqual([
      '/auth?next=%2Flinks%2Fimport',
      '/auth/reset?next=%2Flinks%2Fimport',
    ]);
    // Only the embedded service knows secrets of sign-ups.
    expect(sent[0]?.body['data']).toEqual({});
  });
});
