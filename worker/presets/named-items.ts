import { asc, eq, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { assign, insertSelected } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { users } from '#worker/db/schema-users.ts';

/**
 * Named items of a member: at most `max`, with names that are unique ignoring the case of A to Z.
 * If `replaces` is true, saving an item under an existing name overwrites it.
 */
export type NamedItems = {
  table: SQLiteTable & Record<'id' | 'user_id' | 'name', SQLiteColumn>;
  max: number;
  replaces: boolean;
};

export type SaveResult = { ok: true; id: number } | { ok: false; reason: 'taken' | 'full' };

/** Returns the condition and the order for a query of a member's items. */
export const ofMember = ({ table }: NamedItems, userId: string) => ({
  where: eq(table.user_id, userId),
  order: asc(sql`lower(${table.name})`),
});

/** Saves an item. `values` are the stored values of the columns that only this kind of item has. */
export async function saveItem(
  db: Db,
  { table, max, replaces }: NamedItems,
  userId: string,
  { name, values }: { name: string; values: Readonly<Record<string, string>> },
  now: number,
): Promise<SaveResult> {
  const item = { name, ...values };
  const onConflict = replaces
    ? sql`on conflict (user_id, lower(name)) do update set ${assign(item)}`
    : sql`on conflict do nothing`;
  const [saved] = await db.all<{ id: number }>(
    insertSelected(
      table,
      { ...item, user_id: userId, created_at: now },
      sql`where exists (select 1 from ${users} where id = ${userId})
        and (select count(*) from ${table} where user_id = ${userId} and lower(name) <> lower(${name})) < ${max}
      ${onConflict} returning id`,
    ),
  );
  if (saved !== undefined) return { ok: true, id: saved.id };
  const same = await db.all(
    sql`select 1 from ${table} where user_id = ${userId} and lower(name) = lower(${name})`,
  );
  return { ok: false, reason: same.length > 0 ? 'taken' : 'full' };
}

export async function removeItem(
  db: Db,
  { table }: NamedItems,
  userId: string,
  id: number,
): Promise<boolean> {
  const removed = await db.all(
    sql`delete from ${table} where id = ${id} and user_id = ${userId} returning id`,
  );
  return removed.length > 0;
}
