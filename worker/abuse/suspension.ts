import { sql, type SQL } from 'drizzle-orm';
import { addressHash, liftAddress, suspendAddress } from '#worker/account/address-standing.ts';
import { recordStatement } from '#worker/audit/log.ts';
import { hasAddress, hasAnotherAdmin, isSuspended, readAddress } from '#worker/account/user-state.ts';
import { suspendAccountStatements, unsuspendAccountStatement } from '#worker/auth/accounts/suspend-account.ts';
import { runBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_holds, links, users } from '#worker/db/schema.ts';
import { liftHolds, placeHold } from './holds.ts';

export type SuspensionInput = {
  adminId: string;
  /** A person, or the label under which the links of a deleted account are kept. */
  userId: string;
  reason: string;
  secret: string;
  now: number;
  /** What belongs into the same batch: the end of the report that is answered. */
  alongside: (when: SQL) => Statement[];
};

export type SuspensionResult =
  | { ok: true; changed: number[] }
  | { ok: false; reason: 'unknown_user' | 'last_admin' | 'yourself'; message: string };

const UNKNOWN = { ok: false, reason: 'unknown_user', message: 'There is no such user.' } as const;
const LAST_ADMIN = {
  ok: false,
  reason: 'last_admin',
  message: 'This is the last administrator. Make somebody else an administrator first.',
} as const;
const YOURSELF = { ok: false, reason: 'yourself', message: 'You cannot suspend yourself.' } as const;

/**
 * Suspends a person: one batch ends their sessions, stops new links, remembers the address and holds their links (further
 * batches follow where there are very many). A link that is made meanwhile is held too or is refused: the quota's
 * statement gives nothing to a suspended person. Of a deleted account only the links are left to hold.
 * Returns the ids of the links whose state changed.
 */
export async function suspendUser(db: Db, input: SuspensionInput): Promise<SuspensionResult> {
  const { adminId, userId, reason, now } = input;
  if (userId === adminId) return YOURSELF;
  const guard = sql`(${hasAnotherAdmin(userId)} or not exists (select 1 from ${users} where id = ${userId} and role = 'admin'))`;
  const hold = (alongside: Statement[], still: SQL) =>
    placeHold(db, { kind: 'user', value: '', reason }, sql`${links}.user_id = ${userId}`, now, alongside, still);
  for (;;) {
    const email = await readAddress(db, userId);
    if (email === undefined) {
      const alongside = await forGroup(db, input, 'disable_links');
      return alongside === null ? UNKNOWN : { ok: true, changed: await hold(alongside, sql`1`) };
    }
    const same = hasAddress(userId, email);
    const statements = personChange(db, input, email, {
      action: 'suspend_user',
      guard,
      links: sql`select count(*) from ${links} where user_id = ${userId} and status <> 'deleted'`,
      statements: (hash, when) => [suspendAddress(hash, reason, now, when), ...suspendAccountStatements(userId, when)],
      set: sql`suspended_at = ${now}, suspended_reason = ${reason}`,
    });
    // Another administrator may lift it at the same moment: links are held only while the suspension is stored.
    const changed = await hold(statements, isSuspended(userId));
    const [state] = await db.all<{ same: number; done: number }>(
      sql`select ${same} as same, (${isSuspended(userId)} or ${guard}) as done`,
    );
    // Otherwise the address has changed since it was read, and nothing has happened: it would have been about the wrong one.
    if (state?.same === 1) {
      if (state.done === 0) return LAST_ADMIN;
      // A link that was made between the choice of the links and their batch.
      return { ok: true, changed: [...changed, ...(await hold([], isSuspended(userId)))] };
    }
  }
}

/** Lifts a suspension with everything that it did; links that are held for another reason stay disabled. */
export async function liftSuspension(db: Db, input: SuspensionInput): Promise<SuspensionResult> {
  const { userId, now } = input;
  const held = sql`kind = 'user' and link_id in (select id from ${links} where user_id = ${userId})`;
  const lift = (alongside: Statement[]) => liftHolds(db, sql`${held} and not ${isSuspended(userId)}`, now, alongside);
  for (;;) {
    const email = await readAddress(db, userId);
    if (email === undefined) {
      const alongside = await forGroup(db, input, 'enable_links');
      return alongside === null ? UNKNOWN : { ok: true, changed: await lift(alongside) };
    }
    const results = await runBatch(
      db,
      personChange(db, input, email, {
        action: 'lift_suspension',
        guard: sql`1`,
        links: sql`select count(*) from ${link_holds} where ${held}`,
        statements: (hash, when) => [...liftAddress(hash, when), unsuspendAccountStatement(userId, when)],
        set: sql`suspended_at = null, suspended_reason = null`,
      }),
    );
    if ((results.at(-1)?.length ?? 0) > 0) return { ok: true, changed: await lift([]) };
  }
}

type PersonChange = {
  action: string;
  /** True in SQL where the change is allowed. */
  guard: SQL;
  /** A query for the number of links that the log names. */
  links: SQL;
  statements: (hash: string | null, when: SQL) => Statement[];
  set: SQL;
};

/** Changes the person and what is remembered about their address, with the log entry: the last statement returns the row. */
function personChange(db: Db, input: SuspensionInput, email: string, change: PersonChange): Statement[] {
  const { adminId, userId, reason, secret, now, alongside } = input;
  const allowed = sql`${hasAddress(userId, email)} and ${change.guard}`;
  const before = sql`(select json_object('suspended', json(iif(suspended_at is null, 'false', 'true'))) from ${users} where id = ${userId})`;
  const after = sql`json_object('links', (${change.links}))`;
  const entry = { at: now, adminId, action: change.action, subject: `user:${userId}`, before, after, reason };
  return [
    recordStatement(db, entry, allowed),
    ...change.statements(addressHash(secret, email), allowed),
    ...alongside(allowed),
    sql`update ${users} set ${change.set} where id = ${userId} and ${allowed} returning id`,
  ];
}

/** The log entry and the report's end for links whose owner has no row; null where there are no such links. */
async function forGroup(db: Db, input: SuspensionInput, action: string): Promise<Statement[] | null> {
  const { adminId, userId, reason, now } = input;
  const [found] = await db.all<{ n: number }>(sql`select count(*) as n from ${links} where user_id = ${userId}`);
  if (found === undefined || found.n === 0) return null;
  const entry = { at: now, adminId, action, subject: `user:${userId}`, after: { links: found.n }, reason };
  return [recordStatement(db, entry), ...input.alongside(sql`1`)];
}
