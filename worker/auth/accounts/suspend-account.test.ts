import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { findById } from '#worker/auth/service/store.ts';
import { isAccountSuspended } from '#worker/auth/sessions/session-state.ts';
import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { auth_pending_sign_ins } from '#worker/db/schema-auth.ts';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { suspendAccountStatements, unsuspendAccountStatement } from './suspend-account.ts';

const db = openDb(env.DB);

describe('suspending an account', () => {
  it('a suspension has no end, and ends the sessions of this account only', async () => {
    const [person, other] = [await signInEmbedded(), await signInEmbedded()];
    const waits = { amr: '[]', created_at: 1, expires_at: 2 };
    for (const { id } of [person, other])
      await db.insert(auth_pending_sign_ins).values({ ...waits, id, user_id: id });
    const waiting = () => db.select({ id: auth_pending_sign_ins.id }).from(auth_pending_sign_ins);
    await runBatch(db, suspendAccountStatements(person.id, sql`0`));
    expect(await waiting()).toHaveLength(2);
    const statusOf = async ({ headers }: typeof person) =>
      (await call('/api/me', { headers }, EMBEDDED)).status;
    expect(await statusOf(person)).toBe(200);
    await runBatch(db, suspendAccountStatements(person.id, sql`1`));
    expect([await statusOf(person), await statusOf(other)]).toEqual([401, 200]);
    expect(await waiting()).toEqual([{ id: other.id }]);
    const suspended = await findById(db, person.id);
    if (suspended === undefined) throw new Error('The account is gone.');
    expect(isAccountSuspended(suspended, Date.UTC(9998, 11, 31))).toBe(true);
    await runBatch(db, [unsuspendAccountStatement(person.id, sql`1`)]);
    expect((await findById(db, person.id))?.banned_until).toBeNull();
    expect(await statusOf(person)).toBe(401);
  });
});
