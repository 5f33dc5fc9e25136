import { and, desc, eq, lt } from 'drizzle-orm';
import type { AdminLogResponse } from '#contract/admin.ts';
import type { Db } from '#worker/db/client.ts';
import { containsText } from '#worker/db/contains-text.ts';
import { idFromCursor, PAGE_LIMIT, paginate } from '#worker/db/paginate.ts';
import { admin_log, users } from '#worker/db/schema.ts';

/** GET /api/admin?action=log: one page, newest first. `q` searches the action, the subject and the reason. */
export async function listAuditLog(db: Db, q: string, cursor: string): Promise<AdminLogResponse> {
  const beforeId = idFromCursor(cursor);
  const found = await db
    .select({ entry: admin_log, email: users.email })
    .from(admin_log)
    .leftJoin(users, eq(users.id, admin_log.admin_id))
    .where(
      and(
        containsText(q, admin_log.action, admin_log.subject, admin_log.reason),
        beforeId === null ? undefined : lt(admin_log.id, beforeId),
      ),
    )
    .orderBy(desc(admin_log.id))
    .limit(PAGE_LIMIT);
  const { rows, nextCursor } = paginate(found, ({ entry }) => String(entry.id));
  return {
    entries: rows.map(({ entry, email }) => ({
      id: entry.id,
      at: new Date(entry.at).toISOString(),
      admin_id: entry.admin_id,
      admin_email: email ?? '',
      action: entry.action,
      subject: entry.subject,
      before: JSON.parse(entry.before),
      after: JSON.parse(entry.after),
      reason: entry.reason,
    })),
    next_cursor: nextCursor,
  };
}
