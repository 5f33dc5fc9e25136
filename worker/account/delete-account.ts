import { sql } from 'drizzle-orm';
import { forgetUserInLog } from '#worker/audit/forget-user.ts';
import { deleteSignInStatements } from '#worker/auth/accounts/delete-sign-in.ts';
import { runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
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
  readAllLinks,
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

/** `deletedLinks` are the ids of the links that stopped working. The caller publishes them. */
export type AccountDeletionResult =
  | { ok: true; deletedLinks: number[] }
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
  const before = links === 'keep' ? [] : await readAllLinks(db, id);
  // The cycle depends only on the anchor, which never changes: links created until the batch runs
  // are counted in it.
  await db.run(insertFreeSubscription(id, now));
  const cycle = cycleAt((await readCycleAnchor(db, id)) ?? now, now);
  const hash = addressHash(secret, email);
  const allowed = mayDelete(id);
  const deleted = isUserDeleted(id);
  const forgetInLog = await forgetUserInLog(db, deletion.user, label, deleted);
  const { remaining } = await runNamedBatch(db, {
    storeQuota: storeUsedQuota(hash, id, cycle, now, allowed),
    storeDemotion: demoteAddress(hash, now, sql`${allowed} and ${wasDemoted(id)}`),
    deleteUser: deleteUser(id, allowed),
    // Every statement from here on runs only if the row above was deleted.
    deleteLinks:
      links === 'keep'
        ? []
        : [deleteLinks(id, now, deleted), addToOutbox(db, sql`${ownedBy(id)} and ${deleted}`, now)],
    clearTargets: clearDeletedTargets(id, deleted),
    deleteHolds: deleteHolds(id, deleted),
    deleteHistory: deleteHistory(id, deleted),
    deleteRolledUp: deleteRolledUpLinks(id, deleted),
    relabelLinks: relabelLinks(id, label, deleted),
    anonymize: anonymizeUser(id, email, label, deleted),
    forget: forgetInLog,
    deleteSignIn: deleteSignInStatements(id, now, deleted),
    remaining: sql<{
      suspended_at: number | null;
    }>`select suspended_at from ${users} where id = ${id}`,
  });
  const [user] = remaining.rows;
  if (user === undefined)
    return {
      ok: true,
      deletedLinks: before
        .filter(({ link }) => link.status !== 'deleted')
        .map(({ link }) => link.id),
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
  { id, email }: { id: string; email: string },
  label: string,
  now: number,
): Promise<Statement[]> {
  const always = sql`1`;
  return [
    deleteUser(id, always),
    clearDeletedTargets(id, always),
    deleteHolds(id, always),
    deleteHistory(id, always),
    deleteRolledUpLinks(id, always),
    relabelLinks(id, label, always),
    ...anonymizeUser(id, email, label, always),
    ...(await forgetUserInLog(db, { id, email }, label, always)),
    ...deleteSignInStatements(id, now, always),
  ];
}
