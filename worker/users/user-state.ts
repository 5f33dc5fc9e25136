import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { HOUR_MS } from '#contract/time.ts';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Db } from '#worker/db/client.ts';
import { users } from '#worker/db/schema-users.ts';

/** `last_seen_at` is updated at most this often, so that most requests write nothing. */
const LAST_SEEN_INTERVAL_MS = HOUR_MS;

export async function readEmail(db: Db, id: string): Promise<string | undefined> {
  return (await db.select({ email: users.email }).from(users).where(eq(users.id, id)).get())?.email;
}

/**
 * Stores the email and the time of a request. Does nothing for a suspended user: lifting the
 * suspension must find the address that was suspended.
 */
export async function recordVisit(
  db: Db,
  { id, email }: { id: string; email: string },
  known: { email: string; lastSeenAt: number },
  now: number,
): Promise<void> {
  if (known.email === email && now - known.lastSeenAt < LAST_SEEN_INTERVAL_MS) return;
  await db
    .update(users)
    .set({ email, last_seen_at: now })
    .where(and(eq(users.id, id), isNull(users.suspended_at)));
}

export const userExists = (id: string): SQL =>
  sql`exists (select 1 from ${users} where ${users.id} = ${id})`;

/**
 * True in SQL while the user has this email. Writes about an address use it as their condition, so
 * that they never apply to another address.
 */
export const hasEmail = (id: string, email: string): SQL =>
  sql`exists (select 1 from ${users} where ${users.id} = ${id} and ${users.email} = ${email})`;

export const isUserSuspended = (id: string): SQL =>
  sql`exists (select 1 from ${users} where ${users.id} = ${id} and ${users.suspended_at} is not null)`;

/**
 * True in SQL if an administrator other than this user (an id, or an expression for one) exists
 * who is not suspended.
 */
export const hasAnotherAdmin = (id: string | SQL | SQLiteColumn): SQL =>
  sql`exists (select 1 from ${users} as other where other.role = 'admin' and other.suspended_at is null and other.id <> ${id})`;
