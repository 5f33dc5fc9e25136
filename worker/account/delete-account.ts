import { sql, type SQL } from 'drizzle-orm';
import { forgetUserInLog } from '#worker/audit/forget-user.ts';
import { deleteSignInStatements } from '#worker/auth/accounts/delete-sign-in.ts';
import { runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { removeDomainsOf } from '#worker/domains/saas/remove-domain.ts';
import { users } from '#worker/db/schema-users.ts';
import { addToOutbox } from '#worker/edge/outbox.ts';
import { cycleAt } from '#worker/plans/cycle.ts';
import { insertFreeSubscription } from '#worker/plans/quota.ts';
import {
  addressHash,
  demoteAddress,
  storeUsedQuota,
  wasDemoted,
} from '#worker/users/address-standing.ts';
import {
  anonymizeUser,
  clearDeletedTargets,
  deleteHistory,
  deleteHolds,
  deleteLinks,
  deleteRolledUpLinks,
  deleteUser,
  isUserDeleted,
  mayDelete,
  ownedBy,
  readCycleAnchor,
  relabelLinks,
} from './store.ts';

export type AccountDeletion = {
  user: { id: string; email: string };
  /** Delete the links, or keep them working under `label`. */
  links: 'remove' | 'keep';
  /** A random name that replaces the user's id in the admin log and on kept links. */
  label: string;
  /** AUTH_SECRET, which keys the hash of the email. */
  secret: string;
  now: number;
};

/**
 * `deletedLinks` are the ids of the links that stopped working, `hosts` those of the domains. The
 * caller publishes them.
 */
export type AccountDeletionResult =
  | { ok: true; deletedLinks: number[]; hosts: string[] }
  | { ok: false; reason: 'only_admin_left' | 'account_suspended' };

/**
 * Deletes an account in one atomic batch, with its sign-in, sessions, personal data and drafts. Its
 * tokens are rejected from now on. Click counts and published posts stay without an owner. The
 * admin log and kept links stay under `label`, so that an administrator can act on the links
 * together and nothing identifies the person. A hash of the email keeps a demotion and the quota
 * used in the running cycle.
 */
export async function deleteAccount(
  db: Db,
  deletion: AccountDeletion,
): Promise<AccountDeletionResult> {
  const { links, label, secret, now } = deletion;
  const { id, email } = deletion.user;
  // The cycle can be computed before the batch, because its anchor never changes. Links that are
  // created until then are counted in the same cycle.
  await db.run(insertFreeSubscription(id, now));
  const cycle = cycleAt((await readCycleAnchor(db, id)) ?? now, now);
  const hash = addressHash(secret, email);
  const allowed = mayDelete(id);
  const deleted = isUserDeleted(id);
  const { deletedUser, deletedLinks, hosts } = await runNamedBatch(db, {
    storeQuota: storeUsedQuota(hash, id, cycle, now, allowed),
    storeDemotion: demoteAddress(hash, now, sql`${allowed} and ${wasDemoted(id)}`),
    deletedUser: deleteUser(id, allowed),
    // Every statement from here on runs only if the row above was deleted.
    deletedLinks: links === 'keep' ? [] : deleteLinks(id, now, deleted),
    addToOutbox: links === 'keep' ? [] : addToOutbox(db, sql`${ownedBy(id)} and ${deleted}`, now),
    ...removeDomainsOf(id, now, deleted),
    forget: await forgetUser(db, deletion.user, label, now, deleted),
  });
  // Another request may have deleted the account, too.
  const [user] =
    deletedUser.rows.length > 0
      ? []
      : await db.all<{ suspended_at: number | null }>(
          sql`select suspended_at from ${users} where id = ${id}`,
        );
  if (user === undefined)
    return {
      ok: true,
      deletedLinks: deletedLinks.rows.map((row) => row.id),
      hosts: hosts.rows.map((row) => row.host),
    };
  return {
    ok: false,
    reason: user.suspended_at === null ? 'only_admin_left' : 'account_suspended',
  };
}

/**
 * Statements that delete an account again after a restored copy has brought it back. Its links stay
 * under `label` until KV says which of them were deleted.
 */
export async function deleteAgain(
  db: Db,
  user: { id: string; email: string },
  label: string,
  now: number,
): Promise<Statement[]> {
  const always = sql`1`;
  return [
    deleteUser(user.id, always),
    ...Object.values(removeDomainsOf(user.id, now, always)),
    ...(await forgetUser(db, user, label, now, always)),
  ];
}

/** Statements that remove what is left of a user whose row has been deleted. */
async function forgetUser(
  db: Db,
  { id, email }: { id: string; email: string },
  label: string,
  now: number,
  when: SQL,
): Promise<Statement[]> {
  return [
    clearDeletedTargets(id, when),
    deleteHolds(id, when),
    deleteHistory(id, when),
    deleteRolledUpLinks(id, when),
    relabelLinks(id, label, when),
    ...anonymizeUser(id, email, label, when),
    ...(await forgetUserInLog(db, { id, email }, label, when)),
    ...deleteSignInStatements(id, now, when),
  ];
}
