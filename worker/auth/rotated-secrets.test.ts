import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { findKey } from '#worker/api-keys/find-key.ts';
import { createKey, rotateKey } from '#worker/api-keys/manage-keys.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { auth_keys, auth_sessions } from '#worker/db/schema-auth.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { call } from '#worker/testing/call.ts';
import { askFactors, signInWithApp } from '#worker/testing/second-factor.ts';
import {
  EMBEDDED,
  linkIn,
  mailsTo,
  signInEmbedded,
  type KeptMail,
} from '#worker/testing/sign-in.ts';
import { secretOf, signatureHeaders } from '#worker/webhooks/sign.ts';
import { findById } from './service/store.ts';
import { signAccessToken, verifyOwnToken } from './tokens/access-token.ts';
import { rotateKeys } from './tokens/rotate-signing-keys.ts';

const db = openDb(env.DB);
const SECRET = env.AUTH_SECRET ?? '';
const NOW = 1_000_000;
type SignedIn = Awaited<ReturnType<typeof signInEmbedded>>;
/** A secret before its rotation and after it, and whether the Worker accepts one of them. */
type Rotation = { old: string; next: string; accepts: (secret: string) => Promise<boolean> };

const post = (path: string, json: unknown, overrides: Partial<Env> = {}) =>
  call(`/api/auth/v1${path}`, { json }, { ...EMBEDDED, ...overrides });
const change = ({ headers }: SignedIn, json: unknown) =>
  call('/api/auth/v1/user', { method: 'PUT', json, headers }, EMBEDDED);
/** Has two emails sent that reset the password. */
async function recoverTwice(email: string): Promise<{ old: KeptMail; next: KeptMail }> {
  await post('/recover', { email });
  await post('/recover', { email });
  const [next, old] = await mailsTo(email);
  if (old === undefined || next === undefined) throw new Error('Two emails were expected.');
  return { old, next };
}
const codeIn = ({ text }: KeptMail): string => /code: (\d{6})/.exec(text)?.[1] ?? '';

const ROTATIONS: Record<string, () => Promise<Rotation>> = {
  password: async () => {
    const person = await signInEmbedded();
    const [old, next] = [person.password, 'another horse'];
    await change(person, { password: next, current_password: old });
    const { email } = person;
    return {
      old,
      next,
      accepts: async (password) =>
        (await post('/token?grant_type=password', { email, password })).ok,
    };
  },
  'refresh token': async () => {
    const { refreshToken: old } = await signInEmbedded();
    const refresh = (refresh_token: string) =>
      post(
        '/token?grant_type=refresh_token',
        { refresh_token },
        { AUTH_REFRESH_REUSE_SECONDS: '0' },
      );
    const { refresh_token: next } = await (await refresh(old)).json<{ refresh_token: string }>();
    return { old, next, accepts: async (token) => (await refresh(token)).ok };
  },
  'mailed link': async () => {
    const { old, next } = await recoverTwice((await signInEmbedded()).email);
    const tokenIn = (mail: KeptMail) => linkIn(mail).token_hash;
    return {
      old: tokenIn(old),
      next: tokenIn(next),
      accepts: async (token_hash) => (await post('/verify', { type: 'recovery', token_hash })).ok,
    };
  },
  'mailed code': async () => {
    const { email } = await signInEmbedded();
    const { old, next } = await recoverTwice(email);
    return {
      old: codeIn(old),
      next: codeIn(next),
      accepts: async (token) => (await post('/verify', { type: 'recovery', email, token })).ok,
    };
  },
  'link in a notice': async () => {
    const person = await signInEmbedded();
    await change(person, { password: 'horse 1', current_password: person.password });
    await change(person, { password: 'horse 2', current_password: 'horse 1' });
    const [next = '', old = ''] = (await mailsTo(person.email)).map((m) => linkIn(m).token_hash);
    return {
      old,
      next,
      accepts: async (token_hash) => (await post('/verify', { type: 'recovery', token_hash })).ok,
    };
  },
  'signing key': async () => {
    const { id } = await signInEmbedded();
    const account = await findById(db, id);
    const [session] = await db.select().from(auth_sessions).where(eq(auth_sessions.user_id, id));
    if (account === undefined || session === undefined) throw new Error('Nobody signed in.');
    await db.delete(auth_keys);
    // The database of another isolate: no keys are cached for this binding.
    const fresh = () => openDb(withMethods(env.DB, {}));
    const issuer = { secret: SECRET, issuer: 'iss' };
    const issue = async (now: number) =>
      (await signAccessToken(fresh(), { ...issuer, now }, account, session)).token;
    const old = await issue(NOW);
    for (const hours of [0, 1, 4])
      await rotateKeys(db, SECRET, NOW + 90 * DAY_MS + hours * HOUR_MS);
    const later = NOW + 90 * DAY_MS + 4 * HOUR_MS;
    const next = await issue(later);
    // Checked when each token is new, so that only its key can be wrong.
    return {
      old,
      next,
      accepts: async (token) =>
        (await verifyOwnToken(fresh(), { ...issuer, now: token === old ? NOW : later }, token)).ok,
    };
  },
  'recovery code': async () => {
    const member = await signInWithApp();
    const json = { current_password: member.password };
    const renewed = await askFactors('/recovery-codes', member.headers, json);
    const { recovery_codes: codes } = await renewed.json<{ recovery_codes: string[] }>();
    const verify = (code: string) =>
      askFactors(`/${member.factorId}/verify`, member.headers, { code });
    return {
      old: member.codes[0] ?? '',
      next: codes[0] ?? '',
      accepts: async (code) => (await verify(code)).ok,
    };
  },
  'secret of an API key': async () => {
    const { id: userId, headers } = await signInEmbedded();
    await call('/api/me', { headers }, EMBEDDED);
    const made = await createKey(db, userId, { name: 'CI', scopes: ['links:read'] }, NOW);
    if (!made.ok) throw new Error(made.reason);
    const { id, key: old } = made.key;
    const rotated = await rotateKey(db, { userId, id, overlapMs: 0, now: NOW });
    return {
      old,
      next: rotated?.key ?? '',
      accepts: async (secret) => (await findKey(db, secret, NOW)).ok,
    };
  },
  'secret of a webhook': async () => {
    const columns = { id: 'hook', salt: 'new', previous_salt: 'old', previous_until: NOW };
    const signed = { messageId: 'm', body: '{}', now: NOW };
    const signaturesWith = (salts: Partial<typeof columns>, now = NOW) =>
      signatureHeaders(SECRET, { ...columns, ...salts }, { ...signed, now })['webhook-signature'];
    const alone = { previous_salt: '', previous_until: 0 };
    return {
      old: secretOf(SECRET, 'hook', 'old'),
      next: secretOf(SECRET, 'hook', 'new'),
      accepts: async (secret) => {
        const salt = secret === secretOf(SECRET, 'hook', 'old') ? 'old' : 'new';
        return (signaturesWith({}) ?? '').includes(signaturesWith({ ...alone, salt }) ?? '?');
      },
    };
  },
};

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM counters').run();
});

describe('a rotated secret', () => {
  it.each(Object.entries(ROTATIONS))(
    'the new %s works, and the old one no longer does',
    async (_, rotate) => {
      const { old, next, accepts } = await rotate();
      expect(next).not.toBe(old);
      // The new one first: presenting an old one may end a session.
      expect([await accepts(next), await accepts(old)]).toEqual([true, false]);
    },
  );
});
