import { sql, type SQL } from 'drizzle-orm';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { click_visitors, click_windows, link_totals } from '#worker/db/schema-clicks.ts';

/** The keys of those windows that the previous release has counted. It may count again after a rollback. */
export const windowsBefore = (keys: SQL): SQL => sql`select id from ${click_windows} where id in (${keys})`;

/** The table in which a release has kept the visitors of a UTC day. */
export const visitorsTable = (day: number): string => `click_visitors_${day}`;

/** The names of those that are left. None is made any more. */
export async function findVisitorTables(db: Db): Promise<string[]> {
  const { tables } = await runNamedBatch(db, {
    tables: sql<{ name: string }>`select name from sqlite_master where type = 'table' and name glob 'click_visitors_[0-9]*'`,
  });
  return tables.rows.map(({ name }) => name);
}

/** The stored set of a link and day, or one of its visitors. */
type VisitorsRow = { day: number; link_id: number; hashes: string | null; visitor: string | null };

/** The visitors of a day that earlier releases have counted, of those links with whose row none of the day are stored yet. */
export function selectVisitorsBefore(day: number, links: SQL, hasTable: boolean): SQL<VisitorsRow> {
  const isMeant = sql`link_id in (${links}) and not exists (
    select 1 from ${link_totals} t where t.link_id = old.link_id and t.visitor_sets ->> ${`$."${day}"`} is not null)`;
  const single = sql<VisitorsRow>`select day, link_id, null as hashes, visitor from ${click_visitors} old where day = ${day} and ${isMeant}`;
  if (!hasTable) return single;
  return sql`${single} union all select ${day}, link_id, hashes, null from ${sql.raw(visitorsTable(day))} old where ${isMeant}`;
}
