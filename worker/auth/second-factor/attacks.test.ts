import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { appCode } from '#worker/testing/app-code.ts';
import { call } from '#worker/testing/call.ts';
import { endingBeforeWrite } from '#worker/testing/park.ts';
import { askFactors, beginSignIn, signInWithApp } from '#worker/testing/second-factor.ts';
import { EMBEDDED, linkIn, mailsTo, signInEmbedded } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { mailReadyResets } from './mail-ready-resets.ts';

const MINUTE = 60_000;
const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
type Headers = Record<string, string>;
type Member = Awaited<ReturnType<typeof signInWithApp>>;
const verify = async (id: string, headers: Headers, code = ''): Promise<number> =>
  (await askFactors(`/${id}/verify`, headers, { code })).status;
const statusOf = async (path: string, headers: Headers): Promise<number> =>
  (await call(path, { headers }, EMBEDDED)).status;
const ascending = (statuses: number[]) => statuses.toSorted((a, b) => a - b);
const newestToken = async (email: string): Promise<string> =>
  linkIn((await mailsTo(email))[0]).token_hash;

/** Begins to set up an app, with the password as the proof. */
async function beginSetup(headers: Headers, current_password: string) {
  const begun = await askFactors('', headers, { factor_type: 'totp', current_password });
  const { id, totp } = await begun.json<{ id: string; totp: { secret: string } }>();
  return { id, secret: totp.secret };
}

beforeEach(async () => {
  stopClock();
  await env.DB.prepare('DELETE FROM counters').run();
});

describe('a thief who sets up an app', () => {
  it('[A24] with a password that has changed since turns no app on', async () => {
    const owner = await signInEmbedded();
    const thief = await beginSignIn(owner);
    const { id, secret } = await beginSetup(thief.headers, owner.password);
    const json = { password: 'another horse', current_password: owner.password };
    const { headers } = owner;
    const changed = await call('/api/auth/v1/user', { method: 'PUT', json, headers }, EMBEDDED);
    expect(changed.status).toBe(200);
    // The thief has copied the session that is left.
    expect(await verify(id, headers, appCode(secret))).toBe(422);
    const own = await beginSetup(headers, 'another horse');
    expect(await verify(own.id, headers, appCode(own.secret))).toBe(200);
  });

  it('[A24] turns it on as long as the proof lasts, and not later', async () => {
    const owner = await signInEmbedded();
    const { id, secret } = await beginSetup(owner.headers, owner.password);
    later(10 * MINUTE);
    expect(await verify(id, owner.headers, appCode(secret))).toBe(422);
    const again = await beginSetup(owner.headers, owner.password);
    later(10 * MINUTE - 1);
    expect(await verify(id, owner.headers, appCode(again.secret))).toBe(200);
  });
});

describe('a session that ends between its check and the write', () => {
  it.each([
    ['DELETE', '/factors/:factor'],
    ['POST', '/factors/recovery-codes'],
    ['POST', '/passkeys/registration/options'],
  ])('[T47] an ended session writes nothing: %s %s', async (method, path) => {
    const { id, factorId, headers, password } = await signInWithApp();
    const stored = async () => [
      await env.DB.prepare('SELECT totp_secret FROM auth_users WHERE id = ?1').bind(id).first(),
      await env.DB.prepare('SELECT code_hash FROM auth_recovery_codes WHERE user_id = ?1')
        .bind(id)
        .raw(),
      await env.DB.prepare('SELECT * FROM auth_passkey_challenges').raw(),
    ];
    const before = await stored();
    const { DB, wrote } = endingBeforeWrite(() =>
      env.DB.prepare('DELETE FROM auth_sessions WHERE user_id = ?1').bind(id).run(),
    );
    const answer = await call(
      `/api/auth/v1${path.replace(':factor', factorId)}`,
      { method, headers, json: { current_password: password } },
      { ...EMBEDDED, DB },
    );
    expect([wrote(), answer.status]).toEqual([true, 403]);
    expect(await stored()).toEqual(before);
  });
});

describe('somebody who knows the password of an account with an app', () => {
  it('[A24] gets 30 tries a day, whatever the pauses between them', async () => {
    const member = await signInWithApp();
    const enter = async (code: string) =>
      verify(member.factorId, (await beginSignIn(member)).headers, code);
    for (let i = 0; i < 30; i += 1) {
      expect(await enter('000000'), String(i)).toBe(422);
      if (i % 5 === 4) later(15 * MINUTE);
    }
    expect(await enter('000000')).toBe(429);
    later(23 * 60 * MINUTE);
    expect(await enter(appCode(member.secret))).toBe(429);
    later(60 * MINUTE);
    expect(await enter(appCode(member.secret))).toBe(200);
  });

  it('[A24] locks the app’s codes, and no recovery code', async () => {
    const member = await signInWithApp();
    const thief = await beginSignIn(member);
    for (let i = 0; i < 5; i += 1) await verify(member.factorId, thief.headers, '000000');
    const { headers } = await beginSignIn(member);
    expect(await verify(member.factorId, headers, appCode(member.secret))).toBe(429);
    expect(await verify(member.factorId, headers, member.codes[0])).toBe(200);
    expect(await statusOf('/api/me', headers)).toBe(200);
  });

  it('[A24] guesses at recovery codes at most 30 times an hour from a network', async () => {
    const member = await signInWithApp();
    const { headers } = await beginSignIn(member);
    for (let i = 0; i < 30; i += 1)
      expect(await verify(member.factorId, headers, 'A'.repeat(16))).toBe(422);
    expect(await verify(member.factorId, headers, member.codes[0])).toBe(429);
  });

  it('[A24] keeps no session that an earlier release began without a code', async () => {
    const member = await signInWithApp();
    const { headers, refreshToken } = member;
    expect(await statusOf('/api/me', headers)).toBe(200);
    const begun = JSON.stringify([
      { method: 'password', timestamp: Math.floor(Date.now() / 1000) },
    ]);
    await env.DB.prepare('UPDATE auth_sessions SET amr = ?1 WHERE user_id = ?2')
      .bind(begun, member.id)
      .run();
    expect(await statusOf('/api/me', headers)).toBe(401);
    expect(await statusOf('/api/auth/v1/user', headers)).toBe(403);
    const path = '/api/auth/v1/token?grant_type=refresh_token';
    const refreshed = await call(path, { json: { refresh_token: refreshToken } }, EMBEDDED);
    expect(refreshed.status).toBe(400);
  });

  it('[A10] leaves the account the hundred sessions that were used last', async () => {
    const member = await signInWithApp();
    await env.DB.prepare(
      `INSERT INTO auth_sessions (id, user_id, refreshed_at, amr, created_at)
       SELECT ?1 || value, ?1, value, '[]', value FROM json_each(?2)`,
    )
      .bind(member.id, JSON.stringify(Array.from({ length: 120 }, (_, at) => at)))
      .run();
    const { headers } = await beginSignIn(member);
    expect(await verify(member.factorId, headers, member.codes[0])).toBe(200);
    const left = env.DB.prepare('SELECT count(*) AS n FROM auth_sessions WHERE user_id = ?1');
    expect(await left.bind(member.id).first('n')).toBe(100);
  });
});

describe('two requests at once', () => {
  it('[A24] with one recovery code finish one sign-in', async () => {
    const member = await signInWithApp();
    const waiting = [await beginSignIn(member), await beginSignIn(member)];
    const statuses = waiting.map(({ headers }) =>
      verify(member.factorId, headers, member.codes[0]),
    );
    expect(ascending(await Promise.all(statuses))).toEqual([200, 422]);
  });

  it('[A24] confirm a new app once', async () => {
    const owner = await signInEmbedded();
    const { id, secret } = await beginSetup(owner.headers, owner.password);
    const statuses = [0, 1].map((off) => verify(id, owner.headers, appCode(secret, off)));
    expect(ascending(await Promise.all(statuses))[0]).toBe(200);
    const subjects = (await mailsTo(owner.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /app was added/.test(subject))).toHaveLength(1);
  });

  it('[A24] stop and finish a reset: one of them wins as a whole', async () => {
    const member = await signInWithApp();
    const redeem = async (what: 'stop' | 'finish', token: string): Promise<number> =>
      (await askFactors(`/reset/${what}`, {}, { token })).status;
    for (const order of [0, 1]) {
      await env.DB.prepare('DELETE FROM auth_factor_resets').run();
      const fresh: Member = order === 0 ? member : await signInWithApp();
      expect((await askFactors('/reset', (await beginSignIn(fresh)).headers, {})).status).toBe(200);
      const stop = await newestToken(fresh.email);
      later(24 * 60 * MINUTE);
      await mailReadyResets({ ...env, ...EMBEDDED }, Date.now());
      const off = await newestToken(fresh.email);
      const both = [() => redeem('stop', stop), () => redeem('finish', off)];
      const sent = order === 0 ? both : both.toReversed();
      const statuses = await Promise.all(sent.map((send) => send()));
      expect(ascending(statuses)).toEqual([200, 403]);
      const row = await env.DB.prepare('SELECT * FROM auth_users WHERE id = ?1')
        .bind(fresh.id)
        .first();
      expect(row?.['password_hash'] === null).toBe(row?.['totp_confirmed_at'] !== null);
      expect(await statusOf('/api/me', fresh.headers)).toBe(401);
    }
  });
});
