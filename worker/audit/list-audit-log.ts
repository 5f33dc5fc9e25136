import { and, desc, eq, lt, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { AdminLogEntry, AdminLogResponse } from '#contract/moderation/admin.ts';
import type { Db } from '#worker/db/client.ts';
import { jsonList } from '#worker/db/batch.ts';
import { containsText, idFromCursor, PAGE_LIMIT, paginate } from '#worker/db/paginate.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { users } from '#worker/db/schema-users.ts';
import { showReferences } from './address-references.ts';

const subjects = alias(users, 'subject_user');
/** 'user:<id>' → the id; null for every other subject. */
const subjectUserId = sql`iif(${admin_log.subject} like 'user:%', substr(${admin_log.subject}, 6), null)`;

/**
 * GET /api/admin?action=log: one page, newest first. `q` searches everything that the page shows of
 * an entry.
 */
export async function listAuditLog(db: Db, q: string, cursor: string): Promise<AdminLogResponse> {
  const beforeId = idFromCursor(cursor);
  const found = await readEntries(
    db,
    and(matches(q), beforeId === null ? undefined : lt(admin_log.id, beforeId)),
    PAGE_LIMIT,
  );
  const { rows, nextCursor } = paginate(found, ({ id }) => String(id));
  return { entries: rows, nextCursor };
}

/** The newest `count` entries about one of these subjects. */
export function listDecisions(
  db: Db,
  about: readonly string[],
  count: number,
): Promise<AdminLogEntry[]> {
  return readEntries(db, sql`${admin_log.subject} in ${jsonList(about)}`, count);
}

/** A reason that refers to a person is found only by their whole address. */
function matches(q: string): SQL | undefined {
  const columns = [
    admin_log.action,
    admin_log.subject,
    admin_log.reason,
    admin_log.before,
    admin_log.after,
  ];
  const address = q.toLowerCase();
  const refersTo = sql`exists (select 1 from ${users} as person
    where person.email = ${address} and instr(${admin_log.reason}, 'user:' || person.id) > 0)`;
  const hasText = containsText(q, ...columns, users.email, subjects.email);
  return address.includes('@') ? or(hasText, refersTo) : hasText;
}

async function readEntries(
  db: Db,
  where: SQL | undefined,
  count: number,
): Promise<AdminLogEntry[]> {
  const rows = await db
    .select({ entry: admin_log, adminEmail: users.email, subjectEmail: subjects.email })
    .from(admin_log)
    .leftJoin(users, eq(users.id, admin_log.admin_id))
    .leftJoin(subjects, eq(subjects.id, subjectUserId))
    .where(where)
    .orderBy(desc(admin_log.id))
    .limit(count);
  const reasons = await showReferences(
    db,
    rows.map(({ entry }) => entry.reason),
  );
  return rows.map(({ entry, adminEmail, subjectEmail }, at) => ({
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    adminId: entry.admin_id,
    adminEmail: adminEmail ?? '',
    action: entry.action,
    subject: entry.subject,
    subjectEmail: subjectEmail ?? '',
    before: JSON.parse(entry.before),
    after: JSON.parse(entry.after),
    reason: reasons[at] ?? entry.reason,
  }));
}
