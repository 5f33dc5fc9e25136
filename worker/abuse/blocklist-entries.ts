import { sql } from 'drizzle-orm';
import type { BlocklistImportResponse, BlocklistResponse } from '#contract/abuse.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { recordStatement } from '#worker/audit/log.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { blocklist } from '#worker/db/schema.ts';
import { parseHostList } from './hosts.ts';

type Entry = typeof blocklist.$inferSelect;

/** How many of an import's entries the log names. */
const LOGGED = 50;

/** One page of the list in the order of the values. `q`: part of the value or of the reason. `cursor`: the last value seen. */
export async function listEntries(db: Db, q: string, cursor: string): Promise<BlocklistResponse> {
  const rows = await db.all<Entry>(
    sql`select * from ${blocklist} where value > ${cursor}
      and (${q} = '' or instr(lower(value), lower(${q})) > 0 or instr(lower(reason), lower(${q})) > 0)
      order by value limit ${PAGE_SIZE + 1}`,
  );
  const page = rows.slice(0, PAGE_SIZE);
  return {
    entries: page.map(({ value, kind, reason, created_at, applied_at }) => ({
      value,
      kind,
      reason,
      created_at: new Date(created_at).toISOString(),
      applied: applied_at > 0,
    })),
    next_cursor: rows.length > PAGE_SIZE ? (page.at(-1)?.value ?? null) : null,
  };
}

/**
 * Adds the entries of a text (see `parseHostList`). Links to them are refused from now on; the existing ones are
 * disabled by the blocklist job. Recorded in the same batch.
 */
export async function importEntries(
  db: Db,
  adminId: string,
  text: string,
  reason: string,
  ownHosts: readonly string[],
  now: number,
): Promise<BlocklistImportResponse> {
  const { entries, refused } = parseHostList(text, ownHosts);
  const list = JSON.stringify(entries.map(({ kind, value }) => [kind, value]));
  const known = sql`exists (select 1 from ${blocklist} where kind = item.value ->> 0 and value = item.value ->> 1)`;
  const added = sql`(select count(*) from json_each(${list}) as item where not ${known})`;
  const named = JSON.stringify(entries.slice(0, LOGGED).map((entry) => entry.value));
  const [, inserted] = await runBatch(db, [
    recordStatement(
      db,
      {
        at: now,
        adminId,
        action: 'import_blocklist',
        subject: 'blocklist',
        after: sql`json_object('added', ${added}, 'first', json(${named}))`,
        reason,
      },
      sql`${added} > 0`,
    ),
    sql`insert into ${blocklist} (kind, value, reason, added_by, created_at)
        select value ->> 0, value ->> 1, ${reason}, ${adminId}, ${now} from json_each(${list}) where true
        on conflict do nothing returning value`,
  ]);
  return { added: inserted?.length ?? 0, refused };
}

/** Takes an entry off the list: new links to it are allowed at once, the job enables those it had disabled. False where there is none. */
export async function removeEntry(db: Db, adminId: string, value: string, now: number): Promise<boolean> {
  const entry = { at: now, adminId, action: 'remove_blocklist', subject: `blocklist:${value}` };
  const before = sql`(select json_object('value', value, 'reason', reason) from ${blocklist} where value = ${value})`;
  const [, removed] = await runBatch(db, [
    recordStatement(db, { ...entry, before }, sql`exists (select 1 from ${blocklist} where value = ${value})`),
    sql`delete from ${blocklist} where value = ${value} returning value`,
  ]);
  return (removed?.length ?? 0) > 0;
}
