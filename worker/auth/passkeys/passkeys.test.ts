import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PASSKEYS_MAX, type Passkey } from '#contract/sign-in/passkeys.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { logLines } from '#worker/testing/log-lines.ts';
import { WITH_PROVIDER } from '#worker/testing/oidc-provider.ts';
import { makeAuthenticator, passkeyCalls, type Twist } from '#worker/testing/passkey.ts';
import { EMBEDDED, mailsTo, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { readAttestation } from './read-credential.ts';

type Session = { access_token: string; user: { id: string; app_metadata: object } };

const nobody = passkeyCalls({});
const codeOf = async (response: Response) =>
  `${response.status} ${(await response.json<{ error_code: string }>()).error_code}`;
const INVALID = '403 webauthn_verification_failed';
const LATE = '403 webauthn_challenge_expired';
const UNKNOWN = '403 webauthn_credential_not_found';

/** A member with one passkey. */
async function memberWithPasskey() {
  const owner = await signInEmbedded();
  const authenticator = await makeAuthenticator();
  const calls = passkeyCalls(owner.headers);
  const added = await calls.add(authenticator, owner.password);
  expect(added.status).toBe(200);
  return { owner, authenticator, calls, passkey: await added.json<Passkey>() };
}

const listOf = async (calls: ReturnType<typeof passkeyCalls>) =>
  (await calls.ask('', undefined, 'GET')).json<Passkey[]>();

afterEach(() => vi.restoreAllMocks());

describe('passkeys', () => {
  it('adds one after the password, tells the owner, and signs in without an address', async () => {
    const { owner, authenticator, calls, passkey } = await memberWithPasskey();
    expect(passkey).toMatchObject({ kind: 'device', friendly_name: 'Passkey' });
    const [mail] = await mailsTo(owner.email);
    expect(mail?.subject).toContain('A passkey was added');
    expect(mail?.link).toBe(`${ORIGIN}/settings`);
    const session = await (await nobody.signIn(authenticator)).json<Session>();
    expect(session.user).toMatchObject({ id: owner.id, app_metadata: { passkey: true } });
    const headers = { Authorization: `Bearer ${session.access_token}` };
    const sessions = await call('/api/sessions', { headers }, EMBEDDED);
    expect(await sessions.json()).toMatchObject({ sessions: [{ began: 'passkey' }, {}] });
    expect((await listOf(calls))[0]?.last_used_at).toMatch(/^20/);
  });

  it('its use dates the sign-in, and leaves the account a hundred sessions', async () => {
    const { owner, authenticator } = await memberWithPasskey();
    const run = (query: string, ...values: unknown[]) =>
      env.DB.prepare(query)
        .bind(owner.id, ...values)
        .run<{ value: number }>();
    await run('UPDATE auth_users SET last_sign_in_at = 1, updated_at = 1 WHERE id = ?1');
    await run(
      `INSERT INTO auth_sessions (id, user_id, refreshed_at, amr, created_at)
        SELECT 'old-' || value, ?1, value, '[]', 1 FROM json_each(?2)`,
      JSON.stringify(Array.from({ length: 120 }, (_, index) => index)),
    );
    expect((await nobody.signIn(authenticator)).status).toBe(200);
    const count = 'SELECT count(*) AS value FROM auth_sessions WHERE user_id = ?1';
    const date = 'SELECT min(last_sign_in_at, updated_at) AS value FROM auth_users WHERE id = ?1';
    expect((await run(count)).results).toEqual([{ value: 100 }]);
    expect((await run(date)).results[0]?.value).toBeGreaterThan(1);
  });

  it('a browser is told which ones the account has, the oldest first', async () => {
    const { owner, authenticator, calls } = await memberWithPasskey();
    const older = await makeAuthenticator();
    await calls.add(older, owner.password);
    await env.DB.prepare('UPDATE auth_passkeys SET created_at = 1 WHERE credential_id = ?1')
      .bind(older.id)
      .run();
    const known = [older, authenticator].map(({ id }) => ({
      type: 'public-key',
      id,
      transports: ['internal'],
    }));
    const added = await calls.begin('/registration/options', { current_password: owner.password });
    const proven = await calls.begin('/proof/options');
    const challenge = expect.stringMatching(/^[\w-]{43}$/);
    const common = { challenge, timeout: 5 * MINUTE_MS };
    expect(added.options).toEqual({
      ...common,
      rp: { id: 'localhost', name: 'Hop' },
      user: {
        id: Buffer.from(owner.id).toString('base64url'),
        name: owner.email,
        displayName: owner.email,
      },
      pubKeyCredParams: [-7, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: known,
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    });
    const use = { ...common, rpId: 'localhost', userVerification: 'required' };
    expect(proven.options).toEqual({ ...use, allowCredentials: known });
    const begun = await nobody.begin('/authentication/options');
    expect(begun.options).toEqual({ ...use, allowCredentials: [] });
    const left = (Object(begun).expires_at ?? 0) * 1000 - Date.now();
    expect(Math.abs(left - 5 * MINUTE_MS)).toBeLessThan(MINUTE_MS);
  });

  it.each([
    ['platform', ['hybrid', 'internal'], 'device'],
    ['cross-platform', ['usb', 'hybrid'], 'phone'],
    ['cross-platform', ['usb'], 'security_key'],
    ['', ['hybrid'], null],
    ['elsewhere', ['usb'], null],
  ])('an authenticator that is %j with %j is a %s', (attachment, transports, kind) => {
    const response = { transports: ['a made-up one', 7, ...transports.toReversed()] };
    const read = readAttestation({ authenticatorAttachment: attachment, response });
    expect(read).toMatchObject({ kind, transports });
  });

  it('needs a fresh proof to add one', async () => {
    const owner = await signInEmbedded();
    const { ask } = passkeyCalls(owner.headers);
    const answers = [{}, { current_password: 'wrong' }].map(async (json) =>
      codeOf(await ask('/registration/options', json)),
    );
    expect(await Promise.all(answers)).toEqual([
      '400 current_password_required',
      '400 current_password_invalid',
    ]);
  });

  it('renames and removes one of the owner’s own alone, and tells the owner', async () => {
    const { owner, authenticator, calls, passkey } = await memberWithPasskey();
    const other = passkeyCalls((await signInEmbedded()).headers);
    const path = `/${passkey.id}`;
    const name = { friendly_name: '  My   laptop ' };
    expect(await codeOf(await other.ask(path, name, 'PATCH'))).toBe('404 not_found');
    expect(await codeOf(await other.ask(path, undefined, 'DELETE'))).toBe('404 not_found');
    expect((await calls.ask(path, name, 'PATCH')).status).toBe(200);
    expect(await listOf(calls)).toMatchObject([{ friendly_name: 'My laptop' }]);
    for (const friendly_name of ['', 'x'.repeat(61), 'a\u202eb'])
      expect((await calls.ask(path, { friendly_name }, 'PATCH')).status).toBe(400);
    expect((await calls.ask(path, undefined, 'DELETE')).status).toBe(204);
    expect(await codeOf(await nobody.signIn(authenticator))).toBe(UNKNOWN);
    expect((await mailsTo(owner.email))[0]?.subject).toContain('A passkey was removed');
  });

  it('an account has at most ten, and a passkey has one account', async () => {
    const { owner, authenticator, calls } = await memberWithPasskey();
    const other = await signInEmbedded();
    expect(await codeOf(await passkeyCalls(other.headers).add(authenticator, other.password))).toBe(
      '422 webauthn_credential_exists',
    );
    const begun = await calls.begin('/registration/options', { current_password: owner.password });
    for (let i = 1; i < PASSKEYS_MAX; i += 1)
      await calls.add(await makeAuthenticator(), owner.password);
    expect(await listOf(calls)).toHaveLength(PASSKEYS_MAX);
    const eleventh = (await makeAuthenticator()).create(begun);
    expect((await calls.ask('/registration/verify', eleventh)).status).toBe(422);
    const json = { current_password: owner.password };
    expect(await codeOf(await calls.ask('/registration/options', json))).toBe(
      '422 too_many_passkeys',
    );
  });

  it('accepts RSA keys of 2048 bits, as Windows has them, and no shorter ones', async () => {
    const owner = await signInEmbedded();
    const calls = passkeyCalls(owner.headers);
    const [authenticator, short] = [await makeAuthenticator(2048), await makeAuthenticator(1024)];
    expect((await calls.add(authenticator, owner.password)).status).toBe(200);
    expect((await nobody.signIn(authenticator)).status).toBe(200);
    expect(await codeOf(await calls.add(short, owner.password))).toBe(INVALID);
  });

  it('accepts keys with a coordinate that begins with a zero', async () => {
    const owner = await signInEmbedded();
    const authenticator = await makeAuthenticator('short ec');
    expect((await passkeyCalls(owner.headers).add(authenticator, owner.password)).status).toBe(200);
    expect((await nobody.signIn(authenticator)).status).toBe(200);
    const stored = await env.DB.prepare('SELECT public_key FROM auth_passkeys WHERE user_id = ?')
      .bind(owner.id)
      .first<string>('public_key');
    // 32 bytes each (RFC 7518 §6.2.1.2), although this runtime accepts fewer.
    expect(stored).toMatch(/"x":"[\w-]{43}","y":"[\w-]{43}"/);
  });

  it('the unmodified client signs in and lists passkeys', async () => {
    const { owner, authenticator } = await memberWithPasskey();
    const { auth } = tab();
    const begun = await auth.passkey.startAuthentication();
    const { credential } = await authenticator.sign(
      Object(begun.data) satisfies Parameters<typeof authenticator.sign>[0],
    );
    const { data, error } = await auth.passkey.verifyAuthentication({
      challengeId: begun.data?.challenge_id ?? '',
      credential: Object(credential),
    });
    expect([error, data?.user?.id]).toEqual([null, owner.id]);
    expect((await auth.passkey.list()).data).toHaveLength(1);
  });

  it('a suspended account is refused', async () => {
    const { owner, authenticator } = await memberWithPasskey();
    await env.DB.prepare('UPDATE auth_users SET banned_until = 9e15 WHERE id = ?')
      .bind(owner.id)
      .run();
    expect(await codeOf(await nobody.signIn(authenticator))).toBe('400 user_banned');
    const uses = await env.DB.prepare('SELECT used_at FROM auth_passkeys WHERE user_id = ?1')
      .bind(owner.id)
      .all();
    expect(uses.results).toEqual([{ used_at: null }]);
  });

  it('works without passwords, and with a hosted service there are none', async () => {
    const { authenticator } = await memberWithPasskey();
    const off = passkeyCalls({}, { ...WITH_PROVIDER, PASSWORD_SIGN_IN: 'off' });
    expect((await off.signIn(authenticator)).status).toBe(200);
    const hosted = passkeyCalls(
      {},
      { SUPABASE_URL: 'https://x.supabase.co', SUPABASE_PUBLISHABLE_KEY: 'k' },
    );
    expect((await hosted.ask('/authentication/options', {})).status).toBe(404);
  });
});

describe('a hostile use of a passkey', () => {
  const TWISTS: [string, Twist, string][] = [
    ['another origin', { origin: 'https://evil.example' }, INVALID],
    ['another port of the origin', { origin: `${ORIGIN}:8443` }, INVALID],
    ['another RP id', { rpId: 'evil.example' }, INVALID],
    ['another site’s frame', { crossOrigin: true }, INVALID],
    ['no user verification', { flags: 1 }, INVALID],
    ['no user presence', { flags: 4 }, INVALID],
    ['another challenge', { challenge: 'x'.repeat(43) }, INVALID],
    ['the type of a registration', { type: 'webauthn.create' }, INVALID],
    ['another account’s handle', { userHandle: Buffer.from('x').toString('base64url') }, INVALID],
    ['no handle', { userHandle: '' }, INVALID],
  ];

  it.each(TWISTS)('[A23] a use is refused with %s', async (_, twist, code) => {
    const { authenticator } = await memberWithPasskey();
    expect(await codeOf(await nobody.signIn(authenticator, twist))).toBe(code);
    expect((await nobody.signIn(authenticator)).status).toBe(200);
  });

  it.each<[string, Twist]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another RP id', { rpId: 'evil.example' }],
    ['no user verification', { flags: 1 }],
    ['the type of a sign-in', { type: 'webauthn.get' }],
  ])('[A23] a new passkey is refused with %s', async (_, twist) => {
    const owner = await signInEmbedded();
    const { ask, begin } = passkeyCalls(owner.headers);
    const begun = await begin('/registration/options', { current_password: owner.password });
    const answer = (await makeAuthenticator()).create(begun, twist);
    expect(await codeOf(await ask('/registration/verify', answer))).toBe(INVALID);
  });

  it('[A23] a new passkey is refused under the id of another', async () => {
    const owner = await signInEmbedded();
    const { ask, begin } = passkeyCalls(owner.headers);
    const begun = await begin('/registration/options', { current_password: owner.password });
    const answer = (await makeAuthenticator()).create(begun);
    answer.credential.id = (await makeAuthenticator()).id;
    expect(await codeOf(await ask('/registration/verify', answer))).toBe(INVALID);
  });

  it('[A23] a use is refused with another key’s signature', async () => {
    const [{ authenticator }, other] = [await memberWithPasskey(), await makeAuthenticator()];
    const begun = await nobody.begin('/authentication/options');
    const forged = await other.sign(begun);
    forged.credential.id = authenticator.id;
    expect(await codeOf(await nobody.ask('/authentication/verify', forged))).toBe(INVALID);
  });

  it('[A23] a counter that has not grown is refused, and is logged', async () => {
    const { authenticator } = await memberWithPasskey();
    expect((await nobody.signIn(authenticator, { counter: 7 })).status).toBe(200);
    const lines = logLines();
    for (const counter of [7, 6, 0])
      expect(await codeOf(await nobody.signIn(authenticator, { counter }))).toBe(INVALID);
    expect(lines()).toContainEqual({
      event: 'auth_passkey_counter_behind',
      stored: 7,
      presented: 6,
    });
    expect((await nobody.signIn(authenticator, { counter: 8 })).status).toBe(200);
  });

  it('[A23] two uses with one counter start one session', async () => {
    const { authenticator } = await memberWithPasskey();
    const begun = [
      await nobody.begin('/authentication/options'),
      await nobody.begin('/authentication/options'),
    ];
    const answers = await Promise.all(
      begun.map(async (one) => authenticator.sign(one, { counter: 5 })),
    );
    const sent = await Promise.all(
      answers.map(async (one) => (await nobody.ask('/authentication/verify', one)).status),
    );
    expect(sent.toSorted((a, b) => a - b)).toEqual([200, 403]);
  });

  it('a passkey that counts nothing works again and again', async () => {
    const { authenticator } = await memberWithPasskey();
    for (let i = 0; i < 2; i += 1)
      expect((await nobody.signIn(authenticator, { counter: 0 })).status).toBe(200);
  });

  it('[A23] a challenge works once, and not after five minutes', async () => {
    const { authenticator } = await memberWithPasskey();
    const begun = await nobody.begin('/authentication/options');
    const answer = await authenticator.sign(begun);
    expect((await nobody.ask('/authentication/verify', answer)).status).toBe(200);
    expect(await codeOf(await nobody.ask('/authentication/verify', answer))).toBe(LATE);
    const late = await authenticator.sign(await nobody.begin('/authentication/options'));
    const ends = env.DB.prepare('SELECT max(expires_at) AS at FROM auth_passkey_challenges');
    vi.spyOn(Date, 'now').mockReturnValue((await ends.first<number>('at')) ?? 0);
    expect(await codeOf(await nobody.ask('/authentication/verify', late))).toBe(LATE);
  });

  it('[A23] a challenge for one purpose or session is none for another', async () => {
    const { owner, authenticator, calls } = await memberWithPasskey();
    const second = passkeyCalls((await signInAgain(owner)).headers);
    const fresh = await makeAuthenticator();
    const password = { current_password: owner.password };
    const toSignIn = () => nobody.begin('/authentication/options');
    const toAdd = () => calls.begin('/registration/options', password);
    const toProve = () => calls.begin('/proof/options');
    const wrong = [
      calls.ask('/registration/verify', fresh.create(await toSignIn())),
      calls.ask('/registration/verify', fresh.create(await toProve())),
      second.ask('/registration/verify', fresh.create(await toAdd())),
      nobody.ask('/authentication/verify', await authenticator.sign(await toAdd())),
      nobody.ask('/authentication/verify', await authenticator.sign(await toProve())),
      calls.ask('/proof/verify', await authenticator.sign(await toSignIn())),
      second.ask('/proof/verify', await authenticator.sign(await toProve())),
    ];
    expect(await Promise.all(wrong.map(async (sent) => codeOf(await sent)))).toEqual(
      wrong.map(() => LATE),
    );
  });

  it('limits the challenges of a network that wait', async () => {
    const overrides = { DEV_MAILBOX: 'off' };
    const at = (ip: string) => passkeyCalls({ 'CF-Connecting-IP': ip }, overrides);
    const statusAt = async (ip: string) => (await at(ip).ask('/authentication/options', {})).status;
    const from = at('2001:db8:7:1::1');
    await from.begin('/authentication/options');
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 299)
       INSERT INTO auth_passkey_challenges SELECT 'h' || i, purpose, NULL, network, expires_at
       FROM n, (SELECT * FROM auth_passkey_challenges ORDER BY rowid DESC LIMIT 1)`,
    ).run();
    // The networks of a /48 share one number of challenges.
    expect([await statusAt('2001:db8:7:2::1'), await statusAt('2001:db8:8:1::1')]).toEqual([
      429, 200,
    ]);
    await env.DB.prepare('UPDATE auth_passkey_challenges SET expires_at = 1').run();
    expect(await statusAt('2001:db8:7:1::1')).toBe(200);
  });
});

describe('a passkey as a fresh proof', () => {
  const change = (headers: Record<string, string>, password: string) =>
    call('/api/auth/v1/user', { method: 'PUT', json: { password }, headers }, EMBEDDED);

  it('replaces the current password for ten minutes, and stays how the session began', async () => {
    const { owner, authenticator, calls } = await memberWithPasskey();
    expect((await change(owner.headers, 'a new password')).status).toBe(400);
    // An authenticator may leave out the handle of an account that is known already.
    const handle = Buffer.from('x').toString('base64url');
    expect(await codeOf(await calls.prove(authenticator, { userHandle: handle }))).toBe(INVALID);
    expect((await calls.prove(authenticator)).status).toBe(200);
    expect((await calls.prove(authenticator, { userHandle: '' })).status).toBe(200);
    const { results } = await env.DB.prepare('SELECT amr FROM auth_sessions WHERE user_id = ?')
      .bind(owner.id)
      .all<{ amr: string }>();
    expect(results.map(({ amr }) => JSON.parse(amr))).toMatchObject([
      [{ method: 'password' }, { method: 'webauthn' }],
    ]);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 10 * MINUTE_MS);
    expect((await change(owner.headers, 'a new password')).status).toBe(400);
    vi.spyOn(Date, 'now').mockReturnValue(now);
    expect((await change(owner.headers, 'a new password')).status).toBe(200);
  });

  it('a session that began with a passkey needs no password either', async () => {
    const { authenticator } = await memberWithPasskey();
    const session = await (await nobody.signIn(authenticator)).json<Session>();
    const headers = { Authorization: `Bearer ${session.access_token}` };
    expect((await change(headers, 'a new password')).status).toBe(200);
  });

  it('[A23] another account’s passkey proves nothing', async () => {
    const [{ calls }, stranger] = [await memberWithPasskey(), await memberWithPasskey()];
    expect(await codeOf(await calls.prove(stranger.authenticator))).toBe(UNKNOWN);
  });
});

async function signInAgain({ email, password }: { email: string; password: string }) {
  const json = { email, password };
  const sent = await call('/api/auth/v1/token?grant_type=password', { json }, EMBEDDED);
  const { access_token } = await sent.json<Session>();
  return { headers: { Authorization: `Bearer ${access_token}` } };
}
