import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createClaim } from './admin-claim.ts';

it('a claim stores the hash of its token for an hour and deletes those that are over', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE admin_claims (token_hash TEXT, expires_at INTEGER)');
  db.exec(`INSERT INTO admin_claims VALUES ('over', 1000), ('open', 1001)`);
  const { path, statements } = createClaim(1000);
  for (const statement of statements) db.exec(statement);
  const token = path.replace('/admin/claim#', '');
  expect(db.prepare('SELECT * FROM admin_claims').all()).toMatchObject([
    { token_hash: 'open', expires_at: 1001 },
    { token_hash: createHash('sha256').update(token).digest('hex'), expires_at: 3_601_000 },
  ]);
  expect(createClaim(1000).path).not.toBe(path);
});
