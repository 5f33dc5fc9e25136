import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
describe('attacks with sessions', () => {
  it('[A10] an account keeps only the 100 sessions that were used last', async () => {
    const person = await signInEmbedded();
    const count = async () =>
      (
        await env.DB.prepare('SELECT count(*) AS n FROM auth_sessions WHERE user_id = ?')
          .bind(person.id)
          .first<{ n: number }>()
      )?.n;
    await env.DB.prepare(
      `INSERT INTO auth_sessions (id, user_id, refreshed_at, amr, created_at)
     SELECT 'old-' || value, ?1, value, '[]', 151 - value FROM json_each(?2)`,
    )
      .bind(person.id, JSON.stringify(Array.from({ length: 150 }, (_, i) => i + 1)))
      .run();
    const again = await call(
      '/api/auth/v1/token?grant_type=password',
      { json: { email: person.email, password: person.password } },
      EMBEDDED,
    );
    expect(again.status).toBe(200);
    expect(await count()).toBe(100);
    const oldest = await env.DB.prepare(
      "SELECT min(refreshed_at) AS at FROM auth_sessions WHERE id LIKE 'old-%'",
    ).first();
    expect(oldest).toEqual({ at: 53 });
    for (const headers of [
      person.headers,
      { Authorization: `Bearer ${(await again.json<{ access_token: string }>()).access_token}` },
    ])
      expect((await call('/api/me', { headers }, EMBEDDED)).status).toBe(200);
  });
});
