import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { findById } from '#worker/auth/service/store.ts';
import { isAccountSuspended } from '#worker/auth/sessions/session-state.ts';
import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { suspendAccountStatements, unsuspendAccountStatement } from './suspend-account.ts';

const db = openDb(env.DB);

describe('suspending an account', () => {
  it('a suspension has no end, and ends the sessions of this account only', async () => {
    const [person, other] = [await signInEmbedded(), await signInEmbedded()];
    await runBatch(db, suspendAccountStatements(person.id, sql`0`));
    const statusOf = async ({ headers }: typeof person) =>
      (await call('/api/me', { headers }, EMBEDDED)).status;
    expect(await statusOf(person)).toBe(200);
    await runBatch(db, suspendAccountStatements(person.id, sql`1`));
    expect([await statusOf(person), await statusOf(other)]).toEqual([401, 200]);
    const suspended = await findById(db, person.id);
    if (suspended === undefined) throw new Error('The account is gone.');
    expect(isAccountSuspended(suspended, Date.UTC(9998, 11, 31))).toBe(true);
    await runBatch(db, [unsuspendAccountStatement(person.id, sql`1`)]);
    expect((await findById(db, person.id))?.banned_until).toBeNull();
    expect(await statusOf(person)).toBe(401);
  });
});
