import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { AdminUrlsResponse } from '#contract/moderation/admin.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, makeToken, type Person } from '#worker/testing/make.ts';
import { EMBEDDED, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';

/** A hosted administrator acts in every test. Only the suspended user's sign-in service differs. */
const suspend = async (userId: string): Promise<Response> => {
  const admin = await makePerson({ role: 'admin' });
  const action = {
    action: 'disable',
    scope: { kind: 'user', userId: userId },
    reason: 'Sent spam.',
  };
  return call('/api/admin/moderation', { json: action, headers: admin.headers });
};
const shorten = (
  person: Pick<Person, 'headers'>,
  overrides: Partial<Env> = {},
): Promise<Response> =>
  call(
    '/api/shorten',
    { json: { longUrl: 'https://example.com/' }, headers: person.headers },
    overrides,
  );

describe('attacks on moderation', () => {
  it('[A6] rejects a new link of a suspended user', async () => {
    const person = await makePerson();
    expect((await shorten(person)).status).toBe(201);
    expect((await suspend(person.id)).status).toBe(200);
    const answer = await shorten(person);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: 'forbidden',
      error: expect.stringContaining('Sent spam.'),
    });
  });

  it('[A6] a suspended user loses every session and cannot sign in', async () => {
    const person = await signInEmbedded();
    expect((await shorten(person, EMBEDDED)).status).toBe(201);
    expect((await suspend(person.id)).status).toBe(200);
    expect((await shorten(person, EMBEDDED)).status).toBe(401);
    const { error: refreshed } = await tab().auth.refreshSession({
      refresh_token: person.refreshToken,
    });
    expect(refreshed).not.toBeNull();
    const { error, data } = await tab().auth.signInWithPassword(person);
    expect([error?.code, data.session]).toEqual(['user_banned', null]);
  });

  it('[A6] suspends a new account with a suspended address', async () => {
    const person = await makePerson();
    expect((await suspend(person.id)).status).toBe(200);
    const token = await makeToken({ sub: crypto.randomUUID(), email: person.email.toUpperCase() });
    expect((await shorten({ headers: { Authorization: `Bearer ${token}` } })).status).toBe(403);
  });

  it('[A6] disables all kept links of a deleted account together', async () => {
    const admin = await makePerson({ role: 'admin' });
    const person = await signInEmbedded();
    const codes: string[] = [];
    for (let i = 0; i < 2; i += 1)
      codes.push((await (await shorten(person, EMBEDDED)).json<{ code: string }>()).code);
    const deletion = {
      confirm: 'delete my account',
      links: 'keep',
      currentPassword: person.password,
    };
    const deleted = await call(
      '/api/account',
      { method: 'DELETE', json: deletion, headers: person.headers },
      EMBEDDED,
    );
    expect(deleted.status).toBe(200);

    const list = await call(`/api/admin?action=urls&q=${codes[0]}`, { headers: admin.headers });
    const owner = (await list.json<AdminUrlsResponse>()).urls[0]?.user_id;
    expect(owner).not.toBeNull();
    expect(owner).not.toBe(person.id);
    expect((await suspend(owner ?? '')).status).toBe(200);
    for (const code of codes) expect((await call(`/${code}`)).status).toBe(410);
  });

  it('[A13] reports of all networks of one IPv6 /48 count together', async () => {
    // The clock stands still, so that the day does not end.
    stopClock();
    // Tests the daily limit only: the limit per minute belongs to the platform and counts loosely.
    const unlimited = { limit: () => Promise.resolve({ success: true }) };
    const report = async (group: number): Promise<number> => {
      const headers = { 'CF-Connecting-IP': `2001:db8:1313:${group.toString(16)}::1` };
      const sent = await call(
        '/api/reports',
        { json: { code: 'no-such', reason: 'spam' }, headers },
        { LIMIT_VISITOR_LINKS: unlimited },
      );
      return sent.status;
    };
    expect([await report(1), await report(2)]).toEqual([201, 201]);
    // Only the counter of the /48 has counted both reports. It is set to 399.
    await env.DB.prepare(
      "UPDATE counters SET count = 399 WHERE key LIKE 'reports:%' AND count = 2",
    ).run();
    expect([await report(3), await report(4)]).toEqual([201, 429]);
  });
});
