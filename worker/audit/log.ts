import { is, SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { admin_log } from '#worker/db/schema.ts';

/**
 * One write by an administrator: who, what, to which thing, from what to what. `at` in ms. `before` and `after` become
 * JSON; given as SQL they are expressions that give JSON text, read at the statement's place in its batch.
 */
export type LogEntry = {
  at: number;
  adminId: string;
  action: string;
  /** 'user:<id>', 'link:<code>', 'host:<host>', 'post:<id>', 'report:<id>', … */
  subject: string;
  before?: unknown;
  after?: unknown;
  reason?: string;
};

/**
 * The statement that records an admin's write. It belongs into the same batch as the write itself, so that neither
 * exists without the other; `when` is the write's own condition (the row is recorded only where it holds) and is read
 * at this statement's place in the batch.
 */
export function recordStatement(db: Db, entry: LogEntry, when: SQL = sql`1`): BatchItem<'sqlite'> & Exclude<Statement, SQL> {
  return db.insert(admin_log).select(
    sql`select null, ${entry.at}, ${entry.adminId}, ${entry.action}, ${entry.subject},
      ${json(entry.before)}, ${json(entry.after)}, ${entry.reason ?? ''} where ${when}`,
  );
}

const json = (value: unknown): SQL => (is(value, SQL) ? sql`coalesce(${value}, 'null')` : sql`${JSON.stringify(value ?? null)}`);
