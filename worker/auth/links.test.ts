import { env } from 'cloudflare:test';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { CHEAP, EMBEDDED, mailsTo, tab } from '#worker/testing/sign-in.ts';
import { createAccount } from './account.ts';
import { findByEmail } from './store.ts';

const address = (): string => `${crypto.randomUUID().slice(0, 8)}@example.com`;
const db = openDb(env.DB);
const make = async (confirmed = true): Promise<string> => {
  const email = address();
  await createAccount(db, { email, password: 'correct horse', confirmed, now: Date.now() }, CHEAP);
  return email;
};
const open = (link: string, overrides: Partial<Env> = {}) => call(link, {}, { ...EMBEDDED, ...overrides });
const goes = async (link: string) => new URL((await open(link)).headers.get('Location') ?? 'about:blank');
const fragment = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? '';
const codeOf = (text: string) => /\b\d{6}\b/.exec(text.replace(/https?:\S+/g, ''))?.[0] ?? '';
const recoverMail = async (email: string, redirectTo?: string) => {
  const { error } = await tab().auth.resetPasswordForEmail(email, redirectTo === undefined ? {} : { redirectTo });
  expect(error).toBeNull();
  const [mail] = await mailsTo(email);
  if (mail === undefined) throw new Error('no mail');
  return mail;
};

const REFUSED = {
  error: 'access_denied',
  error_code: 'otp_expired',
  error_description: 'Email link is invalid or has expired',
  sb: '',
};

test('an implicit link answers 303 with the session in the fragment, once', async () => {
  const email = address();
  await tab().auth.signUp({ email, password: 'secret-1', options: { emailRedirectTo: `${ORIGIN}/dashboard?tab=1` } });
  const [mail] = await mailsTo(email);
  const link = mail?.link ?? '';
  expect(new URL(link).pathname).toBe('/api/auth/v1/verify');
  const answer = await open(link);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  const to = new URL(answer.headers.get('Location') ?? '');
  expect([to.pathname, to.search]).toEqual(['/dashboard', '?tab=1']);
  const values = fragment(to);
  expect(values).toEqual({
    access_token: expect.any(String),
    expires_at: expect.stringMatching(/^\d+$/),
    expires_in: '3600',
    refresh_token: expect.any(String),
    sb: '',
    token_type: 'bearer',
    type: 'signup',
  });
  expect(decodeJwt(values['access_token'] ?? '')['amr']).toEqual([{ method: 'otp', timestamp: expect.any(Number) }]);
  const client = tab();
  const { data } = await client.auth.setSession({
    access_token: values['access_token'] ?? '',
    refresh_token: values['refresh_token'] ?? '',
  });
  expect(data.user?.user_metadata['email_verified']).toBe(true);
  expect(data.user?.email_confirmed_at).toBeTruthy();
  expect(fragment(await goes(link))).toEqual(REFUSED);
});

test('a scanner’s HEAD and a prefetch do not use a link up', async () => {
  const { link } = await recoverMail(await make());
  expect((await call(link, { method: 'HEAD' }, EMBEDDED)).status).toBe(204);
  expect((await call(link, { headers: { 'Sec-Purpose': 'prefetch;prerender' } }, EMBEDDED)).status).toBe(204);
  expect(fragment(await goes(link))).toHaveProperty('access_token');
});

test('parallel clicks give one session', async () => {
  const { link } = await recoverMail(await make());
  const answers = await Promise.all(Array.from({ length: 5 }, () => goes(link)));
  expect(answers.filter((url) => url.hash.includes('access_token='))).toHaveLength(1);
});

test('a link is of its kind, and too old after its time', async () => {
  const email = await make(false);
  const { link } = await recoverMail(email);
  expect(fragment(await goes(link.replace('type=recovery', 'type=signup')))).toEqual(REFUSED);
  expect((await open(link.replace('type=recovery', 'type=nonsense'))).status).toBe(400);
  expect(fragment(await goes(link.replace('type=recovery', 'type=magiclink')))).toMatchObject({ type: 'magiclink' });
  await tab({ AUTH_LINK_TTL_SECONDS: '0' }).auth.resetPasswordForEmail(email);
  expect(fragment(await goes((await mailsTo(email))[0]?.link ?? ''))).toEqual(REFUSED);
});

test('without token or type there is no redirect', async () => {
  for (const query of ['', '?token=x', '?type=signup']) expect((await open(`/api/auth/v1/verify${query}`)).status).toBe(400);
});

test('a recovery link confirms an unconfirmed address and voids every other mail', async () => {
  const email = address();
  await tab().auth.signUp({ email, password: 'secret-1' });
  const [first] = await mailsTo(email);
  const { link } = await recoverMail(email);
  expect(fragment(await goes(link))).toMatchObject({ type: 'recovery' });
  expect((await findByEmail(db, email))?.email_confirmed_at).toBeTruthy();
  expect(fragment(await goes(first?.link ?? ''))).toEqual(REFUSED);
});

test('PKCE: the link gives a code, which only the browser that asked can exchange, once', async () => {
  const email = address();
  const client = tab({}, 'pkce');
  await client.auth.signUp({ email, password: 'secret-1', options: { emailRedirectTo: `${ORIGIN}/auth?next=1` } });
  const [mail] = await mailsTo(email);
  expect(tokenOf(mail?.link ?? '')).toMatch(/^pkce_/);
  const to = await goes(mail?.link ?? '');
  const code = to.searchParams.get('code') ?? '';
  expect(to.hash).toBe('');
  expect(to.searchParams.get('next')).toBe('1');
  expect(code).toMatch(/^[0-9a-f-]{36}$/);
  expect((await exchange(code, 'a-wrong-verifier-of-quite-some-length-0123456789')).code).toBe('bad_code_verifier');
  const { data, error } = await client.auth.exchangeCodeForSession(code);
  expect(error).toBeNull();
  expect(decodeJwt(data.session?.access_token ?? '')['amr']).toMatchObject([{ method: 'email/signup' }]);
  expect(await exchange(code, 'x')).toMatchObject({ status: 404, code: 'flow_state_not_found' });
});

const exchange = async (code: string, verifier: string) => {
  const answer = await call(
    '/api/auth/v1/token?grant_type=pkce',
    { json: { auth_code: code, code_verifier: verifier }, headers: { 'X-Supabase-Api-Version': '2024-01-01' } },
    EMBEDDED,
  );
  const body: { code: string } = await answer.json();
  return { status: answer.status, code: body.code };
};

test('PKCE: a password recovery says so to the client; the code’s time counts from the click', async () => {
  const email = await make();
  const client = tab({}, 'pkce');
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));
  await client.auth.resetPasswordForEmail(email);
  const [mail] = await mailsTo(email);
  const to = await goes(mail?.link ?? '');
  const row = await env.DB.prepare('SELECT expires_at FROM auth_codes').first<{ expires_at: number }>();
  expect((row?.expires_at ?? 0) - Date.now()).toBeGreaterThan(290_000);
  expect((await client.auth.exchangeCodeForSession(to.searchParams.get('code') ?? '')).error).toBeNull();
  expect(events).toContain('PASSWORD_RECOVERY');
  expect(fragment(await goes(mail?.link ?? ''))).toEqual(REFUSED);
  const refused = await goes(mail?.link ?? '');
  expect(refused.searchParams.get('error_code')).toBe('otp_expired');
});

test('PKCE: an old code is expired, empty fields are refused', async () => {
  const client = tab({}, 'pkce');
  const email = await make();
  await client.auth.resetPasswordForEmail(email);
  const to = await goes((await mailsTo(email))[0]?.link ?? '');
  await env.DB.prepare('UPDATE auth_codes SET expires_at = 1').run();
  expect((await client.auth.exchangeCodeForSession(to.searchParams.get('code') ?? '')).error).toMatchObject({
    status: 422,
    code: 'flow_state_expired',
  });
  expect(await exchange('', '')).toMatchObject({ status: 400, code: 'validation_failed' });
});

test('verifyOtp takes the hash of a link or the code of a mail, each once', async () => {
  const email = await make();
  const byHash = await recoverMail(email);
  const client = tab();
  const used = await client.auth.verifyOtp({ token_hash: tokenOf(byHash.link), type: 'recovery' });
  expect(used.error).toBeNull();
  expect(used.data.session?.user.email).toBe(email);
  expect((await tab().auth.verifyOtp({ token_hash: tokenOf(byHash.link), type: 'recovery' })).error).toMatchObject({
    status: 403,
    code: 'otp_expired',
    message: 'Email link is invalid or has expired',
  });
  const byCode = await recoverMail(email);
  const code = codeOf(byCode.text);
  expect((await tab().auth.verifyOtp({ email, token: code, type: 'signup' })).error?.code).toBe('otp_expired');
  expect((await tab().auth.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull();
  expect((await tab().auth.verifyOtp({ email, token: code, type: 'email' })).error).toMatchObject({
    status: 403,
    code: 'otp_expired',
    message: 'Token has expired or is invalid',
  });
  expect((await tab().auth.verifyOtp({ email: address(), token: '123456', type: 'email' })).error).toMatchObject({
    status: 403,
    message: 'Token has expired or is invalid',
  });
});

test('five wrong codes void the code, also when they come at once', async () => {
  const email = await make();
  const code = codeOf((await recoverMail(email)).text);
  const wrong = code === '000000' ? '000001' : '000000';
  await Promise.all(Array.from({ length: 5 }, () => tab().auth.verifyOtp({ email, token: wrong, type: 'recovery' })));
  expect((await tab().auth.verifyOtp({ email, token: code, type: 'recovery' })).error?.code).toBe('otp_expired');
});

test('guessing codes is limited per address, whatever new mails come', async () => {
  const email = address();
  const answers = await Promise.all(
    Array.from({ length: 22 }, () => tab().auth.verifyOtp({ email, token: '123456', type: 'email' })),
  );
  expect(answers.filter(({ error }) => error?.status === 429)).toHaveLength(2);
});

test.each([
  [{ token_hash: 'x' }, 'Verify requires a verification type'],
  [{ type: 'signup' }, 'Verify requires either a token or a token hash'],
  [{ type: 'signup', token: 'x', token_hash: 'x' }, 'Verify requires either a token or a token hash'],
  [{ type: 'signup', token_hash: 'x', email: 'a@example.com' }, 'Only the token_hash and type should be provided'],
  [{ type: 'signup', token: '123456' }, 'Only an email address or phone number should be provided on verify'],
  [{ type: 'nonsense', token_hash: 'x' }, 'Invalid email verification type'],
])('POST /verify with %j is refused', async (json, message) => {
  const headers = { 'X-Supabase-Api-Version': '2024-01-01' };
  const answer = await call('/api/auth/v1/verify', { json, headers }, EMBEDDED);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({ code: 'validation_failed', message });
});

test('the same answer for a known and an unknown address at recover and resend, interval included', async () => {
  const [known, unknown] = [await make(), address()];
  const slow = tab({ AUTH_EMAIL_INTERVAL_SECONDS: '60' });
  for (const email of [known, unknown]) {
    expect((await slow.auth.resetPasswordForEmail(email)).error).toBeNull();
    expect((await slow.auth.resetPasswordForEmail(email)).error).toMatchObject({
      status: 429,
      code: 'over_email_send_rate_limit',
    });
    expect((await slow.auth.resend({ type: 'signup', email })).error).toBeNull();
    expect((await slow.auth.resend({ type: 'signup', email })).error).toMatchObject({ status: 429 });
  }
  expect(await mailsTo(known)).toHaveLength(1);
  expect(await mailsTo(unknown)).toHaveLength(0);
  expect((await tab().auth.resetPasswordForEmail('nonsense')).error).toMatchObject({ status: 400, code: 'validation_failed' });
});

test('a forged target in the mail or at the click leads to the site', async () => {
  const email = await make();
  for (const evil of ['https://evil.example/x', 'javascript:alert(1)', '//evil.example', `${ORIGIN}@evil.example/`]) {
    const mail = await recoverMail(email, evil);
    expect(new URL(mail.link).searchParams.get('redirect_to')).toBe(ORIGIN);
    const link = new URL(mail.link);
    link.searchParams.set('redirect_to', evil);
    expect((await goes(link.href)).origin).toBe(ORIGIN);
  }
});

test('what a mail costs the server is the same for an address that gets none, and gives nobody a way in', async () => {
  const rows = async () => (await env.DB.prepare('SELECT user_id FROM auth_one_time_tokens').all<{ user_id: string }>()).results;
  const before = (await rows()).length;
  const email = address();
  await tab().auth.resetPasswordForEmail(email);
  await tab().auth.resetPasswordForEmail(email);
  const made = await rows();
  expect(made).toHaveLength(before + 1);
  expect(made.at(-1)?.user_id).toMatch(/^nobody:[0-9a-f]{64}$/);
  expect(await mailsTo(email)).toEqual([]);
});
