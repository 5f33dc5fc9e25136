import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { Subscription } from '#contract/plans/plans.ts';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { beforeBatch } from '#worker/testing/faults.ts';

describe('attacks on account deletion', () => {
  it('[A6] a new account with the same address keeps the used quota', async () => {
    const person = await signInEmbedded();
    const ask = (path: string, init: RequestInit & { json?: unknown }): Promise<Response> =>
      call(path, init, EMBEDDED);
    for (let i = 0; i < 3; i += 1) {
      const created = await ask('/api/shorten', {
        json: { longUrl: `https://example.com/${i}` },
        headers: person.headers,
      });
      expect(created.status).toBe(201);
    }
    const before = await (
      await ask('/api/subscription', { headers: person.headers })
    ).json<Subscription>();
    expect(before.current_usage).toBe(3);
    const deletion = {
      confirm: 'delete my account',
      links: 'remove',
      currentPassword: person.password,
    };
    expect(
      (await ask('/api/account', { method: 'DELETE', json: deletion, headers: person.headers }))
        .status,
    ).toBe(200);

    const returned = await signInEmbedded({ email: person.email });
    expect(returned.id).not.toBe(person.id);
    expect(await (await ask('/api/subscription', { headers: returned.headers })).json()).toEqual(
      before,
    );
  });

  it('[A17] deletes nothing for a session that ends during the password check', async () => {
    const person = await signInEmbedded();
    // The owner ends every session after the password check and before the deletion, whose batch is
    // the only one with more than eight statements.
    const DB = beforeBatch(env.DB, async (_, statements) => {
      if (statements > 8)
        await env.DB.prepare('DELETE FROM auth_sessions WHERE user_id = ?').bind(person.id).run();
    });
    const json = {
      confirm: 'delete my account',
      links: 'remove',
      currentPassword: person.password,
    };
    const answer = await call(
      '/api/account',
      { method: 'DELETE', json, headers: person.headers },
      { ...EMBEDDED, DB },
    );
    expect(answer.status).toBe(401);
    const signIn = { email: person.email, password: person.password };
    expect(
      (await call('/api/auth/v1/token?grant_type=password', { json: signIn }, EMBEDDED)).status,
    ).toBe(200);
  });
});
