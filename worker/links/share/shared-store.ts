import { and, desc, eq, gt, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm';
import { SHARED_REPORTS_MAX } from '#contract/limits.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { insertSelected, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { isActive } from '#worker/db/link-status.ts';
import { links } from '#worker/db/schema-links.ts';
import { shared_reports } from '#worker/db/schema-shared-reports.ts';
import { tags } from '#worker/db/schema-tags.ts';
import { subscriptions, users } from '#worker/db/schema-users.ts';
import { idOfCode } from '#worker/edge/earlier-codes.ts';

export type SharedRowOfMember = Awaited<ReturnType<typeof listSharedReports>>[number];
export type FoundReport = NonNullable<Awaited<ReturnType<typeof findByHash>>>;

const hasNotEnded = (now: number) =>
  or(isNull(shared_reports.expires_at), gt(shared_reports.expires_at, now));

/** A report shows nothing once its link or tag belongs to somebody else. */
const ofOwner = (table: typeof links | typeof tags, column: SQL | typeof shared_reports.link_id) =>
  and(eq(table.id, column), eq(table.user_id, shared_reports.user_id));

/** The member's reports that have not ended, the newest first. */
export function listSharedReports(db: Db, userId: string, now: number) {
  return db
    .select({
      report: shared_reports,
      link: { code: links.code, status: links.status },
      tag: { name: tags.name },
    })
    .from(shared_reports)
    .leftJoin(links, ofOwner(links, shared_reports.link_id))
    .leftJoin(tags, ofOwner(tags, sql`${shared_reports.tag_id}`))
    .where(and(eq(shared_reports.user_id, userId), hasNotEnded(now)))
    .orderBy(desc(shared_reports.created_at), desc(shared_reports.id))
    .all();
}

export async function readSharedReport(db: Db, userId: string, id: string, now: number) {
  return (await listSharedReports(db, userId, now)).find(({ report }) => report.id === id);
}

/** What can be shared, if it belongs to the member. */
export type Shareable = { code: string } | { tagId: number };
type Values = Omit<typeof shared_reports.$inferInsert, 'link_id' | 'tag_id'>;

/** Inserts a report unless the member has too many, or no such link or tag. */
export async function insertSharedReport(
  db: Db,
  subject: Shareable,
  values: Values,
): Promise<boolean> {
  const { user_id: userId, created_at: now } = values;
  const [column, own] =
    'code' in subject
      ? ['link_id', sql`${links} where id = ${idOfCode(subject.code)} and status <> 'deleted'`]
      : ['tag_id', sql`${tags} where id = ${subject.tagId}`];
  const { inserted } = await runNamedBatch(db, {
    inserted: insertSelected(
      shared_reports,
      { ...values, [column]: sql`id`, parts: JSON.stringify(values.parts) },
      sql`from ${own} and user_id = ${userId} and (select count(*) from ${shared_reports} where user_id = ${userId}
        and (expires_at is null or expires_at > ${now})) < ${SHARED_REPORTS_MAX}`,
    ),
    record: recordAction(
      entryOf('share_report', userId, values.id, now),
      isReportOf(userId, values.id),
    ),
  });
  return inserted.changes === 1;
}

/** Sharing and its end are recorded in the audit log, without title and secret. */
const entryOf = (action: string, userId: string, id: string, at: number) => ({
  at,
  adminId: userId,
  action,
  after: { report: id },
});

const isReportOf = (userId: string, id: string): SQL =>
  sql`exists (select 1 from ${shared_reports} where id = ${id} and user_id = ${userId})`;

export type Changes = Partial<
  Pick<
    Values,
    'title' | 'parts' | 'period' | 'first_day' | 'last_day' | 'expires_at' | 'password_hash'
  >
>;

export async function updateSharedReport(
  db: Db,
  { userId, id }: { userId: string; id: string },
  changes: Changes,
  now: number,
): Promise<void> {
  await db
    .update(shared_reports)
    // Two changes within a millisecond must not share a cached copy.
    .set({ ...changes, updated_at: sql`max(updated_at + 1, ${now})` })
    .where(and(eq(shared_reports.id, id), eq(shared_reports.user_id, userId), hasNotEnded(now)));
}

export async function deleteSharedReport(
  db: Db,
  userId: string,
  id: string,
  now: number,
): Promise<boolean> {
  const isOwn = isReportOf(userId, id);
  const { deleted } = await runNamedBatch(db, {
    record: recordAction(entryOf('stop_sharing', userId, id, now), isOwn),
    deleted: sql`delete from ${shared_reports} where id = ${id} and user_id = ${userId}`,
  });
  return deleted.changes === 1;
}

/**
 * The report with this hash of a secret, if it may be shown: it has not ended, its owner is not
 * suspended, and its link is active or its tag exists. One statement decides all of it, so that no
 * case takes longer than another.
 */
export async function findByHash(db: Db, secretHash: string, now: number) {
  const found = await db
    .select({
      report: shared_reports,
      link: {
        id: links.id,
        code: links.code,
        target: links.target,
        variants: links.variants,
        hasPassword: sql<number>`${links.password_hash} <> ''`,
        shard: links.shard,
        created_at: links.created_at,
      },
      subscription: subscriptions,
    })
    .from(shared_reports)
    .innerJoin(users, and(eq(users.id, shared_reports.user_id), isNull(users.suspended_at)))
    .leftJoin(subscriptions, eq(subscriptions.user_id, shared_reports.user_id))
    .leftJoin(links, and(ofOwner(links, shared_reports.link_id), isActive()))
    .leftJoin(tags, ofOwner(tags, sql`${shared_reports.tag_id}`))
    .where(
      and(
        eq(shared_reports.secret_hash, secretHash),
        hasNotEnded(now),
        or(isNotNull(links.id), isNotNull(tags.id)),
      ),
    )
    .get();
  return found === undefined
    ? undefined
    : { ...found.report, link: found.link, subscription: found.subscription };
}
