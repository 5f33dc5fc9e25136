import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { Session, SessionsResponse } from '#contract/account/account.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { call } from '#worker/testing/call.ts';
import { UA_CHROME, UA_IPHONE } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { findInDatabase } from '#worker/testing/scan.ts';
import { EMBEDDED, linkIn, mailsTo, signInEmbedded, tab } from '#worker/testing/sign-in.ts';

type Device = { authorization: { Authorization: string }; refreshToken: string };
type Credentials = { email: string; password: string };

const ADDRESS = '203.0.113.71';

/**
 * Sends a request of the sign-in service from a browser in a country, and returns the session that
 * it starts.
 */
async function startSession(
  path: string,
  json: unknown,
  userAgent: string,
  country: string,
): Promise<Device> {
  const headers = { 'User-Agent': userAgent, 'CF-Connecting-IP': ADDRESS };
  const response = await call(`/api/auth/v1/${path}`, { json, headers, cf: { country } }, EMBEDDED);
  expect(response.status).toBe(200);
  const { access_token, refresh_token } = await response.json<{
    access_token: string;
    refresh_token: string;
  }>();
  return {
    authorization: { Authorization: `Bearer ${access_token}` },
    refreshToken: refresh_token,
  };
}
const signIn = ({ email, password }: Credentials, userAgent: string, country = 'IN') =>
  startSession('token?grant_type=password', { email, password }, userAgent, country);

const send = (method: string, path: string, headers: Record<string, string>) =>
  call(path, { method, headers }, EMBEDDED);
const isSignedIn = async ({ authorization }: Device) =>
  (await send('GET', '/api/me', authorization)).status === 200;
async function listOf({ authorization }: Device): Promise<Session[]> {
  const response = await send('GET', '/api/sessions', authorization);
  expect(response.status).toBe(200);
  return (await response.json<SessionsResponse>()).sessions;
}

describe('the sessions of an account', () => {
  it('[T70] the list shows no text of the user agent, not even in its condensed form', async () => {
    const person = await signInEmbedded();
    const thief = await signIn(person, '\u0001Desktop|This device|Ended by support');
    const [session] = await listOf(thief);
    expect(session).toMatchObject({ current: true, browser: null, system: null });
    expect(await findInDatabase(/This device/)).toEqual([]);
  });

  it('[T70] lists browser, system, country and times, and marks the session that asks', async () => {
    const person = await signInEmbedded();
    const laptop = await signIn(person, UA_CHROME, 'IN');
    const phone = await signIn(person, UA_IPHONE, 'FR');
    const { id } = (await listOf(laptop)).find(({ country }) => country === 'FR') ?? { id: '' };
    const hourAgo = Date.now() - HOUR_MS;
    await env.DB.prepare(
      'UPDATE auth_sessions SET created_at = ?1, refreshed_at = ?2 WHERE id = ?3',
    )
      .bind(hourAgo - DAY_MS, hourAgo, id)
      .run();
    const [first, second, third] = await listOf(laptop);
    expect(first).toEqual({
      id: expect.any(String),
      browser: 'Chrome',
      system: 'Windows',
      country: 'IN',
      began: 'password',
      signedInAt: expect.any(String),
      lastUsedAt: expect.any(String),
      current: true,
    });
    // The account's first session came from a program without a user agent or a country.
    expect(second).toMatchObject({ browser: null, system: null, country: null, current: false });
    expect(third).toEqual({
      id,
      browser: 'Mobile Safari',
      system: 'iOS',
      country: 'FR',
      began: 'password',
      signedInAt: new Date(hourAgo - DAY_MS).toISOString(),
      lastUsedAt: new Date(hourAgo).toISOString(),
      current: false,
    });
    await call(
      '/api/auth/v1/token?grant_type=refresh_token',
      { json: { refresh_token: phone.refreshToken } },
      EMBEDDED,
    );
    const used = (await listOf(phone)).find((session) => session.current);
    expect(Date.parse(used?.lastUsedAt ?? '')).toBeGreaterThan(hourAgo);
    expect(used).toMatchObject({ id, browser: 'Mobile Safari', country: 'FR' });
  });

  it('[T70] lists the sessions of mailed links and sign-ups, too', async () => {
    const { email } = await signInEmbedded();
    await tab().auth.resetPasswordForEmail(email);
    const { type, token_hash } = linkIn((await mailsTo(email))[0]);
    const device = await startSession('verify', { type, token_hash }, UA_IPHONE, 'FR');
    expect((await listOf(device))[0]).toMatchObject({
      browser: 'Mobile Safari',
      system: 'iOS',
      country: 'FR',
      current: true,
    });
  });

  it('[T70] stores words about the device, and neither its user agent nor its address', async () => {
    const person = await signInEmbedded();
    const device = await signIn(person, `${'Evil'.repeat(30)}/1.0`, 'not a country');
    expect((await listOf(device))[0]).toMatchObject({
      browser: null,
      system: null,
      country: null,
      current: true,
    });
    await signIn(person, UA_CHROME, 'XX');
    // How the platform names the network of Tor.
    expect((await listOf(await signIn(person, UA_CHROME, 'T1')))[0]?.country).toBe('T1');
    expect(await findInDatabase(/Mozilla|AppleWebKit|Evil|203\.0\.113|not a country|^XX$/)).toEqual(
      [],
    );
  });

  it('[T70] a session ends from its next request on', async () => {
    const person = await signInEmbedded();
    const [laptop, phone] = [
      await signIn(person, UA_CHROME),
      await signIn(person, UA_IPHONE, 'FR'),
    ];
    const { id } = (await listOf(laptop)).find(({ country }) => country === 'FR') ?? { id: '' };
    const end = () => send('DELETE', `/api/sessions/${id}`, laptop.authorization);
    expect((await end()).status).toBe(200);
    expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([false, true]);
    const refreshed = await call(
      '/api/auth/v1/token?grant_type=refresh_token',
      { json: { refresh_token: phone.refreshToken } },
      EMBEDDED,
    );
    expect(refreshed.status).toBe(400);
    expect((await listOf(laptop)).map((session) => session.id)).not.toContain(id);
    expect((await end()).status).toBe(404);
  });

  it('[T70] all other sessions of this account end, and no others', async () => {
    const [person, other] = [await signInEmbedded(), await signInEmbedded()];
    const laptop = await signIn(person, UA_CHROME);
    const phone = await signIn(person, UA_IPHONE);
    const stranger = await signIn(other, UA_IPHONE);
    expect((await send('DELETE', '/api/sessions', laptop.authorization)).status).toBe(200);
    expect((await listOf(laptop)).map(({ current }) => current)).toEqual([true]);
    expect([await isSignedIn(laptop), await isSignedIn(phone), await isSignedIn(stranger)]).toEqual(
      [true, false, true],
    );
  });

  it('[T70] a session of another account is neither listed nor ended', async () => {
    const [person, other] = [await signInEmbedded(), await signInEmbedded()];
    const [mine, theirs] = [await signIn(person, UA_CHROME), await signIn(other, UA_IPHONE)];
    const ids = (await listOf(theirs)).map(({ id }) => id);
    expect((await listOf(mine)).filter(({ id }) => ids.includes(id))).toEqual([]);
    for (const id of ids)
      expect((await send('DELETE', `/api/sessions/${id}`, mine.authorization)).status).toBe(404);
    expect(await isSignedIn(theirs)).toBe(true);
  });

  it('[T70] lists no session that has expired', async () => {
    const person = await signInEmbedded();
    const device = await signIn(person, UA_CHROME);
    await env.DB.prepare(
      'UPDATE auth_sessions SET created_at = ?1 WHERE user_id = ?2 AND browser IS NULL',
    )
      .bind(Date.now() - 91 * DAY_MS, person.id)
      .run();
    expect((await listOf(device)).map(({ current }) => current)).toEqual([true]);
  });

  it('[T34] [T70] sessions are exported, and deleted with the account', async () => {
    const person = await signInEmbedded();
    const device = await signIn(person, UA_IPHONE, 'FR');
    const exported = await (
      await send('GET', '/api/account/export', device.authorization)
    ).json<{ sessions: unknown[] }>();
    expect(exported.sessions).toHaveLength(2);
    expect(exported.sessions).toContainEqual({
      browser: 'Mobile Safari',
      system: 'iOS',
      country: 'FR',
      began: 'password',
      signedInAt: expect.any(String),
      lastUsedAt: expect.any(String),
    });
    const json = {
      confirm: 'delete my account',
      links: 'remove',
      currentPassword: person.password,
    };
    const deleted = await call(
      '/api/account',
      { method: 'DELETE', json, headers: device.authorization },
      EMBEDDED,
    );
    expect(deleted.status).toBe(200);
    expect(
      await env.DB.prepare('SELECT 1 FROM auth_sessions WHERE user_id = ?').bind(person.id).first(),
    ).toBeNull();
  });

  it('a hosted sign-in service has no list of sessions', async () => {
    const { headers } = await makePerson();
    const response = await call('/api/sessions', { headers });
    expect([response.status, await response.json()]).toEqual([200, { sessions: [] }]);
  });
});
