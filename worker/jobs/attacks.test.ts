import { DAY_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { KEEP_SESSIONS_DAYS, KEEP_UNCONFIRMED_DAYS } from '#contract/limits.ts';
import { deleteExpiredSignInData } from '#worker/auth/delete-expired-sign-in-data.ts';

const ROWS = 4_500;
const NUMBERS = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)`;
const count = async (table: string) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())?.n ?? -1;

describe('deleteExpiredSignInData', () => {
  it('[A15] deletes in one run all that expired after a flood of sign-ups', async () => {
    const now = Date.now();
    const idle = now - KEEP_SESSIONS_DAYS * DAY_MS;
    const unconfirmed = now - KEEP_UNCONFIRMED_DAYS * DAY_MS;
    const fill = (sql: string, ...values: number[]) =>
      env.DB.prepare(`${NUMBERS} ${sql}`).bind(ROWS, ...values);
    await env.DB.batch([
      fill(
        `INSERT INTO auth_one_time_tokens (user_id, kind, token_hash, code_hash, expires_at) SELECT 'u' || i, 'signup', 't' || i, 'c', ?2 FROM n WHERE true`,
        now,
      ),
      fill(
        `INSERT INTO auth_sessions (id, user_id, refreshed_at, amr, created_at) SELECT 's' || i, 'u', ?2, '[]', ?2 FROM n WHERE true`,
        idle,
      ),
      fill(
        `INSERT INTO auth_users (id, email, created_at, updated_at) SELECT 'a' || i, i || '@example.com', ?2, ?2 FROM n WHERE true`,
        unconfirmed,
      ),
      // One row of each kind that has not expired yet.
      env.DB.prepare(
        `INSERT INTO auth_one_time_tokens (user_id, kind, token_hash, code_hash, expires_at) VALUES ('live', 'signup', 't', 'c', ?)`,
      ).bind(now + 1),
      env.DB.prepare(
        `INSERT INTO auth_sessions (id, user_id, refreshed_at, amr, created_at) VALUES ('live', 'u', ?1, '[]', ?1)`,
      ).bind(idle + 1),
      env.DB.prepare(
        `INSERT INTO auth_users (id, email, created_at, updated_at) VALUES ('live', 'live@example.com', ?1, ?1)`,
      ).bind(unconfirmed + 1),
    ]);
    expect(await deleteExpiredSignInData(env, now)).toEqual({
      deleted: { auth_one_time_tokens: ROWS, auth_sessions: ROWS, auth_users: ROWS },
      left: 0,
    });
    expect(
      await Promise.all(['auth_one_time_tokens', 'auth_sessions', 'auth_users'].map(count)),
    ).toEqual([1, 1, 1]);
  });
});
