import { sql, type SQL } from 'drizzle-orm';
import { click_visitors, click_windows } from '#worker/db/schema-clicks.ts';

/** The keys of those windows that the previous release has counted. It may count again after a rollback. */
export const windowsBefore = (keys: SQL): SQL => sql`select id from ${click_windows} where id in (${keys})`;

/** The visitors of a day that the previous release has counted, of links that have no visitors in `table` yet. */
export const visitorsBefore = (day: number, isLink: SQL, table: SQL): SQL => sql`
  select day, link_id, null, visitor from ${click_visitors} old where day = ${day} and ${isLink}
    and not exists (select 1 from ${table} made where made.link_id = old.link_id)`;
