import { sql } from 'drizzle-orm';
import { wasDemoted } from '#worker/admin/grant.ts';
import { deleteAccountStatements } from '#worker/auth/accounts/delete-account.ts';
import { sessionExists } from '#worker/auth/sessions/session-state.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { users } from '#worker/db/schema.ts';
import { addToOutbox } from '#worker/links/outbox.ts';
import { cycleAt } from '#worker/plans/cycle.ts';
import { insertFreeSubscription } from '#worker/plans/quota.ts';
import { addressHash, demoteAddress, rememberQuota } from './address-standing.ts';
import {
  deletePerson,
  emptyDeletedLinks,
  forgetHolds,
  forgetPerson,
  isGone,
  labelLinks,
  linksOf,
  mayLeave,
  readAnchor,
  readLinks,
  removeLinks,
} from './store.ts';

export type Removal = { ok: true; removedLinks: number[] } | { ok: false; reason: 'last_admin' | 'session_ended' | 'suspended' };

/**
 * Deletes a person's account in one atomic batch: sign-in and sessions, personal data, drafts. Their links either stop
 * working (`remove`) or work on under `label` (`keep`). Tokens that outlive the account are refused from now on.
 * What stays: click counts and published posts without a name, and the admin log and kept links under `label`, a random
 * one: an administrator can act on the links together, and nothing leads from it to the person. A hash of the address
 * keeps the quota that was used in the running cycle, and a demotion.
 * `sessionId`: of the embedded sign-in, null with a hosted one. Checking the password takes a while, and a session that ends
 * meanwhile, because the owner takes the account back, deletes nothing.
 * Returns the ids of the links that stopped: publish them.
 */
export async function removeAccount(
  db: Db,
  person: { id: string; email: string },
  keepLinks: boolean,
  label: string,
  secret: string,
  now: number,
  sessionId: string | null = null,
): Promise<Removal> {
  const { id, email } = person;
  const before = keepLinks ? [] : await readLinks(db, id);
  // The cycle depends on the anchor, which never changes once it is written: links made until the batch are counted in it.
  await insertFreeSubscription(db, id, now);
  const cycle = cycleAt((await readAnchor(db, id)) ?? now, now);
  const hash = addressHash(secret, email);
  const hasSession = sessionId === null ? sql`1` : sessionExists(id, sessionId);
  const allowed = sql`${mayLeave(id)} and ${hasSession}`;
  const gone = isGone(id);
  const results = await runBatch(db, [
    rememberQuota(hash, id, cycle, now, allowed),
    demoteAddress(hash, now, sql`${allowed} and ${wasDemoted(id)}`),
    deletePerson(id, allowed),
    // From here on every statement asks whether the row above went.
    ...(keepLinks ? [] : [removeLinks(id, now, gone), addToOutbox(db, sql`${linksOf(id)} and ${gone}`, now)]),
    emptyDeletedLinks(id, gone),
    forgetHolds(id, gone),
    labelLinks(id, label, gone),
    ...forgetPerson(id, email, label, gone),
    ...deleteAccountStatements(id, now, gone),
    sql`select suspended_at, ${hasSession} as has_session from ${users} where id = ${id}`,
  ]);
  const [stays] = results.at(-1) ?? [];
  if (stays !== undefined && stays['suspended_at'] !== null) return { ok: false, reason: 'suspended' };
  if (stays !== undefined) return { ok: false, reason: stays['has_session'] === 1 ? 'last_admin' : 'session_ended' };
  return { ok: true, removedLinks: before.filter(({ link }) => link.status !== 'deleted').map(({ link }) => link.id) };
}
