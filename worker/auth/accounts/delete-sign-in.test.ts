import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import {
  auth_factor_resets,
  auth_identities,
  auth_passkeys,
  auth_pending_sign_ins,
  auth_recovery_codes,
} from '#worker/db/schema-auth.ts';
import { call } from '#worker/testing/call.ts';
import { rowsOf } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { CHEAP, EMBEDDED, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { createAccount } from './create-account.ts';
import { deleteSignInStatements } from './delete-sign-in.ts';

const db = openDb(env.DB);
describe('accounts', () => {
  it('creates one account per address, with a given id', async () => {
    const id = crypto.randomUUID();
    const account = {
      email: 'Made@Example.com',
      password: 'correct horse',
      confirmed: true,
      now: 1_000,
      id,
    };
    expect(await createAccount(db, account, CHEAP)).toBe(id);
    expect(await createAccount(db, { ...account, id: crypto.randomUUID() }, CHEAP)).toBeNull();
    const { data } = await tab().auth.signInWithPassword({
      email: 'made@example.com',
      password: 'correct horse',
    });
    expect(data.user?.id).toBe(id);
  });

  it('deleting an account removes its rows, rejects its tokens and frees its address', async () => {
    const person = await signInEmbedded();
    await tab().auth.resetPasswordForEmail(person.email);
    expect((await call('/api/me', { headers: person.headers }, EMBEDDED)).status).toBe(200);
    const [time, other] = [Date.now(), crypto.randomUUID()];
    for (const id of [person.id, other]) {
      const owned = { user_id: id, id: `row of ${id}`, created_at: time };
      await db.batch([
        db.insert(auth_recovery_codes).values({ user_id: id, code_hash: 'a' }),
        db.insert(auth_pending_sign_ins).values({ ...owned, amr: '[]', expires_at: time }),
        db.insert(auth_factor_resets).values({
          user_id: id,
          stop_hash: `stop ${id}`,
          requested_at: time,
          ready_at: time,
          expires_at: time,
        }),
        db.insert(auth_identities).values({
          user_id: id,
          issuer: 'i',
          subject: id,
          email: '',
          linked_at: time,
          used_at: time,
        }),
        db.insert(auth_passkeys).values({
          ...owned,
          credential_id: id,
          public_key: '{}',
          counter: 0,
          transports: '[]',
          name: 'Laptop',
        }),
      ]);
    }
    await runBatch(db, deleteSignInStatements(person.id, time, sql`1`));
    for (const table of [
      'auth_recovery_codes',
      'auth_pending_sign_ins',
      'auth_factor_resets',
      'auth_identities',
      'auth_passkeys',
    ])
      expect((await rowsOf(table)).map((row) => row['user_id'])).toEqual([other]);
    for (const table of ['auth_users', 'auth_sessions', 'auth_one_time_tokens']) {
      const column = table === 'auth_users' ? 'id' : 'user_id';
      const row = await env.DB.prepare(`SELECT 1 FROM ${table} WHERE ${column} = ?`)
        .bind(person.id)
        .first();
      expect([table, row]).toEqual([table, null]);
    }
    expect((await call('/api/me', { headers: person.headers }, EMBEDDED)).status).toBe(401);
    const answer = await call('/api/auth/v1/user', { headers: person.headers }, EMBEDDED);
    expect([answer.status, answer.headers.get('x-sb-error-code')]).toEqual([403, 'user_not_found']);
    expect(
      await createAccount(
        db,
        { email: person.email, password: 'another', confirmed: true, now: 1 },
        CHEAP,
      ),
    ).not.toBeNull();
  });

  it('rejects a valid hosted token after the account was deleted here', async () => {
    const { id, headers } = await makePerson();
    expect((await call('/api/me', { headers })).status).toBe(200);
    await runBatch(db, deleteSignInStatements(id, Date.now(), sql`1`));
    await env.DB.prepare('DELETE FROM users WHERE id = ?').bind(id).run();
    expect((await call('/api/me', { headers })).status).toBe(401);
    expect(await env.DB.prepare('SELECT 1 FROM users WHERE id = ?').bind(id).first()).toBeNull();
  });
});
