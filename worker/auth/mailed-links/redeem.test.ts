import { env } from 'cloudflare:test';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { CHEAP, EMBEDDED, linkIn, mailsTo, pressLink, tab } from '#worker/testing/sign-in.ts';
import { createAccount } from '#worker/auth/accounts/create-account.ts';
import { updateAccount, findByEmail } from '#worker/auth/service/store.ts';

const address = (): string => `${crypto.randomUUID().slice(0, 8)}@example.com`;
const db = openDb(env.DB);
const make = async (confirmed = true): Promise<string> => {
  const email = address();
  await createAccount(db, { email, password: 'correct horse', confirmed, now: Date.now() }, CHEAP);
  return email;
};
const codeOf = (text: string) => /\b\d{6}\b/.exec(text.replace(/https?:\S+/g, ''))?.[0] ?? '';
const recoverMail = async (email: string, redirectTo?: string) => {
  const { error } = await tab().auth.resetPasswordForEmail(
    email,
    redirectTo === undefined ? {} : { redirectTo },
  );
  expect(error).toBeNull();
  const [mail] = await mailsTo(email);
  if (mail === undefined) throw new Error('no mail');
  return mail;
};
const MODERN = { 'X-Supabase-Api-Version': '2024-01-01' };
const codeIn = async (answer: Response) => (await answer.json<{ code: string }>()).code;
const describeLink = (json: unknown) =>
  call('/api/auth/v1/verify/describe', { json, headers: MODERN }, EMBEDDED);
describe('mailed links and codes', () => {
  it('a link opens the confirm page with everything in the fragment', async () => {
    const email = address();
    await tab().auth.signUp({
      email,
      password: 'secret-1',
      options: { emailRedirectTo: `${ORIGIN}/settings?tab=1` },
    });
    const [mail] = await mailsTo(email);
    const url = new URL(mail?.link ?? '');
    expect([url.origin, url.pathname, url.search]).toEqual([ORIGIN, '/auth/confirm', '']);
    expect(linkIn(mail)).toMatchObject({
      type: 'signup',
      token_hash: expect.stringMatching(/^[\w-]{43}$/),
      next: '/settings?tab=1',
    });
    expect(mail?.text).toContain(mail?.link);
  });

  it('[T4] a link names no page but one of the application, and not the default', async () => {
    const email = await make();
    for (const wanted of [
      undefined,
      `${ORIGIN}/dashboard`,
      'https://evil.example/x',
      'javascript:alert(1)',
      '//evil.example',
    ])
      expect([wanted, linkIn(await recoverMail(email, wanted)).next]).toEqual([wanted, null]);
    expect(linkIn(await recoverMail(email, `${ORIGIN}/settings`)).next).toBe('/settings');
  });

  it('a link starts one session', async () => {
    const email = address();
    await tab().auth.signUp({ email, password: 'secret-1' });
    const [mail] = await mailsTo(email);
    const { token_hash } = linkIn(mail);
    const client = tab();
    const { data, error } = await client.auth.verifyOtp({ type: 'signup', token_hash });
    expect(error).toBeNull();
    expect(decodeJwt(data.session?.access_token ?? '')['amr']).toEqual([
      { method: 'otp', timestamp: expect.any(Number) },
    ]);
    expect(data.user?.email_confirmed_at).toBeTruthy();
    expect(data.user?.user_metadata).toMatchObject({
      email_verified: true,
      sub: data.user?.id,
      email,
    });
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
    expect((await tab().auth.verifyOtp({ type: 'signup', token_hash })).error).toMatchObject({
      status: 403,
      code: 'otp_expired',
      message: 'Email link is invalid or has expired',
    });
  });

  it('parallel requests with one link start one session', async () => {
    const mail = await recoverMail(await make());
    const answers = await Promise.all(Array.from({ length: 5 }, () => pressLink(mail)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200, 403, 403, 403, 403,
    ]);
  });

  it('a link works for its own kind only, until it expires', async () => {
    const email = await make(false);
    const mail = await recoverMail(email);
    expect(await codeIn(await pressLink(mail, { type: 'signup' }))).toBe('otp_expired');
    expect((await pressLink(mail, { type: 'nonsense' })).status).toBe(400);
    expect((await pressLink(mail, { type: 'magiclink' })).status).toBe(200);
    await tab({ AUTH_LINK_TTL_SECONDS: '0' }).auth.resetPasswordForEmail(email);
    expect(await codeIn(await pressLink((await mailsTo(email))[0]))).toBe('otp_expired');
  });

  it('a recovery link confirms the address and voids every other link', async () => {
    const email = address();
    await tab().auth.signUp({ email, password: 'secret-1' });
    const [first] = await mailsTo(email);
    expect((await pressLink(await recoverMail(email))).status).toBe(200);
    expect(await findByEmail(db, email)).toMatchObject({
      email_confirmed_at: expect.any(Number),
      proven_at: expect.any(Number),
    });
    expect(await codeIn(await pressLink(first))).toBe('otp_expired');
  });

  it.each(['GET', 'HEAD'])(
    '%s /verify redirects to the confirm page without reading storage',
    async (method) => {
      const failing = () => {
        throw new Error('no storage may be asked');
      };
      const DB = withMethods(env.DB, { prepare: failing, batch: failing });
      const LINKS = withMethods(env.LINKS, { get: failing, put: failing });
      const token = 'A'.repeat(43);
      const open = async (query: string) => {
        const answer = await call(
          `/api/auth/v1/verify?${query}`,
          { method },
          { ...EMBEDDED, DB, LINKS },
        );
        expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([303, 'no-store']);
        return answer.headers.get('Location');
      };
      const page = `${ORIGIN}/auth/confirm#`;
      expect(await open(`token=${token}&type=signup&redirect_to=${ORIGIN}/settings`)).toBe(
        `${page}type=signup&token_hash=${token}&next=%2Fsettings`,
      );
      expect(await open(`token_hash=${token}&type=recovery`)).toBe(
        `${page}type=recovery&token_hash=${token}`,
      );
      expect(await open(`token=${token}&type=recovery&redirect_to=https://evil.example`)).toBe(
        `${page}type=recovery&token_hash=${token}`,
      );
      expect(await open('token=%0d%0aX:1&type=evil')).toBe(page);
      expect(await open('')).toBe(page);
    },
  );

  it('describing a link does not use it up', async () => {
    const email = await make();
    const mail = await recoverMail(email);
    const { type, token_hash } = linkIn(mail);
    const before = await findByEmail(db, email);
    for (let i = 0; i < 3; i += 1) {
      const answer = await describeLink({ type, token_hash });
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { type: 'recovery', email, keeps_password: true },
      ]);
    }
    expect(await findByEmail(db, email)).toEqual(before);
    expect((await pressLink(mail)).status).toBe(200);
    expect(await codeIn(await describeLink({ type, token_hash }))).toBe('otp_expired');
    expect((await describeLink({ type: 'recovery', token_hash: 'unknown' })).status).toBe(403);
    for (const json of [{}, { type: 'recovery' }, { token_hash }, { type: 'nonsense', token_hash }])
      expect((await describeLink(json)).status).toBe(400);
  });

  it('describing a link says whether the password survives it', async () => {
    const email = address();
    const secret = 'k'.repeat(43);
    await tab().auth.signUp({
      email,
      password: 'secret-1',
      options: { data: { sign_up_secret: secret } },
    });
    const { type, token_hash } = linkIn((await mailsTo(email))[0]);
    const keeps = async (members: Record<string, unknown>) =>
      (
        await (
          await describeLink({ type, token_hash, ...members })
        ).json<{ keeps_password: boolean }>()
      ).keeps_password;
    expect(await keeps({ sign_up_secret: secret })).toBe(true);
    expect(await keeps({ sign_up_secret: 'x'.repeat(43) })).toBe(false);
    expect(await keeps({ sign_up_secret: 7 })).toBe(false);
    expect(await keeps({})).toBe(false);
  });

  it('a suspended account gets no session and keeps its link', async () => {
    const email = await make();
    const mail = await recoverMail(email);
    const account = await findByEmail(db, email);
    await updateAccount(db, account?.id ?? '', { banned_until: Date.now() + 60_000 });
    const suspended = await pressLink(mail);
    expect([suspended.status, await suspended.json()]).toEqual([
      400,
      { code: 'user_banned', message: 'This account is suspended.' },
    ]);
    const byCode = await tab().auth.verifyOtp({
      email,
      token: codeOf(mail.text),
      type: 'recovery',
    });
    expect(byCode.error).toMatchObject({ status: 400, code: 'user_banned' });
    await updateAccount(db, account?.id ?? '', { banned_until: null });
    expect((await pressLink(mail)).status).toBe(200);
  });

  it('a code starts one session', async () => {
    const email = await make();
    const code = codeOf((await recoverMail(email)).text);
    expect((await tab().auth.verifyOtp({ email, token: code, type: 'signup' })).error?.code).toBe(
      'otp_expired',
    );
    expect((await tab().auth.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull();
    for (const [who, token] of [
      [email, code],
      [address(), '123456'],
    ])
      expect(
        (await tab().auth.verifyOtp({ email: who ?? '', token: token ?? '', type: 'email' })).error,
      ).toMatchObject({
        status: 403,
        code: 'otp_expired',
        message: 'Token has expired or is invalid',
      });
  });

  it('accepts the correct code at the fifth attempt', async () => {
    const email = await make();
    const code = codeOf((await recoverMail(email)).text);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let i = 0; i < 4; i += 1)
      expect(
        (await tab().auth.verifyOtp({ email, token: wrong, type: 'recovery' })).error?.code,
      ).toBe('otp_expired');
    expect((await tab().auth.verifyOtp({ email, token: code, type: 'recovery' })).error).toBeNull();
  });

  it('five parallel wrong codes void the code but not the link', async () => {
    const email = await make();
    const mail = await recoverMail(email);
    const code = codeOf(mail.text);
    const wrong = code === '000000' ? '000001' : '000000';
    await Promise.all(
      Array.from({ length: 5 }, () =>
        tab().auth.verifyOtp({ email, token: wrong, type: 'recovery' }),
      ),
    );
    expect((await tab().auth.verifyOtp({ email, token: code, type: 'recovery' })).error?.code).toBe(
      'otp_expired',
    );
    expect((await pressLink(mail)).status).toBe(200);
  });

  it.each([
    [{ token_hash: 'x' }, 'Verify requires a verification type'],
    [{ type: 'signup' }, 'Verify requires either a token or a token hash'],
    [
      { type: 'signup', token: 'x', token_hash: 'x' },
      'Verify requires either a token or a token hash',
    ],
    [
      { type: 'signup', token_hash: 'x', email: 'a@example.com' },
      'Only the token_hash and type should be provided',
    ],
    [
      { type: 'signup', token_hash: 'x', phone: '1' },
      'Only the token_hash and type should be provided',
    ],
    [
      { type: 'signup', token_hash: 'x', redirect_to: '/' },
      'Only the token_hash and type should be provided',
    ],
    [
      { type: 'signup', token: '123456' },
      'Only an email address or phone number should be provided on verify',
    ],
    [{ type: 'nonsense', token_hash: 'x' }, 'Invalid email verification type'],
  ])('POST /verify rejects %j', async (json, message) => {
    const answer = await call('/api/auth/v1/verify', { json, headers: MODERN }, EMBEDDED);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ code: 'validation_failed', message });
  });

  it('recover and resend answer alike for a known and an unknown address', async () => {
    const [known, unknown] = [await make(), address()];
    const slow = { ...EMBEDDED, AUTH_EMAIL_INTERVAL_SECONDS: '60' };
    const answersFor = async (email: string) => {
      const answers = [];
      for (const path of ['/recover', '/recover', '/resend', '/resend']) {
        const answer = await call(
          `/api/auth/v1${path}`,
          { json: { email, type: 'signup' }, headers: MODERN },
          slow,
        );
        const headers = Object.fromEntries(answer.headers);
        delete headers['x-request-id'];
        // The wait depends on the second in which the test runs.
        delete headers['retry-after'];
        answers.push({
          status: answer.status,
          headers,
          body: (await answer.text()).replace(/\d+ seconds/, 'N seconds'),
        });
      }
      return answers;
    };
    const answers = await answersFor(known);
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 200, 429]);
    expect(answers[1]?.body).toContain('over_email_send_rate_limit');
    expect(await answersFor(unknown)).toEqual(answers);
    expect((await mailsTo(known)).map(({ subject }) => subject)).toEqual([
      'You already have a Hop account',
      'Reset your Hop password',
    ]);
    expect(await mailsTo(unknown)).toHaveLength(0);
    expect((await tab().auth.resetPasswordForEmail('nonsense')).error).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });

  it.each(['email_change', 'sms', 'phone_change'])(
    'resending %s sends nothing, because no such email exists',
    async (type) => {
      const email = await make(false);
      const answer = await call('/api/auth/v1/resend', { json: { type, email } }, EMBEDDED);
      expect([answer.status, await answer.json()]).toEqual([200, {}]);
      expect(await mailsTo(email)).toEqual([]);
    },
  );

  it('an address without an account takes the same work and gets no mail', async () => {
    const rows = async () =>
      (await env.DB.prepare('SELECT user_id FROM auth_one_time_tokens').all<{ user_id: string }>())
        .results;
    const before = (await rows()).length;
    const email = address();
    await tab().auth.resetPasswordForEmail(email);
    await tab().auth.resetPasswordForEmail(email);
    const created = await rows();
    expect(created).toHaveLength(before + 1);
    expect(created.at(-1)?.user_id).toMatch(/^nobody:[0-9a-f]{64}$/);
    expect(await mailsTo(email)).toEqual([]);
  });
});
