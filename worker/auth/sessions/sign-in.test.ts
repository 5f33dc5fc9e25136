import { env } from 'cloudflare:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { queueHash } from '#worker/auth/password/hash-queue.ts';
import { hashPassword } from '#worker/auth/password/password.ts';
import {
  CHEAP,
  EMBEDDED,
  linkIn,
  mailsTo,
  pressLink,
  signInEmbedded,
  tab,
} from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { createAccount } from '#worker/auth/accounts/create-account.ts';
import { updateAccount, findByEmail } from '#worker/auth/service/store.ts';

const address = (): string => `${crypto.randomUUID().slice(0, 8)}@example.com`;
const db = openDb(env.DB);
const make = (email: string, password = 'correct horse', confirmed = true) =>
  createAccount(db, { email, password, confirmed, now: Date.now() });
const signIn = (email: string, password: string, network = '192.0.2.1') =>
  call(
    '/api/auth/v1/token?grant_type=password',
    {
      json: { email, password },
      headers: { 'CF-Connecting-IP': network, 'X-Supabase-Api-Version': '2024-01-01' },
    },
    EMBEDDED,
  );

/** Sends requests in parallel, but no more at once than the hash queue holds. */
async function fewAtOnce(count: number, send: () => Promise<Response>): Promise<Response[]> {
  const answers: Response[] = [];
  while (answers.length < count)
    answers.push(
      ...(await Promise.all(Array.from({ length: Math.min(6, count - answers.length) }, send))),
    );
  return answers;
}
// The clock stands still, so that waits in answers do not depend on a busy machine and no request
// leaves the hash queue.
beforeEach(stopClock);

describe('signing in with a password', () => {
  it('a sign-in starts a session that the client accepts, whatever the address’s case', async () => {
    const email = address();
    await make(email);
    const { data, error } = await tab().auth.signInWithPassword({
      email: email.toUpperCase(),
      password: 'correct horse',
    });
    expect(error).toBeNull();
    const token = data.session?.access_token ?? '';
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'ES256',
      typ: 'JWT',
      kid: expect.any(String),
    });
    expect(decodeJwt(token)).toEqual({
      iss: 'http://localhost:8787/api/auth/v1',
      sub: data.user?.id,
      aud: 'authenticated',
      exp: expect.any(Number),
      iat: expect.any(Number),
      email,
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { sub: data.user?.id, email, email_verified: true, phone_verified: false },
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: decodeJwt(token).iat }],
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      is_anonymous: false,
    });
    expect(data.session?.expires_at).toBe(decodeJwt(token).exp);
  });

  it('[T16] answers alike for an unknown address, no password and a wrong password', async () => {
    const [known, bare] = [address(), address()];
    await make(known);
    await make(bare);
    const account = await findByEmail(db, bare);
    await updateAccount(db, account?.id ?? '', { password_hash: null });
    const answers = await Promise.all(
      [known, bare, address()].map((email) => signIn(email, 'wrong horse')),
    );
    const contents = await Promise.all(
      answers.map(async (answer) => {
        const headers = Object.fromEntries(answer.headers);
        delete headers['x-request-id'];
        return { status: answer.status, headers, body: await answer.text() };
      }),
    );
    expect(contents[0]).toMatchObject({
      status: 400,
      body: '{"code":"invalid_credentials","message":"Invalid login credentials"}',
    });
    expect(contents[1]).toEqual(contents[0]);
    expect(contents[2]).toEqual(contents[0]);
  });

  it('reveals an unconfirmed address only after the correct password', async () => {
    const email = address();
    await make(email, 'correct horse', false);
    expect(
      (await tab().auth.signInWithPassword({ email, password: 'wrong horse' })).error?.code,
    ).toBe('invalid_credentials');
    expect(
      (await tab().auth.signInWithPassword({ email, password: 'correct horse' })).error,
    ).toMatchObject({
      status: 400,
      code: 'email_not_confirmed',
      message: 'Email not confirmed',
    });
  });

  it('reveals a suspension only after the correct password', async () => {
    const email = address();
    const id = await make(email);
    await updateAccount(db, id ?? '', { banned_until: Date.now() + 60_000 });
    expect(
      (await tab().auth.signInWithPassword({ email, password: 'wrong horse' })).error?.code,
    ).toBe('invalid_credentials');
    expect(
      (await tab().auth.signInWithPassword({ email, password: 'correct horse' })).error,
    ).toMatchObject({
      status: 400,
      code: 'user_banned',
      message: 'This account is suspended.',
    });
  });

  /** Changes the account after its password was compared, just before the session is inserted. */
  const changedMeanwhile = (id: string, change: Parameters<typeof updateAccount>[2]) => {
    let insertsSession = false;
    return withMethods(env.DB, {
      prepare: (query: string) => {
        insertsSession ||= query.startsWith('insert into "auth_sessions"');
        return env.DB.prepare(query);
      },
      batch: async (statements: D1PreparedStatement[]) => {
        if (insertsSession) await updateAccount(db, id, change);
        return env.DB.batch(statements);
      },
    });
  };

  it.each([
    [{ password_hash: 'another' }, 'invalid_credentials'],
    [{ password_hash: null }, 'invalid_credentials'],
    [{ banned_until: Number.MAX_SAFE_INTEGER }, 'user_banned'],
  ])(
    'a sign-in starts no session for an account that becomes %j meanwhile',
    async (change, code) => {
      const email = address();
      const id =
        (await createAccount(
          db,
          { email, password: 'correct horse', confirmed: true, now: 1_000 },
          CHEAP,
        )) ?? '';
      const DB = changedMeanwhile(id, change);
      const answer = await tab({ DB }).auth.signInWithPassword({
        email,
        password: 'correct horse',
      });
      expect(answer.error).toMatchObject({ status: 400, code });
      expect(
        await env.DB.prepare('SELECT 1 FROM auth_sessions WHERE user_id = ?').bind(id).first(),
      ).toBeNull();
      expect(await findByEmail(db, email)).toMatchObject(change);
    },
  );

  it('[T16] twenty wrong passwords lock that network out of the account, and no other', async () => {
    const email = address();
    await createAccount(
      db,
      { email, password: 'correct horse', confirmed: true, now: Date.now() },
      CHEAP,
    );
    // These attempts exceed the account's limit of 100. If rejected attempts counted, they would
    // lock its owner out.
    const attempts = await fewAtOnce(125, () => signIn(email, 'wrong horse', '198.51.100.7'));
    expect(attempts.filter((answer) => answer.status === 400)).toHaveLength(20);
    const locked = await signIn(email, 'correct horse', '198.51.100.7');
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('Retry-After'))).toBeGreaterThan(60);
    expect(await locked.json()).toMatchObject({
      code: 'over_request_rate_limit',
      message: expect.stringContaining('Too many failed sign-in attempts. Try again in 15 minutes'),
    });
    expect((await signIn(email, 'correct horse', '198.51.100.8')).status).toBe(200);
    // A mailed link that is used in the locked network ends the lock there.
    await tab().auth.resetPasswordForEmail(email);
    const { type, token_hash } = linkIn((await mailsTo(email))[0]);
    const headers = { 'CF-Connecting-IP': '198.51.100.7' };
    expect(
      (await call('/api/auth/v1/verify', { json: { type, token_hash }, headers }, EMBEDDED)).status,
    ).toBe(200);
    expect((await signIn(email, 'correct horse', '198.51.100.7')).status).toBe(200);
  });

  it('[T16] a hundred wrong passwords lock the account until a mailed link is used', async () => {
    const email = address();
    await createAccount(
      db,
      { email, password: 'correct horse', confirmed: true, now: Date.now() },
      CHEAP,
    );
    for (let network = 1; network <= 5; network += 1) {
      const attempts = await fewAtOnce(20, () => signIn(email, 'wrong', `203.0.113.${network}`));
      expect(attempts.filter(({ status }) => status === 400)).toHaveLength(20);
    }
    const locked = await signIn(email, 'correct horse', '203.0.113.99');
    expect([locked.status, await locked.json()]).toEqual([
      429,
      expect.objectContaining({ message: expect.stringContaining('Try again in 60 minutes') }),
    ]);
    const client = tab();
    await client.auth.resetPasswordForEmail(email);
    expect((await pressLink((await mailsTo(email))[0])).status).toBe(200);
    expect((await signIn(email, 'correct horse', '203.0.113.99')).status).toBe(200);
  });

  it('a correct password counts on no limit and clears earlier failures', async () => {
    const email = address();
    await createAccount(
      db,
      { email, password: 'correct horse', confirmed: true, now: Date.now() },
      CHEAP,
    );
    for (let i = 0; i < 19; i += 1) await signIn(email, 'wrong', '192.0.2.77');
    expect((await signIn(email, 'correct horse', '192.0.2.77')).status).toBe(200);
    for (let i = 0; i < 3; i += 1)
      expect((await signIn(email, 'wrong', '192.0.2.77')).status).toBe(400);
    await env.DB.exec('DELETE FROM counters');
    await signIn(email, 'wrong', '2001:db8:77::1');
    const counts = async () => {
      const { results } = await env.DB.prepare('SELECT key, count FROM counters').all<{
        key: string;
        count: number;
      }>();
      return Object.fromEntries(results.map(({ key, count }) => [key.split(':')[1], count]));
    };
    expect(await counts()).toEqual({ pair: 1, account: 1, network: 1, 'network-site': 1 });
    expect((await signIn(email, 'correct horse', '2001:db8:77::1')).status).toBe(200);
    expect(await counts()).toEqual({ account: 1, network: 1, 'network-site': 1 });
  });

  it('stores no address in the counters', async () => {
    const email = address();
    await signIn(email, 'wrong', '192.0.2.78');
    const { results } = await env.DB.prepare('SELECT key FROM counters').all<{ key: string }>();
    const keys = results.map((row) => row.key).join(' ');
    expect(keys).toContain('auth:pair:');
    expect(keys).not.toContain('@');
    expect(keys).not.toContain('192.0.2');
  });

  it('[T24] rehashes a password that was hashed with other parameters', async () => {
    const email = address();
    await createAccount(
      db,
      { email, password: 'correct horse', confirmed: true, now: Date.now() },
      CHEAP,
    );
    const parametersOf = (hash: string | null | undefined) => hash?.split('$')[2];
    const stored = async () => parametersOf((await findByEmail(db, email))?.password_hash);
    expect(await stored()).toBe(`ln=${CHEAP.ln},r=${CHEAP.r},p=${CHEAP.p}`);
    expect((await signIn(email, 'correct horse')).status).toBe(200);
    expect(await stored()).toBe(parametersOf(await hashPassword(null, 'any')));
    expect(await stored()).not.toBe(`ln=${CHEAP.ln},r=${CHEAP.r},p=${CHEAP.p}`);
    expect((await signIn(email, 'correct horse')).status).toBe(200);
  });

  it('parallel sign-ins succeed, although one of them rehashes the password', async () => {
    const email = address();
    await make(email);
    const hashOf = async () => (await findByEmail(db, email))?.password_hash ?? '';
    const cheap = await hashPassword(null, 'correct horse', CHEAP);
    await updateAccount(db, (await findByEmail(db, email))?.id ?? '', { password_hash: cheap });
    const sent = [1, 2, 3].map(() => signIn(email, 'correct horse'));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await hashOf()).not.toBe(cheap);
  });

  it('accepts a stored password that is too weak now, with a warning', async () => {
    const email = address();
    await createAccount(db, { email, password: 'abc', confirmed: true, now: Date.now() }, CHEAP);
    const answer = await signIn(email, 'abc');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      weak_password: {
        message: 'Password should be at least 6 characters.',
        reasons: ['length'],
      },
    });
  });

  it('[T16] hashes for an unknown address as for a wrong password', async () => {
    const [known, bare] = [address(), address()];
    await make(known);
    await updateAccount(db, (await make(bare)) ?? '', { password_hash: null });
    // The first request loads the code.
    expect((await signIn(address(), 'wrong horse')).status).toBe(400);
    // With a full queue every request that hashes gets 429, and only those.
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const queued = Array.from({ length: 9 }, () => queueHash(1, () => released));
    const answers = await Promise.all(
      [known, bare, address()].map((email) => signIn(email, 'wrong horse')),
    );
    release();
    await Promise.all(queued);
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
  });

  it.each([
    ['?grant_type=password', {}, 400, 'validation_failed', 'missing email or phone'],
    [
      '?grant_type=pkce',
      { auth_code: 'x', code_verifier: 'x' },
      400,
      'invalid_credentials',
      'Unsupported grant_type: use password or refresh_token',
    ],
    [
      '?grant_type=id_token',
      { token: 'x' },
      400,
      'invalid_credentials',
      'Unsupported grant_type: use password or refresh_token',
    ],
    [
      '',
      { email: 'a@example.com', password: 'x' },
      400,
      'invalid_credentials',
      'Unsupported grant_type: use password or refresh_token',
    ],
    [
      '?grant_type=password',
      { email: { a: 1 }, password: 'x' },
      400,
      'bad_json',
      expect.any(String),
    ],
  ])('POST /token%s rejects %j', async (query, json, status, code, message) => {
    const answer = await call(
      `/api/auth/v1/token${query}`,
      { json, headers: { 'X-Supabase-Api-Version': '2024-01-01' } },
      EMBEDDED,
    );
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code, message });
  });

  it('getClaims() verifies the token with the published key', async () => {
    const { email, password } = await signInEmbedded();
    const client = tab();
    await client.auth.signInWithPassword({ email, password });
    const { data, error } = await client.auth.getClaims();
    expect(error).toBeNull();
    expect(data?.header.alg).toBe('ES256');
    expect(data?.claims.email).toBe(email);
  });
});
