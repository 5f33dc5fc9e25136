import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { appCode } from '#worker/testing/app-code.ts';
import { askFactors, beginSignIn, signInWithApp } from '#worker/testing/second-factor.ts';
import { EMBEDDED, linkIn, mailsTo, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { NOTICE_TTL_MS } from '#worker/auth/mailed-links/mail-link.ts';
import { mailReadyResets } from './mail-ready-resets.ts';
import { hasReadyResets } from './reset-store.ts';

const HOUR = 3_600_000;
const ENDED = { error_code: 'otp_expired' };
const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
const runJob = () => mailReadyResets({ ...env, ...EMBEDDED }, Date.now());
const isDue = () =>
  openDb(env.DB).get<{ due: 0 | 1 }>(sql`select ${hasReadyResets(Date.now())} as due`);
type Member = Awaited<ReturnType<typeof signInWithApp>>;

/** Asks for a reset with nothing but the password, and returns the token in the mail. */
async function request(member: Member): Promise<string> {
  const { headers } = await beginSignIn(member);
  expect((await askFactors('/reset', headers, {})).status).toBe(200);
  return newestToken(member.email);
}
async function memberWithReset(): Promise<Member> {
  const member = await signInWithApp();
  await request(member);
  return member;
}
const newestToken = async (email: string): Promise<string> =>
  linkIn((await mailsTo(email))[0]).token_hash;
const describeLink = async (token_hash: string): Promise<unknown> =>
  (
    await call('/api/auth/v1/verify/describe', { json: { type: 'recovery', token_hash } }, EMBEDDED)
  ).json();
const redeem = async (what: 'stop' | 'finish', token: string): Promise<number> =>
  (await askFactors(`/reset/${what}`, {}, { token })).status;
const factorsOf = async ({ email, password }: Member): Promise<number> =>
  (await tab().auth.signInWithPassword({ email, password })).data.user?.factors?.length ?? 0;

beforeEach(async () => {
  stopClock();
  await env.DB.prepare('DELETE FROM counters').run();
  await env.DB.prepare('DELETE FROM auth_factor_resets').run();
});

describe('reset of a second factor', () => {
  it('[A24] turns it off after 24 hours, by the link of a second mail, and signs nobody in', async () => {
    const member = await signInWithApp();
    const stop = await request(member);
    const about = { email: member.email };
    expect(await describeLink(stop)).toEqual({
      ...about,
      type: 'factor_stop',
      keeps_password: false,
    });
    later(24 * HOUR - 1000);
    expect(await runJob()).toEqual({});
    expect(await redeem('finish', stop)).toBe(403);
    later(1000);
    expect(await runJob()).toEqual({ done: { mails_sent: 1 } });
    expect(await runJob()).toEqual({});
    const off = await newestToken(member.email);
    expect(await describeLink(off)).toEqual({
      ...about,
      type: 'factor_off',
      keeps_password: true,
    });
    const session = await call(
      '/api/auth/v1/verify',
      { json: { type: 'recovery', token_hash: off } },
      EMBEDDED,
    );
    expect(session.status).toBe(403);
    expect(await factorsOf(member)).toBe(1);
    expect(await redeem('finish', off)).toBe(200);
    expect(await redeem('finish', off)).toBe(403);
    const waiting = env.DB.prepare('SELECT 1 FROM auth_pending_sign_ins WHERE user_id = ?1');
    expect(await waiting.bind(member.id).first()).toBeNull();
    expect(await factorsOf(member)).toBe(0);
    const before = await call('/api/me', { headers: member.headers }, EMBEDDED);
    expect(before.status).toBe(401);
    expect((await mailsTo(member.email))[0]?.subject).toMatch(/no longer asks for a code/);
  });

  it('[A24] stops from its first mail, which ends every session and the password', async () => {
    const member = await signInWithApp();
    const stop = await request(member);
    const addPasskey = (at: number) =>
      env.DB.prepare(
        `INSERT INTO auth_passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
          VALUES (?1, ?2, ?1, '{}', 0, '[]', 'Key', ?3)`,
      )
        .bind(crypto.randomUUID(), member.id, at)
        .run();
    await addPasskey(Date.now() - HOUR);
    later(25 * HOUR);
    await addPasskey(Date.now());
    await runJob();
    const off = await newestToken(member.email);
    const thief = await beginSignIn(member);
    expect(await redeem('stop', stop)).toBe(200);
    expect(await redeem('stop', stop)).toBe(403);
    expect(await redeem('finish', off)).toBe(403);
    const passkeys = env.DB.prepare('SELECT count(*) FROM auth_passkeys WHERE user_id = ?1');
    expect(await passkeys.bind(member.id).first('count(*)')).toBe(1);
    const code = appCode(member.secret);
    const verified = await askFactors(`/${member.factorId}/verify`, thief.headers, { code });
    expect(verified.status).toBe(403);
    const { error } = await tab().auth.signInWithPassword(member);
    expect(error?.code).toBe('invalid_credentials');
  });

  it('a second request of a reset neither shortens nor repeats its wait', async () => {
    const member = await signInWithApp();
    const stop = await request(member);
    later(HOUR);
    const { headers } = await beginSignIn(member);
    const counted = () =>
      env.DB.prepare(
        "SELECT sum(count) AS n FROM counters WHERE key LIKE 'auth:factor-notice:%'",
      ).first<number>('n');
    const before = await counted();
    expect((await askFactors('/reset', headers, {})).status).toBe(409);
    expect([await counted(), before]).toEqual([before, 2]);
    expect(await newestToken(member.email)).toBe(stop);
    expect(
      (await mailsTo(member.email)).filter(({ subject }) => /asked to/.test(subject)),
    ).toHaveLength(1);
  });

  it('[A24] ends a week after the second mail, and then another can begin', async () => {
    const member = await signInWithApp();
    const stop = await request(member);
    later(24 * HOUR);
    await runJob();
    const off = await newestToken(member.email);
    later(NOTICE_TTL_MS);
    for (const token of [stop, off]) expect(await describeLink(token)).toMatchObject(ENDED);
    expect(await redeem('finish', off)).toBe(403);
    expect(await redeem('stop', stop)).toBe(403);
    expect(await factorsOf(member)).toBe(1);
    expect(await request(member)).not.toBe(stop);
  });

  it('outlives an app that is turned off and set up again by somebody else', async () => {
    const member = await signInWithApp();
    await request(member);
    const { headers, factorId, password } = member;
    const own = { factor_type: 'totp', current_password: password };
    await askFactors(`/${factorId}/verify`, headers, { code: appCode(member.secret) });
    await askFactors(`/${factorId}`, headers, own, { method: 'DELETE' });
    const begun = await askFactors('', headers, own);
    const { totp } = await begun.json<{ totp: { secret: string } }>();
    await askFactors(`/${factorId}/verify`, headers, { code: appCode(totp.secret) });
    later(24 * HOUR);
    await runJob();
    expect(await redeem('finish', await newestToken(member.email))).toBe(200);
    expect(await factorsOf(member)).toBe(0);
  });

  it('tries a mail that was not accepted again, and never blocks those of others', async () => {
    const blocked = new Set<string>();
    for (let i = 0; i < 5; i += 1) blocked.add((await memberWithReset()).email);
    const other = await memberWithReset();
    const everybody = [...blocked, other.email];
    const sent: string[] = [];
    const EMAIL: SendEmail = {
      send: async (mail) => {
        const to = typeof mail.to === 'string' ? mail.to : '';
        if (blocked.has(to))
          throw Object.assign(new Error('not sent'), { code: 'E_RECIPIENT_SUPPRESSED' });
        sent.push(to);
        return { messageId: to };
      },
    };
    const runs = async (count: number) => {
      const deployed = { ...env, ...EMBEDDED, DEV_MAILBOX: 'off', MAIL_FROM: 'hop@example.com' };
      for (let i = 0; i < count; i += 1) await mailReadyResets({ ...deployed, EMAIL }, Date.now());
    };
    later(24 * HOUR);
    // One run of six leaves out the other, so this fails once in 6 ** 20 times.
    await runs(20);
    expect(sent).toEqual([other.email]);
    blocked.clear();
    await runs(2);
    expect(sent.toSorted()).toEqual(everybody.toSorted());
  });

  it('of an app that is off calls no job', async () => {
    const member = await signInWithApp();
    await request(member);
    later(24 * HOUR);
    expect(await isDue()).toEqual({ due: 1 });
    await env.DB.prepare('UPDATE auth_users SET totp_confirmed_at = NULL').run();
    expect(await isDue()).toEqual({ due: 0 });
    expect(await runJob()).toEqual({});
  });

  it('needs a second factor, and somebody who has signed in but for it', async () => {
    const { headers } = await signInEmbedded();
    expect((await askFactors('/reset', headers, {})).status).toBe(404);
    expect((await askFactors('/reset', {}, {})).status).toBe(401);
  });
});
