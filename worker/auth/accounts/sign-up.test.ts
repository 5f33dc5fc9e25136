import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { EMBEDDED, mailsTo, pressLink, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { findByEmail } from '#worker/auth/service/store.ts';

const address = (): string => `${crypto.randomUUID().slice(0, 8)}@example.com`;
const signUp = (json: unknown, overrides: Partial<Env> = {}) =>
  call(
    '/api/auth/v1/signup',
    { json, headers: { 'X-Supabase-Api-Version': '2024-01-01' } },
    { ...EMBEDDED, ...overrides },
  );
const AUTOCONFIRM = { AUTH_AUTOCONFIRM: 'on' };
describe('signing up', () => {
  it('signs in with autoconfirm', async () => {
    const client = tab(AUTOCONFIRM);
    const { data, error } = await client.auth.signUp({
      email: address().toUpperCase(),
      password: 'secret-1',
    });
    expect(error).toBeNull();
    expect(data.session?.token_type).toBe('bearer');
    expect(data.session?.expires_in).toBe(3600);
    expect(data.user?.email).toBe(data.user?.email?.toLowerCase());
    expect(data.user?.email_confirmed_at).toBeTruthy();
    expect((await client.auth.getUser()).data.user?.id).toBe(data.user?.id);
  });

  it('returns the user without a session and sends an email', async () => {
    const email = address();
    const { data, error } = await tab().auth.signUp({
      email,
      password: 'secret-1',
      options: { data: { name: 'Ada', sub: 'mine' } },
    });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    const user = data.user;
    expect(user).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email,
      phone: '',
      is_anonymous: false,
    });
    expect(user?.user_metadata).toEqual({
      name: 'Ada',
      sub: user?.id,
      email,
      email_verified: false,
      phone_verified: false,
    });
    expect(user?.app_metadata).toEqual({
      provider: 'email',
      providers: ['email'],
      has_password: true,
    });
    expect(user?.identities).toHaveLength(1);
    expect(user?.identities?.[0]).toMatchObject({
      identity_id: expect.stringMatching(
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/,
      ),
      user_id: user?.id,
      provider: 'email',
      identity_data: { email, email_verified: false, sub: user?.id },
    });
    expect(user?.confirmation_sent_at).toBeTruthy();
    expect(user).not.toHaveProperty('email_confirmed_at');
    const [mail] = await mailsTo(email);
    expect(mail?.to).toBe(email);
    expect(mail?.text).toContain(mail?.link);
    expect(mail?.text).toMatch(/\b\d{6}\b/);
  });

  it('answers alike for a new, an unconfirmed and a confirmed address', async () => {
    const [fresh, pending, confirmed] = [address(), address(), address()];
    await tab().auth.signUp({
      email: pending,
      password: 'secret-1',
      options: { data: { name: 'Bob' } },
    });
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
      expect([user.id, user.email, answer.status]).toEqual([
        expect.stringMatching(/^[0-9a-f-]{36}$/),
        email,
        200,
      ]);
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
    const known = await Promise.all(
      [pending, confirmed].map((email) => findByEmail(openDb(env.DB), email)),
    );
    expect(answers.join()).not.toContain(known[0]?.id);
    expect(await findByEmail(openDb(env.DB), confirmed)).toEqual(real);
  });

  it('tells a confirmed address that it has an account, and keeps its password', async () => {
    const email = address();
    const secret = 's'.repeat(43);
    await tab().auth.signUp({
      email,
      password: 'secret-1',
      options: { data: { sign_up_secret: secret } },
    });
    await pressLink((await mailsTo(email))[0], { sign_up_secret: secret });
    const before = await mailsTo(email);
    await tab().auth.signUp({
      email,
      password: 'another-1',
      options: { data: { sign_up_secret: secret } },
    });
    const [mail, ...older] = await mailsTo(email);
    expect(older).toEqual(before);
    expect(mail).toMatchObject({
      subject: 'You already have a Hop account',
      link: `${ORIGIN}/auth`,
    });
    expect(mail?.text).toContain(
      `Forgot your password? Choose a new one:\n${ORIGIN}/auth?tab=forgot`,
    );
    expect(mail?.html).toContain(`href="${ORIGIN}/auth?tab=forgot"`);
    // Anybody can trigger this email, so it must not be able to sign anyone in.
    expect(`${mail?.text}${mail?.html}`).not.toContain('token');
    expect(mail?.text).not.toMatch(/\d{6}/);
    expect(
      (await tab().auth.signInWithPassword({ email, password: 'another-1' })).error?.code,
    ).toBe('invalid_credentials');
    expect((await tab().auth.signInWithPassword({ email, password: 'secret-1' })).error).toBeNull();
  });

  it('resending to a confirmed address looks the same, and keeps the return page', async () => {
    const { email } = await signInEmbedded();
    const emailRedirectTo = `${ORIGIN}/settings`;
    expect(
      (await tab().auth.resend({ type: 'signup', email, options: { emailRedirectTo } })).error,
    ).toBeNull();
    const [mail] = await mailsTo(email);
    expect(mail).toMatchObject({
      subject: 'You already have a Hop account',
      link: `${ORIGIN}/auth?next=%2Fsettings`,
    });
    expect(mail?.text).toContain(`${ORIGIN}/auth?tab=forgot&next=%2Fsettings`);
  });

  it('[A2] signing up takes the same work for new, unconfirmed and confirmed addresses', async () => {
    const [fresh, pending, { email: confirmed }] = [address(), address(), await signInEmbedded()];
    await signUp({ email: pending, password: 'secret-1' });
    const work = [];
    for (const email of [fresh, pending, confirmed]) {
      const calls: string[] = [];
      const DB = aroundD1(env.DB, (name, run) => (calls.push(name), run()));
      expect((await signUp({ email, password: 'secret-1' }, { DB })).status).toBe(200);
      work.push(calls);
    }
    expect(work[1]).toEqual(work[0]);
    expect(work[2]).toEqual(work[0]);
  });

  it('a second sign-up changes nothing, and its link voids the first one', async () => {
    const email = address();
    await tab().auth.signUp({ email, password: 'secret-1', options: { data: { name: 'Ada' } } });
    const first = await findByEmail(openDb(env.DB), email);
    await tab().auth.signUp({
      email,
      password: 'secret-2',
      options: { data: { name: 'Eve', sign_up_secret: 'e'.repeat(43) } },
    });
    expect(await findByEmail(openDb(env.DB), email)).toEqual({
      ...first,
      confirmation_sent_at: expect.any(Number),
    });
    const [newer, older] = await mailsTo(email);
    expect((await pressLink(older)).status).toBe(403);
    expect((await pressLink(newer, { sign_up_secret: 'e'.repeat(43) })).status).toBe(200);
    for (const password of ['secret-1', 'secret-2'])
      expect((await tab().auth.signInWithPassword({ email, password })).error?.code).toBe(
        'invalid_credentials',
      );
  });

  it('the browser that signed up keeps its password and can correct it', async () => {
    const email = address();
    const options = { data: { name: 'Ada', sign_up_secret: 'a'.repeat(43) } };
    await tab().auth.signUp({ email, password: 'secret-1', options });
    await tab().auth.signUp({ email, password: 'secret-2', options });
    const row = await findByEmail(openDb(env.DB), email);
    expect(row?.sign_up_secret_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain('aaaa');
    const answer = await pressLink((await mailsTo(email))[0], { sign_up_secret: 'a'.repeat(43) });
    const { user } = await answer.json<{
      user: { app_metadata: unknown; user_metadata: unknown };
    }>();
    expect(user.app_metadata).toMatchObject({ has_password: true });
    expect(user.user_metadata).toMatchObject({ name: 'Ada', email_verified: true });
    expect(JSON.stringify(user)).not.toContain('aaaa');
    expect((await tab().auth.signInWithPassword({ email, password: 'secret-1' })).error?.code).toBe(
      'invalid_credentials',
    );
    expect((await tab().auth.signInWithPassword({ email, password: 'secret-2' })).error).toBeNull();
    expect(await findByEmail(openDb(env.DB), email)).toMatchObject({
      sign_up_secret_hash: null,
      proven_at: expect.any(Number),
    });
  });

  it('confirming without the secret removes the sign-up’s password and metadata', async () => {
    const email = address();
    await tab().auth.signUp({
      email,
      password: 'secret-1',
      options: { data: { name: 'Eve', sign_up_secret: 'e'.repeat(43) } },
    });
    const answer = await pressLink((await mailsTo(email))[0]);
    const { user } = await answer.json<{
      user: { id: string; app_metadata: unknown; user_metadata: unknown };
    }>();
    expect(user.app_metadata).toEqual({
      provider: 'email',
      providers: ['email'],
      has_password: false,
    });
    expect(user.user_metadata).toEqual({
      sub: user.id,
      email,
      email_verified: true,
      phone_verified: false,
    });
    expect((await findByEmail(openDb(env.DB), email))?.password_hash).toBeNull();
  });

  it('an autoconfirmed address is unproven until a mailed link is used', async () => {
    const email = address();
    const squatter = tab(AUTOCONFIRM);
    await squatter.auth.signUp({ email, password: 'secret-1' });
    expect(await findByEmail(openDb(env.DB), email)).toMatchObject({
      email_confirmed_at: expect.any(Number),
      proven_at: null,
    });
    await tab().auth.resetPasswordForEmail(email);
    expect((await pressLink((await mailsTo(email))[0])).status).toBe(200);
    expect((await squatter.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await tab().auth.signInWithPassword({ email, password: 'secret-1' })).error?.code).toBe(
      'invalid_credentials',
    );
  });

  it('metadata that SQLite cannot parse does not block a confirmation', async () => {
    const email = address();
    const deep = JSON.parse(`${'['.repeat(1010)}${']'.repeat(1010)}`);
    expect(
      (
        await tab(AUTOCONFIRM).auth.signUp({
          email,
          password: 'secret-1',
          options: { data: { deep } },
        })
      ).error,
    ).toBeNull();
    await tab().auth.resetPasswordForEmail(email);
    expect((await pressLink((await mailsTo(email))[0])).status).toBe(200);
  });

  it('rejects a known address with autoconfirm, confirmed or not', async () => {
    const email = address();
    await tab().auth.signUp({ email, password: 'secret-1' });
    const { error } = await tab(AUTOCONFIRM).auth.signUp({ email, password: 'secret-1' });
    expect(error).toMatchObject({
      status: 422,
      code: 'user_already_exists',
      message: 'User already registered',
    });
  });

  it('ignores a code challenge', async () => {
    const email = address();
    const client = tab({}, 'pkce');
    expect((await client.auth.signUp({ email, password: 'secret-1' })).error).toBeNull();
    expect(
      (await signUp({ email: address(), password: 'secret-1', code_challenge: 'x' })).status,
    ).toBe(200);
    expect(new URL((await mailsTo(email))[0]?.link ?? '').hash).toMatch(
      /^#type=signup&token_hash=[\w-]{43}$/,
    );
  });

  it('five simultaneous sign-ups create one account and no error', async () => {
    const email = address();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => signUp({ email, password: 'secret-1' }, AUTOCONFIRM)),
    );
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([
      200, 422, 422, 422, 422,
    ]);
  });

  it('applies one email interval to new, unconfirmed and confirmed addresses', async () => {
    const slow = { AUTH_EMAIL_INTERVAL_SECONDS: '60' };
    const email = address();
    const wait = {
      status: 429,
      code: 'over_email_send_rate_limit',
      message: expect.stringMatching(
        /^For security purposes, you can only request this after \d+ seconds\.$/,
      ),
    };
    expect((await tab(slow).auth.signUp({ email, password: 'secret-1' })).error).toBeNull();
    expect((await tab(slow).auth.signUp({ email, password: 'secret-1' })).error).toMatchObject(
      wait,
    );
    expect((await tab(slow).auth.resend({ type: 'signup', email })).error).toMatchObject(wait);
    expect((await pressLink((await mailsTo(email))[0])).status).toBe(200);
    expect((await tab(slow).auth.signUp({ email, password: 'secret-1' })).error).toBeNull();
    expect((await tab(slow).auth.signUp({ email, password: 'secret-1' })).error).toMatchObject(
      wait,
    );
  });

  it.each([
    [{}, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
    [
      { email: null, password: null },
      422,
      'anonymous_provider_disabled',
      'Anonymous sign-ins are disabled',
    ],
    [{ email: 'a@example.com' }, 400, 'validation_failed', 'Signup requires a valid password'],
    [
      { email: 'a@example.com', password: 'ü'.repeat(37) },
      400,
      'validation_failed',
      'Password cannot be longer than 72 characters',
    ],
    [
      { email: 'a@example.com', password: '12345' },
      422,
      'weak_password',
      'Password should be at least 6 characters.',
    ],
    [
      { email: 'no address', password: '123456' },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      { email: `${'a'.repeat(300)}@example.com`, password: '123456' },
      400,
      'validation_failed',
      'An email address is too long',
    ],
    [{ email: 1, password: '123456' }, 400, 'bad_json', expect.any(String)],
    [{ email: 'a@example.com', password: ['123456'] }, 400, 'bad_json', expect.any(String)],
    [
      { email: 'a@example.com', password: '123456', data: 'text' },
      400,
      'bad_json',
      expect.any(String),
    ],
    [['a@example.com'], 400, 'bad_json', expect.any(String)],
    ['text', 400, 'bad_json', expect.any(String)],
  ])('POST /signup rejects %j', async (body, status, code, message) => {
    const answer = await signUp(body);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code, message });
  });

  it('tells the client why a password is weak', async () => {
    const { error } = await tab().auth.signUp({ email: address(), password: 'short' });
    expect(error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] });
  });

  it('accepts a password of 72 bytes and compares all of them', async () => {
    const email = address();
    const password = `${'x'.repeat(71)}y`;
    await tab(AUTOCONFIRM).auth.signUp({ email, password });
    expect((await tab().auth.signInWithPassword({ email, password })).error).toBeNull();
    expect(
      (await tab().auth.signInWithPassword({ email, password: `${'x'.repeat(71)}z` })).error?.code,
    ).toBe('invalid_credentials');
  });

  it('[T24] stores the hash with its parameters and no password', async () => {
    const email = address();
    await signUp({ email, password: 'very-secret-word' }, AUTOCONFIRM);
    const row = await findByEmail(openDb(env.DB), email);
    expect(row?.password_hash).toMatch(
      /^\$scrypt\$ln=\d+,r=8,p=\d\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
    expect(JSON.stringify(row)).not.toContain('very-secret-word');
  });

  it('sends the email through the binding, and fails without a sender', async () => {
    const sent: unknown[] = [];
    const EMAIL: SendEmail = {
      send: async (mail: unknown) => ({ messageId: String(sent.push(mail)) }),
    };
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

  it('an email that cannot be sent does not fail the sign-up', async () => {
    const EMAIL: SendEmail = {
      send: () => Promise.reject(new Error('no route to someone@example.com')),
    };
    const answer = await signUp(
      { email: address(), password: 'secret-1' },
      { DEV_MAILBOX: 'off', MAIL_FROM: 'hop@example.com', EMAIL },
    );
    expect(answer.status).toBe(200);
  });
});
