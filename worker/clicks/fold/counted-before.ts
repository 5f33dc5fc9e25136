import { sql, type SQL } from 'drizzle-orm';
import { click_visitors, click_windows, link_totals } from '#worker/db/schema-clicks.ts';

/**
 * The keys of those windows that the previous release has counted. It may count again after a
 * rollback.
 */
export const windowsBefore = (keys: SQL): SQL =>
  sql`select id from ${click_windows} where id in (${keys})`;

type VisitorRow = { day: number; link_id: number; visitor: string };

/**
 * Visitors that the previous release has counted. Leaves out days for which the link's row already
 * has visitors.
 */
export const visitorsBefore = (
  pairs: readonly (readonly [link: number, day: number])[],
): SQL<VisitorRow> =>
  sql<VisitorRow>`select old.day, old.link_id, old.visitor from json_each(${JSON.stringify(pairs)}) j
    cross join ${click_visitors} old on old.day = j.value ->> 1 and old.link_id = j.value ->> 0
    left join ${link_totals} t on t.link_id = old.link_id where t.visitor_sets ->> ('$."' || old.day || '"') is null`;
