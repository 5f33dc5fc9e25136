import { sql, type SQL } from 'drizzle-orm';
import { click_visitors, click_windows, link_totals } from '#worker/db/schema-clicks.ts';

/** The keys of those windows that the previous release has counted. It may count again after a rollback. */
export const windowsBefore = (keys: SQL): SQL => sql`select id from ${click_windows} where id in (${keys})`;

type VisitorRow = { day: number; link_id: number; visitor: string };

/** The visitors of a day that the previous release has counted, of those links with whose row none of the day are stored yet. */
export const visitorsBefore = (day: number, links: SQL): SQL<VisitorRow> =>
  sql<VisitorRow>`select day, link_id, visitor from ${click_visitors} old where day = ${day} and link_id in (${links})
    and not exists (select 1 from ${link_totals} t where t.link_id = old.link_id and t.visitor_sets ->> ${`$."${day}"`} is not null)`;
