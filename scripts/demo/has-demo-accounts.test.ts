import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { hasDemoAccounts } from './has-demo-accounts.ts';

/** A state folder with a database that has these members, and a shard without any. */
function stateWith(...emails: string[]): string {
  const state = mkdtempSync(join(tmpdir(), 'hop-demo-'));
  const folder = join(state, 'v3/d1/x');
  mkdirSync(folder, { recursive: true });
  for (const name of ['db', 'shard']) {
    const db = new DatabaseSync(join(folder, `${name}.sqlite`));
    db.exec('CREATE TABLE users (email TEXT)');
    for (const email of name === 'db' ? emails : [])
      db.prepare('INSERT INTO users VALUES (?)').run(email);
    db.close();
  }
  return state;
}

const ADMIN = 'admin@example.com';
const USER = 'user@example.com';

describe('hasDemoAccounts', () => {
  it.each([
    [true, [ADMIN, 'own@example.com', USER]],
    [false, [ADMIN, 'own@example.com']],
    [undefined, []],
  ])('returns %s for the members %j', (expected, emails) => {
    const state = stateWith(...emails);
    expect(hasDemoAccounts(state, state)).toBe(expected);
  });

  it('leaves the answer to the database with a hosted sign-in service', () => {
    const state = stateWith(ADMIN, USER);
    writeFileSync(join(state, 'wrangler.toml'), 'SUPABASE_URL = ""\n');
    expect(hasDemoAccounts(state, state)).toBe(true);
    writeFileSync(join(state, '.dev.vars'), 'A=b\nSUPABASE_URL=https://x.supabase.co\n');
    expect(hasDemoAccounts(state, state)).toBeUndefined();
  });
});
