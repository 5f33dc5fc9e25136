import { sql } from 'drizzle-orm';
import { recordAction } from '#worker/audit/record-action.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { admin_claims } from '#worker/db/schema-system.ts';
import { users } from '#worker/db/schema-users.ts';
import { roleFacts } from './store.ts';
import { ROLE_REASONS } from '#worker/messages/features.ts';

/** Below this, a value could be guessed within the limit of requests. */
const SECRET_MIN_LENGTH = 20;

/**
 * Makes the user an administrator with the secret of a link from `npm run admin -- claim`, records
 * it, and uses the link up. `secret` is the deployment's ADMIN_CLAIM, which works until there is an
 * administrator. Returns false if the link is unknown, used or expired. Writing such a link takes
 * write access to the database, so the claim also overrules a demotion.
 */
export async function claimAdmin(
  db: Db,
  userId: string,
  token: string,
  secret: string | undefined,
  now: number,
): Promise<boolean> {
  const hash = hashToken(token);
  const isSecret = (secret?.length ?? 0) >= SECRET_MIN_LENGTH && hash === hashToken(secret ?? '');
  const isOpen = isSecret
    ? sql`not exists (select 1 from ${users} where role = 'admin')`
    : sql`exists (select 1 from ${admin_claims} where token_hash = ${hash} and expires_at > ${now})`;
  const entry = {
    at: now,
    adminId: userId,
    action: 'claim_admin',
    before: roleFacts(userId),
    after: { role: 'admin' },
    reason: isSecret ? ROLE_REASONS.claimedBySecret : ROLE_REASONS.claimed,
  };
  const { grant } = await runNamedBatch(db, {
    record: recordAction(entry, isOpen),
    // Parallel requests: the first ends the condition, in the transaction that grants the role.
    grant: sql`update ${users} set role = 'admin' where id = ${userId} and ${isOpen}`,
    remove: sql`delete from ${admin_claims} where token_hash = ${hash} and expires_at > ${now}`,
  });
  return grant.changes > 0;
}
