import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED, mailsTo, pressLink, tab } from '#worker/testing/sign-in.ts';
import { findByEmail } from './store.ts';

const address = (): string => `${crypto.randomUUID().slice(0, 8)}@example.com`;
const signUp = (json: unknown, overrides: Partial<Env> = {}) =>
  call('/api/auth/v1/signup', { json, headers: { 'X-Supabase-Api-Version': '2024-01-01' } }, { ...EMBEDDED, ...overrides });
const AUTOCONFIRM = { AUTH_AUTOCONFIRM: 'on' };

test('with autoconfirm a sign-up is a sign-in', async () => {
  const client = tab(AUTOCONFIRM);
  const { data, error } = await client.auth.signUp({ email: address().toUpperCase(), password: 'secret-1' });
  expect(error).toBeNull();
  expect(data.session?.token_type).toBe('bearer');
  expect(data.session?.expires_in).toBe(3600);
  expect(data.user?.email).toBe(data.user?.email?.toLowerCase());
  expect(data.user?.email_confirmed_at).toBeTruthy();
  expect((await client.auth.getUser()).data.user?.id).toBe(data.user?.id);
});

test('with confirmation a sign-up gives the bare user, and a mail', async () => {
  const email = address();
  const { data, error } = await tab().auth.signUp({
    email,
    password: 'secret-1',
    options: { data: { name: 'Ada', sub: 'mine' } },
  });
  expect(error).toBeNull();
  expect(data.session).toBeNull();
  const user = data.user;
  expect(user).toMatchObject({ aud: 'authenticated', role: 'authenticated', email, phone: '', is_anonymous: false });
  expect(user?.user_metadata).toEqual({ name: 'Ada', sub: user?.id, email, email_verified: false, phone_verified: false });
  expect(user?.app_metadata).toEqual({ provider: 'email', providers: ['email'], has_password: true });
  expect(user?.identities).toHaveLength(1);
  expect(user?.identities?.[0]).toMatchObject({ user_id: user?.id, provider: 'email', identity_data: { email, sub: user?.id } });
  expect(user?.confirmation_sent_at).toBeTruthy();
  expect(user).not.toHaveProperty('email_confirmed_at');
  const [mail] = await mailsTo(email);
  expect(mail?.to).toBe(email);
  expect(mail?.text).toContain(mail?.link);
  expect(mail?.text).toMatch(/\b\d{6}\b/);
});

test('a new, an unconfirmed and a confirmed address get answers of the same form', async () => {
  const [fresh, pending, confirmed] = [address(), address(), address()];
  await tab().auth.signUp({ email: pending, password: 'secret-1', options: { data: { name: 'Bob' } } });
  await tab().auth.signUp({ email: confirmed, password: 'secret-1' });
  expect((await pressLink((await mailsTo(confirmed))[0])).status).toBe(200);
  await tab().auth.resetPasswordForEmail(confirmed);
  const real = await findByEmail(openDb(env.DB), confirmed);

  const answers = [];
  for (const email of [fresh, pending, confirmed]) {
    const start = Date.now();
    const answer = await signUp({ email, password: 'another-1', data: { name: 'Eve' } });
    const text = await answer.text();
    const user = JSON.parse(text);
    expect(Date.parse(user.created_at)).toBeGreaterThanOrEqual(start);
    expect(user.confirmation_sent_at).toBe(user.created_at);
    expect([user.id, user.email, answer.status]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), email, 200]);
    expect(user.user_metadata).toMatchObject({ name: 'Eve', sub: user.id });
    const times = /"\d{4}-\d\d-\d\dT[^"]*"/g;
    answers.push(
      text
        .replaceAll(user.id, '<id>')
        .replaceAll(email, '<email>')
        .replaceAll(user.identities[0].identity_id, '<id>')
        .replaceAll(times, '<time>'),
    );
  }
  expect(answers[1]).toBe(answers[0]);
  expect(answers[2]).toBe(answers[0]);
  const known = await Promise.all([pending, confirmed].map((email) => findByEmail(openDb(env.DB), email)));
  expect(answers.join()).not.toContain(known[0]?.id);
  expect(await findByEmail(openDb(env.DB), confirmed)).toEqual(real);
}, 20_000);

test('a confirmed address gets no mail and keeps its password', async () => {
  const email = address();
  const secret = 's'.repeat(43);
  await tab().auth.signUp({ email, password: 'secret-1', options: { data: { sign_up_secret: secret } } });
  await pressLink((await mailsTo(email))[0], { sign_up_secret: secret });
  const before = await mailsTo(email);
  await tab().auth.signUp({ email, password: 'another-1', options: { data: { sign_up_secret: secret } } });
  expect(await mailsTo(email)).toEqual(before);
  expect((await tab().auth.signInWithPassword({ email, password: 'another-1' })).error?.code).toBe('invalid_credentials');
  expect((await tab().auth.signInWithPassword({ email, password: 'secret-1' })).error).toBeNull();
});

test('a second sign-up replaces nothing; its mail voids the first one', async () => {
  const email = address();
  await tab().auth.signUp({ email, password: 'secret-1', options: { data: { name: 'Ada' } } });
  const first = await findByEmail(openDb(env.DB), email);
  await tab().auth.signUp({ email, password: 'secret-2', options: { data: { name: 'Eve', sign_up_secret: 'e'.repeat(43) } } });
  expect(await findByEmail(openDb(env.DB), email)).toEqual({ ...first, confirmation_sent_at: expect.any(Number) });
  const [newer, older] = await mailsTo(email);
  expect((await pressLink(older)).status).toBe(403);
  expect((await pressLink(newer, { sign_up_secret: 'e'.repeat(43) })).status).toBe(200);
  for (const password of ['secret-1', 'secret-2'])
    expect((await tab().auth.signInWithPassword({ email, password })).error?.code).toBe('invalid_credentials');
});

test('the browser that signed up keeps its password, and may correct it first', async () => {
  const email = address();
  const options = { data: { name: 'Ada', sign_up_secret: 'a'.repeat(43) } };
  await tab().auth.signUp({ email, password: 'secret-1', options });
  await tab().auth.signUp({ email, password: 'secret-2', options });
  const row = await findByEmail(openDb(env.DB), email);
  expect(row?.sign_up_secret_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(row)).not.toContain('aaaa');
  const answer = await pressLink((await mailsTo(email))[0], { sign_up_secret: 'a'.repeat(43) });
  const { user } = await answer.json<{ user: { app_metadata: unknown; user_metadata: unknown } }>();
  expect(user.app_metadata).toMatchObject({ has_password: true });
  expect(user.user_metadata).toMatchObject({ name: 'Ada', email_verified: true });
  expect(JSON.stringify(user)).not.toContain('aaaa');
  expect((await tab().auth.signInWithPassword({ email, password: 'secret-1' })).error?.code).toBe('invalid_credentials');
  expect((await tab().auth.signInWithPassword({ email, password: 'secret-2' })).error).toBeNull();
  expect(await findByEmail(openDb(env.DB), email)).toMatchObject({ sign_up_secret_hash: null, proven_at: expect.any(Number) });
});

test('confirming without the secret clears password and metadata of the sign-up', async () => {
  const email = address();
  await tab().auth.signUp({ email, password: 'secret-1', options: { data: { name: 'Eve', sign_up_secret: 'e'.repeat(43) } } });
  const answer = await pressLink((await mailsTo(email))[0]);
  const { user } = await answer.json<{ user: { id: string; app_metadata: unknown; user_metadata: unknown } }>();
  expect(user.app_metadata).toEqual({ provider: 'email', providers: ['email'], has_password: false });
  expect(user.user_metadata).toEqual({ sub: user.id, email, email_verified: true, phone_verified: false });
  expect((await findByEmail(openDb(env.DB), email))?.password_hash).toBeNull();
});

test('autoconfirm proves no address; the first answered mail ends what was there', async () => {
  const email = address();
  const squatter = tab(AUTOCONFIRM);
  await squatter.auth.signUp({ email, password: 'secret-1' });
  expect(await findByEmail(openDb(env.DB), email)).toMatchObject({ email_confirmed_at: expect.any(Number), proven_at: null });
  await tab().auth.resetPasswordForEmail(email);
  expect((await pressLink((await mailsTo(email))[0])).status).toBe(200);
  expect((await squatter.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  expect((await tab().auth.signInWithPassword({ email, password: 'secret-1' })).error?.code).toBe('invalid_credentials');
});

test('metadata too deep for the database does not block a confirmation', async () => {
  const email = address();
  const deep = JSON.parse(`${'['.repeat(1010)}${']'.repeat(1010)}`);
  expect((await tab(AUTOCONFIRM).auth.signUp({ email, password: 'secret-1', options: { data: { deep } } })).error).toBeNull();
  await tab().auth.resetPasswordForEmail(email);
  expect((await pressLink((await mailsTo(email))[0])).status).toBe(200);
});

test('with autoconfirm a known address is refused, an unconfirmed one too', async () => {
  const email = address();
  await tab().auth.signUp({ email, password: 'secret-1' });
  const { error } = await tab(AUTOCONFIRM).auth.signUp({ email, password: 'secret-1' });
  expect(error).toMatchObject({ status: 422, code: 'user_already_exists', message: 'User already registered' });
});

test('a code challenge is accepted and ignored', async () => {
  const email = address();
  const client = tab({}, 'pkce');
  expect((await client.auth.signUp({ email, password: 'secret-1' })).error).toBeNull();
  expect((await signUp({ email: address(), password: 'secret-1', code_challenge: 'x' })).status).toBe(200);
  expect(new URL((await mailsTo(email))[0]?.link ?? '').hash).toMatch(/^#type=signup&token_hash=[\w-]{43}$/);
});

test('five simultaneous sign-ups make one account and no 5xx', async () => {
  const email = address();
  const answers = await Promise.all(Array.from({ length: 5 }, () => signUp({ email, password: 'secret-1' }, AUTOCONFIRM)));
  expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 422, 422, 422, 422]);
});

test('the mail interval is the same for a new, an unconfirmed and a confirmed address', async () => {
  const slow = { AUTH_EMAIL_INTERVAL_SECONDS: '60' };
  const email = address();
  const wait = {
    status: 429,
    code: 'over_email_send_rate_limit',
    message: expect.stringMatching(/^For security purposes, you can only request this after \d+ seconds\.$/),
  };
  expect((await tab(slow).auth.signUp({ email, password: 'secret-1' })).error).toBeNull();
  expect((await tab(slow).auth.signUp({ email, password: 'secret-1' })).error).toMatchObject(wait);
  expect((await tab(slow).auth.resend({ type: 'signup', email })).error).toMatchObject(wait);
  expect((await pressLink((await mailsTo(email))[0])).status).toBe(200);
  expect((await tab(slow).auth.signUp({ email, password: 'secret-1' })).error).toBeNull();
  expect((await tab(slow).auth.signUp({ email, password: 'secret-1' })).error).toMatchObject(wait);
});

test.each([
  [{}, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
  [{ email: null, password: null }, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
  [{ email: 'a@example.com' }, 400, 'validation_failed', 'Signup requires a valid password'],
  [
    { email: 'a@example.com', password: 'ü'.repeat(37) },
    400,
    'validation_failed',
    'Password cannot be longer than 72 characters',
  ],
  [{ email: 'a@example.com', password: '12345' }, 422, 'weak_password', 'Password should be at least 6 characters.'],
  [{ email: 'no address', password: '123456' }, 400, 'validation_failed', 'Unable to validate email address: invalid format'],
  [{ email: `${'a'.repeat(300)}@example.com`, password: '123456' }, 400, 'validation_failed', 'An email address is too long'],
  [{ email: 1, password: '123456' }, 400, 'bad_json', expect.any(String)],
  [{ email: 'a@example.com', password: ['123456'] }, 400, 'bad_json', expect.any(String)],
  [{ email: 'a@example.com', password: '123456', data: 'text' }, 400, 'bad_json', expect.any(String)],
  [['a@example.com'], 400, 'bad_json', expect.any(String)],
  ['text', 400, 'bad_json', expect.any(String)],
])('sign-up with %j is refused', async (body, status, code, message) => {
  const answer = await signUp(body);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ code, message });
});

test('a weak password names its reasons to the client', async () => {
  const { error } = await tab().auth.signUp({ email: address(), password: 'short' });
  expect(error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] });
});

test('a password of 72 bytes is fine, and is the whole password', async () => {
  const email = address();
  const password = `${'x'.repeat(71)}y`;
  await tab(AUTOCONFIRM).auth.signUp({ email, password });
  expect((await tab().auth.signInWithPassword({ email, password })).error).toBeNull();
  expect((await tab().auth.signInWithPassword({ email, password: `${'x'.repeat(71)}z` })).error?.code).toBe(
    'invalid_credentials',
  );
});

test('the stored hash names its parameters, and no password is anywhere in the row', async () => {
  const email = address();
  await signUp({ email, password: 'very-secret-word' }, AUTOCONFIRM);
  const row = await findByEmail(openDb(env.DB), email);
  expect(row?.password_hash).toMatch(/^\$scrypt\$ln=10,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(JSON.stringify(row)).not.toContain('very-secret-word');
});

test('where mails leave, none is sent before the answer, and a missing sender is an error for every address', async () => {
  const sent: unknown[] = [];
  const EMAIL: SendEmail = { send: async (mail: unknown) => ({ messageId: String(sent.push(mail)) }) };
  const real = { DEV_MAILBOX: 'off', MAIL_FROM: 'hop@example.com', EMAIL };
  const email = address();
  expect((await signUp({ email, password: 'secret-1' }, real)).status).toBe(200);
  expect(sent).toEqual([
    expect.objectContaining({
      to: email,
      from: { email: 'hop@example.com', name: 'Hop' },
      text: expect.any(String),
      html: expect.any(String),
    }),
  ]);
  expect(await mailsTo(email)).toEqual([]);
  const answer = await signUp({ email, password: 'secret-1' }, { ...real, MAIL_FROM: '' });
  expect(answer.status).toBe(500);
});

test('a mail that cannot be sent does not fail the sign-up, and the log holds no address', async () => {
  const EMAIL: SendEmail = { send: () => Promise.reject(new Error('no route to someone@example.com')) };
  const answer = await signUp(
    { email: address(), password: 'secret-1' },
    { DEV_MAILBOX: 'off', MAIL_FROM: 'hop@example.com', EMAIL },
  );
  expect(answer.status).toBe(200);
});
