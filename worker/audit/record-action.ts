import { is, SQL, sql } from 'drizzle-orm';
import { insertSelected } from '#worker/db/batch.ts';
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
  /** 'user:<id>', 'link:<code>', 'host:<host>', 'post:<id>', …; without it, who acts. */
  subject?: string | SQL;
  before?: unknown;
  after?: unknown;
  reason?: string;
};

/**
 * Returns the statement that writes an audit entry. Put it into the batch of the action itself, so
 * that neither is stored without the other. Nothing is written unless `when` is true at the
 * statement's place in the batch.
 */
export const recordAction = (
  { adminId, subject = `user:${adminId}`, before, after, reason = '', ...entry }: AuditEntry,
  when = sql`1`,
): SQL =>
  insertSelected(
    admin_log,
    {
      ...entry,
      admin_id: adminId,
      subject,
      before: json(before),
      after: json(after),
      reason: withReferences(reason),
    },
    sql`where ${when}`,
  );

const json = (value: unknown): SQL =>
  is(value, SQL) ? sql`coalesce(${value}, 'null')` : sql`${JSON.stringify(value ?? null)}`;
