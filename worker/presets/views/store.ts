import { and, asc, eq, sql } from 'drizzle-orm';
import { VIEWS_MAX } from '#contract/limits.ts';
import type { LinkView, ViewFilters, ViewInput } from '#contract/views.ts';
import type { Db } from '#worker/db/client.ts';
import { link_views } from '#worker/db/schema-link-data.ts';
import { users } from '#worker/db/schema.ts';

const columns = {
  id: link_views.id,
  name: link_views.name,
  filters: sql<ViewFilters>`${link_views.filters}`.mapWith((json: string): ViewFilters =>
    JSON.parse(json),
  ),
};

/** A member's views by name: at most VIEWS_MAX. */
export function readViews(db: Db, userId: string): Promise<LinkView[]> {
  return db
    .select(columns)
    .from(link_views)
    .where(eq(link_views.user_id, userId))
    .orderBy(asc(sql`lower(${link_views.name})`))
    .all();
}

/**
 * Saves a view, in place of one with the same name. Null if the account has no room for another.
 */
export async function saveView(
  db: Db,
  userId: string,
  { name, filters }: ViewInput,
  now: number,
): Promise<LinkView | null> {
  const [saved] = await db.all<{ id: number }>(
    sql`insert into ${link_views} (user_id, name, filters, created_at)
      select ${userId}, ${name}, ${JSON.stringify(filters)}, ${now}
      where exists (select 1 from ${users} where id = ${userId})
        and (select count(*) from ${link_views} where user_id = ${userId} and lower(name) <> lower(${name})) < ${VIEWS_MAX}
      on conflict (user_id, lower(name)) do update set name = excluded.name, filters = excluded.filters returning id`,
  );
  return saved === undefined ? null : { id: saved.id, name, filters };
}

/** False if the member has no such view. */
export async function deleteView(db: Db, userId: string, id: number): Promise<boolean> {
  const deleted = await db
    .delete(link_views)
    .where(and(eq(link_views.id, id), eq(link_views.user_id, userId)))
    .returning({ id: link_views.id });
  return deleted.length > 0;
}
