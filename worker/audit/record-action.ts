import { is, SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { withReferences } from './address-references.ts';

/**
 * One action of an administrator. `at` is in ms since 1970. `before` and `after` are stored as
 * JSON. If they are SQL, they return JSON text. SQL is evaluated at the statement's place in its
 * batch. They contain no person's address; addresses in `reason` are stored as references.
 */
export type AuditEntry = {
  at: number;
  adminId: string;
  action: string;
  /** 'user:<id>', 'link:<code>', 'host:<host>', 'post:<id>', 'report:<id>', … */
  subject: string | SQL;
  before?: unknown;
  after?: unknown;
  reason?: string;
};

/**
 * Returns the statement that writes an audit entry. Put it into the batch of the action itself, so
 * that neither is stored without the other. Nothing is written unless `when` is true at the
 * statement's place in the batch.
 */
export function recordAction(
  db: Db,
  entry: AuditEntry,
  when: SQL = sql`1`,
): BatchItem<'sqlite'> & Exclude<Statement, SQL> {
  const value = (content: unknown) => sql<string>`${content}`;
  return db.insert(admin_log).select(
    db
      .select({
        id: sql<null>`null`.as('id'),
        at: sql<number>`${entry.at}`.as('at'),
        admin_id: value(entry.adminId).as('admin_id'),
        action: value(entry.action).as('action'),
        subject: value(entry.subject).as('subject'),
        before: value(json(entry.before)).as('before'),
        after: value(json(entry.after)).as('after'),
        reason: value(withReferences(entry.reason ?? '')).as('reason'),
      })
      .from(sql`(select 1)`)
      .where(when),
  );
}

const json = (value: unknown): SQL =>
  is(value, SQL) ? sql`coalesce(${value}, 'null')` : sql`${JSON.stringify(value ?? null)}`;
