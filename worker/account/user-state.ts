import { eq, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { users } from '#worker/db/schema.ts';

/** The person's address; undefined where there is no such person. */
export async function readAddress(db: Db, id: string): Promise<string | undefined> {
  return (await db.select({ email: users.email }).from(users).where(eq(users.id, id)).get())?.email;
}

/** True in SQL for a person who still has this address: what is remembered about an address is written for the right one. */
export const hasAddress = (id: string, email: string): SQL =>
  sql`exists (select 1 from ${users} where ${users.id} = ${id} and ${users.email} = ${email})`;

/** True in SQL for a person whom an administrator has suspended. */
export const isSuspended = (id: string): SQL =>
  sql`exists (select 1 from ${users} where ${users.id} = ${id} and ${users.suspended_at} is not null)`;

/** True in SQL where an administrator who is not suspended remains without this person. */
export const hasAnotherAdmin = (id: string): SQL =>
  sql`exists (select 1 from ${users} as other where other.role = 'admin' and other.suspended_at is null and other.id <> ${id})`;
