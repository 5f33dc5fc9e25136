import { sql, type SQL } from 'drizzle-orm';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { account_totals, link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema.ts';

export type Totals = { links: number; clicks: number; active: number };

/** The totals of a member with more links are stored, so that a page reads as many rows for 100,000 links as for 100. */
export const SUMMED_LINKS_MAX = 100;

/** Totals over the member's links that are not deleted. `active` have more than 0 clicks (docs/decisions.md#d22). */
export async function readTotals(db: Db, userId: string, now: number): Promise<Totals> {
  const select = (
    limit: SQL,
  ) => sql<Totals>`select count(*) as links, coalesce(sum(human), 0) as clicks, coalesce(sum(human > 0), 0) as active
    from (select human from ${links} left join ${link_totals} on link_id = id where user_id = ${userId} and status <> 'deleted' ${limit})`;
  const { stored, summed } = await runNamedBatch(db, {
    stored: sql<Totals>`select links, clicks, active from ${account_totals} where user_id = ${userId}`,
    summed: select(sql`limit ${SUMMED_LINKS_MAX + 1}`),
  });
  const [known, some] = [stored.rows[0], summed.rows[0]];
  if (some === undefined || some.links <= SUMMED_LINKS_MAX) return some ?? { links: 0, clicks: 0, active: 0 };
  if (known !== undefined) return known;
  const [all] = await db.all<Totals>(sql`insert into ${account_totals} (user_id, links, clicks, active, counted_at)
    select ${userId}, links, clicks, active, ${now} from (${select(sql``)}) where true
    on conflict do update set links = excluded.links, clicks = excluded.clicks, active = excluded.active, counted_at = excluded.counted_at
    returning links, clicks, active`);
  return all ?? some;
}

/** Adds new links to the stored totals, in the batch that inserts them: those of these codes that were created at `now`. */
export const addNewLinks = (userId: string, codes: readonly string[], now: number): SQL =>
  sql`update ${account_totals} set links = links + (select count(*) from ${links} as link where link.host = ''
    and link.code in (select value from json_each(${JSON.stringify(codes)})) and link.user_id = ${userId} and link.created_at = ${now})
    where user_id = ${userId}`;

/** Takes a link off the stored totals, in the batch that deletes it: if it is deleted and has this version. */
export const subtractLink = (userId: string, id: number, version: number): SQL =>
  sql`update ${account_totals} set links = links - 1, clicks = clicks - of_link.human, active = active - (of_link.human > 0)
    from (select coalesce(human, 0) as human from ${links} left join ${link_totals} on link_id = id
      where id = ${id} and version = ${version} and status = 'deleted') as of_link
    where user_id = ${userId}`;

/** Forgets the stored totals, after other changes. */
export const forgetTotals = (userId: string): SQL => sql`delete from ${account_totals} where user_id = ${userId}`;
