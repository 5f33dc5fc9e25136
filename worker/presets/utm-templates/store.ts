import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { UTM_TEMPLATES_MAX } from '#contract/limits.ts';
import type { UtmTemplate, UtmTemplateInput } from '#contract/utm-templates.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { utm_templates } from '#worker/db/schema-link-data.ts';
import { users } from '#worker/db/schema.ts';

const { user_id: _user, created_at: _created, ...columns } = getTableColumns(utm_templates);

/** A member's templates by name: at most UTM_TEMPLATES_MAX. */
export const readTemplates = (db: Db, userId: string): Promise<UtmTemplate[]> =>
  db
    .select(columns)
    .from(utm_templates)
    .where(eq(utm_templates.user_id, userId))
    .orderBy(asc(sql`lower(${utm_templates.name})`))
    .all();

/**
 * Writes a template, over the one that has its name. Null if the account has no room for another
 * one.
 */
export async function writeTemplate(
  db: Db,
  userId: string,
  { name, source, medium, campaign, term, content }: UtmTemplateInput,
  now: number,
): Promise<UtmTemplate | null> {
  const hasName = sql`user_id = ${userId} and lower(name) = lower(${name})`;
  const { written } = await runNamedBatch(db, {
    written: sql<UtmTemplate>`insert into ${utm_templates} (user_id, name, source, medium, campaign, term, content, created_at)
      select ${userId}, ${name}, ${source}, ${medium}, ${campaign}, ${term}, ${content}, ${now}
      where exists (select 1 from ${users} where id = ${userId})
        and (exists (select 1 from ${utm_templates} where ${hasName})
          or (select count(*) from ${utm_templates} where user_id = ${userId}) < ${UTM_TEMPLATES_MAX})
      on conflict (user_id, lower(name)) do update set name = excluded.name, source = excluded.source,
        medium = excluded.medium, campaign = excluded.campaign, term = excluded.term, content = excluded.content
      returning id, name, source, medium, campaign, term, content`,
  });
  return written.rows[0] ?? null;
}

/** False if the member has no such template. */
export async function deleteTemplate(db: Db, userId: string, id: number): Promise<boolean> {
  const deleted = await db
    .delete(utm_templates)
    .where(and(eq(utm_templates.id, id), eq(utm_templates.user_id, userId)))
    .returning({ id: utm_templates.id });
  return deleted.length > 0;
}
