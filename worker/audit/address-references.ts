import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { jsonList } from '#worker/db/batch.ts';
import { users } from '#worker/db/schema-users.ts';

/**
 * Reasons of audit entries name people by reference, `user:<id>`, and never by address. Otherwise
 * an address would have to be found and replaced when its account is deleted. Readers see the
 * account's current address.
 */

const ADDRESS = new RegExp(
  String.raw`[\p{L}\p{N}_][\p{L}\p{N}!#$%&'*+/=?^_\x60{|}~.-]*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*`,
  'gu',
);
const REFERENCE = /\buser:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/g;

export const referenceTo = (userId: string): string => `user:${userId}`;

/**
 * The text in SQL. Every address that is an account's when the statement runs becomes a reference.
 */
export function withReferences(text: string): SQL {
  const addresses = [...text.matchAll(ADDRESS)];
  if (addresses.length === 0) return sql`${text}`;
  const parts: { text: string; address?: string }[] = [];
  let end = 0;
  for (const { 0: address, index } of addresses) {
    parts.push({ text: text.slice(end, index) }, { text: address, address: address.toLowerCase() });
    end = index + address.length;
  }
  parts.push({ text: text.slice(end) });
  return sql`(select group_concat(part, '') from (select coalesce(
      (select 'user:' || id from ${users} where email = item.value ->> 'address' order by id limit 1), item.value ->> 'text') as part
    from json_each(${JSON.stringify(parts)}) as item order by item.key))`;
}

/**
 * Replaces references by the current addresses of their accounts. References to deleted accounts
 * stay.
 */
export async function showReferences(db: Db, texts: readonly string[]): Promise<string[]> {
  const ids = new Set(
    texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(([, id = '']) => id)),
  );
  if (ids.size === 0) return [...texts];
  const rows = await db.all<{ id: string; email: string }>(
    sql`select id, email from ${users} where email <> '' and id in ${jsonList([...ids])}`,
  );
  const emails = new Map(rows.map(({ id, email }) => [id, email]));
  return texts.map((text) =>
    text.replaceAll(REFERENCE, (reference, id: string) => emails.get(id) ?? reference),
  );
}
