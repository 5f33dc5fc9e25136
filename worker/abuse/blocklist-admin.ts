import { and, asc, gt, sql } from 'drizzle-orm';
import type { BlocklistResponse } from '#contract/moderation/abuse.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { jsonRows, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { containsText, PAGE_LIMIT, paginate } from '#worker/db/paginate.ts';
import { blocklist } from '#worker/db/schema-moderation.ts';
import { parseHostList, type ParsedList } from '#worker/safety/host-list.ts';

/** The most entries of an import that the audit log names. */
const LOGGED_ENTRIES = 50;

/**
 * One page of the blocklist, ordered by value. `q` searches the value and the reason; `cursor` is
 * the last value of a page.
 */
export async function listBlocklist(db: Db, q: string, cursor: string): Promise<BlocklistResponse> {
  const found = await db
    .select()
    .from(blocklist)
    .where(and(gt(blocklist.value, cursor), containsText(q, blocklist.value, blocklist.reason)))
    .orderBy(asc(blocklist.value))
    .limit(PAGE_LIMIT);
  const { rows, nextCursor } = paginate(found, ({ value }) => value);
  return {
    entries: rows.map(({ value, kind, reason, created_at, applied_at }) => ({
      value,
      kind,
      reason,
      createdAt: new Date(created_at).toISOString(),
      applied: applied_at > 0,
    })),
    nextCursor,
  };
}

export type BlocklistImport = {
  adminId: string;
  /** A text for `parseHostList`. */
  text: string;
  reason: string;
  /** Our own hosts, which cannot be blocked. */
  ownHosts: readonly string[];
  now: number;
};

/**
 * Adds the entries of a text. New links to them are rejected from now on; the blocklist job
 * disables existing ones. The audit entry is in the same batch.
 */
export async function importBlocklist(
  db: Db,
  { adminId, text, reason, ownHosts, now }: BlocklistImport,
): Promise<Pick<ParsedList, 'refused'> & { added: number }> {
  const { entries, refused } = parseHostList(text, ownHosts);
  const rows = jsonRows(['kind', 'value'], entries);
  const isListed = sql`exists (select 1 from ${blocklist} where kind = item.kind and value = item.value)`;
  const added = sql`(select count(*) from ${rows} as item where not ${isListed})`;
  const first = JSON.stringify(entries.slice(0, LOGGED_ENTRIES).map((entry) => entry.value));
  const after = sql`json_object('added', ${added}, 'first', json(${first}))`;
  const { inserted } = await runNamedBatch(db, {
    record: recordAction(
      { at: now, adminId, action: 'import_blocklist', subject: 'blocklist', after, reason },
      sql`${added} > 0`,
    ),
    inserted: sql`insert into ${blocklist} (kind, value, reason, added_by, created_at)
      select kind, value, ${reason}, ${adminId}, ${now} from ${rows} where true
      on conflict do nothing returning value`,
  });
  return { added: inserted.rows.length, refused };
}

/**
 * Removes an entry. New links to it are allowed from now on; the blocklist job enables the links it
 * had disabled. Returns false if there is no such entry.
 */
export async function removeBlocklistEntry(
  db: Db,
  adminId: string,
  value: string,
  now: number,
): Promise<boolean> {
  const entry = { at: now, adminId, action: 'remove_blocklist', subject: `blocklist:${value}` };
  const before = sql`(select json_object('value', value, 'reason', reason) from ${blocklist} where value = ${value})`;
  const { removed } = await runNamedBatch(db, {
    record: recordAction(
      { ...entry, before },
      sql`exists (select 1 from ${blocklist} where value = ${value})`,
    ),
    removed: sql`delete from ${blocklist} where value = ${value} returning value`,
  });
  return removed.rows.length > 0;
}
