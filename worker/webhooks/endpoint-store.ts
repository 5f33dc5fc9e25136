import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import { recordAction } from '#worker/audit/record-action.ts';
import { insertSelected, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { webhook_deliveries, webhook_endpoints } from '#worker/db/schema-api.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { NO_ADDRESS } from '#worker/events/webhook-json.ts';
import { users } from '#worker/db/schema-users.ts';

export type EndpointRow = typeof webhook_endpoints.$inferSelect;

const isOwn = (userId: string, id: string) =>
  and(eq(webhook_endpoints.id, id), eq(webhook_endpoints.user_id, userId));

const exists = (condition: SQL | undefined): SQL =>
  sql`exists (select 1 from ${webhook_endpoints} where ${condition})`;

export function listEndpoints(db: Db, userId: string): Promise<EndpointRow[]> {
  return db
    .select()
    .from(webhook_endpoints)
    .where(eq(webhook_endpoints.user_id, userId))
    .orderBy(desc(webhook_endpoints.created_at), desc(webhook_endpoints.id))
    .all();
}

export function findEndpoint(db: Db, userId: string, id: string): Promise<EndpointRow | undefined> {
  return db.select().from(webhook_endpoints).where(isOwn(userId, id)).get();
}

/** When a change is made, and the name of the API key that makes it; null for a session. */
export type ChangedBy = { now: number; keyName: string | null };

/**
 * Returns the audit entry of a change. It contains only the host of the URL, because the rest is
 * often a secret.
 */
const entryOf = (
  action: string,
  { id, user_id, url, events, disabled_at }: EndpointRow,
  { now, keyName }: ChangedBy,
) => ({
  at: now,
  adminId: user_id,
  action,
  after: {
    webhook: id,
    host: new URL(url).host,
    events,
    enabled: disabled_at === null,
    ...(keyName === null ? {} : { key: keyName }),
  },
});

/**
 * Inserts an endpoint and returns true, unless its owner no longer exists or has `limit` endpoints.
 */
export async function insertEndpoint(
  db: Db,
  row: EndpointRow,
  limit: number,
  by: ChangedBy,
): Promise<boolean> {
  const { inserted } = await runNamedBatch(db, {
    inserted: insertSelected(
      webhook_endpoints,
      row,
      sql`where exists (select 1 from ${users} where id = ${row.user_id})
        and (select count(*) from ${webhook_endpoints} where user_id = ${row.user_id}) < ${limit}`,
    ),
    record: recordAction(entryOf('create_webhook', row, by), exists(isOwn(row.user_id, row.id))),
  });
  return inserted.changes === 1;
}

/**
 * Writes the fields of `change` if the secret and the URL are still those of `before`. So the
 * second of two concurrent rotations fails instead of replacing a secret that nobody has seen, no
 * change restores a replaced URL, and a concurrent stop is kept. Returns whether it wrote.
 */
export async function updateEndpoint(
  db: Db,
  before: EndpointRow,
  change: Partial<Omit<EndpointRow, 'id' | 'user_id' | 'created_at'>>,
  action: 'change_webhook' | 'rotate_webhook',
  by: ChangedBy,
): Promise<boolean> {
  const { id, user_id, salt, url } = before;
  const asRead = and(
    isOwn(user_id, id),
    eq(webhook_endpoints.salt, salt),
    eq(webhook_endpoints.url, url),
  );
  const { updated } = await runNamedBatch(db, {
    record: recordAction(entryOf(action, { ...before, ...change }, by), exists(asRead)),
    updated: db.update(webhook_endpoints).set(change).where(asRead),
  });
  return updated.changes === 1;
}

/** How exactly it is known when the events of an endpoint without an address were last read. */
const READ_INTERVAL_MS = 10 * MINUTE_MS;

/** Records that the events of an endpoint without an address were read. */
export async function recordRead(db: Db, row: EndpointRow, now: number): Promise<void> {
  if (row.url !== NO_ADDRESS || (row.answered_at ?? 0) > now - READ_INTERVAL_MS) return;
  await db
    .update(webhook_endpoints)
    .set({ answered_at: now })
    .where(eq(webhook_endpoints.id, row.id));
}

/** Deletes an endpoint and its deliveries. Returns false if it is not this member's. */
export async function deleteEndpoint(
  db: Db,
  userId: string,
  id: string,
  by: ChangedBy,
): Promise<boolean> {
  const row = await findEndpoint(db, userId, id);
  if (row === undefined) return false;
  const { deleted } = await runNamedBatch(db, {
    record: recordAction(entryOf('delete_webhook', row, by), exists(isOwn(userId, id))),
    deleted: db.delete(webhook_endpoints).where(isOwn(userId, id)),
    deliveries: db.delete(webhook_deliveries).where(eq(webhook_deliveries.endpoint_id, id)),
  });
  return deleted.changes === 1;
}
