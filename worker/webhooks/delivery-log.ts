import { and, desc, eq, lt, ne, sql } from 'drizzle-orm';
import { type DeliveriesResponse, type WebhookDelivery } from '#contract/webhooks/webhooks.ts';
import { TEST_EVENT, WEBHOOK_EVENTS } from '#contract/webhooks/webhook-events.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { PAGE_LIMIT, paginate } from '#worker/db/paginate.ts';
import { nameDomains } from '#worker/db/domain-names.ts';
import { readLinkIds } from '#worker/db/link-ids.ts';
import { webhook_deliveries } from '#worker/db/schema-api.ts';
import type { Origins } from '#worker/http/origins.ts';
import type { LinkReader } from '#worker/links/read/link-json.ts';
import { takeOne } from '#worker/events/delivery-allowance.ts';
import { LEASE_MS } from '#worker/events/dispatch.ts';
import { eventBody, keyOf } from './event-body.ts';
import { newMessageId } from '#worker/events/record-link-events.ts';

type Row = typeof webhook_deliveries.$inferSelect;

/**
 * Returns the deliveries of an endpoint with lower ids than `before`, newest first. The caller has
 * checked the owner of the endpoint.
 */
export async function listDeliveries(
  db: Db,
  endpointId: string,
  before: number | null,
  origins: Origins,
): Promise<DeliveriesResponse> {
  const found = await db
    .select()
    .from(webhook_deliveries)
    .where(
      and(
        eq(webhook_deliveries.endpoint_id, endpointId),
        // Clicks that are still being collected are not a delivery yet.
        ne(webhook_deliveries.status, 'collecting'),
        before === null ? undefined : lt(webhook_deliveries.id, before),
      ),
    )
    .orderBy(desc(webhook_deliveries.id))
    .limit(PAGE_LIMIT)
    .all();
  const { rows, nextCursor } = paginate(found, ({ id }) => String(id));
  const named = await nameDomains(db, origins, rows.flatMap(keyOf));
  const reader = { origins: named, linkIds: await readLinkIds(db) };
  return { deliveries: rows.map((row) => toDelivery(row, reader)), nextCursor };
}

/**
 * Returns the id of the delivery with this message id; null if the log of the endpoint has none.
 * It reads the log, of which `delete-old-deliveries.ts` limits the length.
 */
export async function findDelivery(
  db: Db,
  endpointId: string,
  messageId: string,
): Promise<number | null> {
  const isWanted = and(
    eq(webhook_deliveries.endpoint_id, endpointId),
    eq(webhook_deliveries.message_id, messageId),
  );
  const row = await db
    .select({ id: webhook_deliveries.id })
    .from(webhook_deliveries)
    .where(isWanted)
    .get();
  return row?.id ?? null;
}

export async function readDelivery(
  db: Db,
  endpointId: string,
  id: number,
  origins: Origins,
): Promise<WebhookDelivery | null> {
  const isOwn = and(eq(webhook_deliveries.id, id), eq(webhook_deliveries.endpoint_id, endpointId));
  const row = await db.select().from(webhook_deliveries).where(isOwn).get();
  if (row === undefined) return null;
  const named = await nameDomains(db, origins, keyOf(row));
  return toDelivery(row, { origins: named, linkIds: await readLinkIds(db) });
}

/**
 * Inserts a test event for an endpoint. Returns its id, or null if the daily limit is reached. The
 * caller makes the attempt.
 */
export async function insertTestDelivery(
  db: Db,
  endpointId: string,
  now: number,
): Promise<number | null> {
  const { statements, isCharged } = takeOne(endpointId, now, sql`true`);
  const { inserted } = await runNamedBatch(db, {
    counted: statements,
    inserted: sql<{ id: number }>`insert into ${webhook_deliveries}
        (endpoint_id, message_id, type, sequence, data, status, due_at, created_at)
      select ${endpointId}, ${newMessageId}, ${TEST_EVENT}, 0, '{}', 'pending', ${now + LEASE_MS}, ${now}
      where ${isCharged} returning id`,
  });
  return inserted.rows[0]?.id ?? null;
}

/**
 * Restarts a delivery with all its attempts. Returns 'no_room' if the daily limit is reached, and
 * 'waiting' if the delivery waits for an attempt or belongs to another endpoint.
 */
export async function restartDelivery(
  db: Db,
  endpointId: string,
  id: number,
  now: number,
): Promise<'restarted' | 'no_room' | 'waiting'> {
  const isDone = sql`id = ${id} and endpoint_id = ${endpointId} and status in ('delivered', 'failed')`;
  const { statements, isCharged } = takeOne(
    endpointId,
    now,
    sql`exists (select 1 from ${webhook_deliveries} where ${isDone})`,
  );
  const { known, restarted } = await runNamedBatch(db, {
    known: sql`select 1 from ${webhook_deliveries} where ${isDone}`,
    counted: statements,
    restarted: sql`update ${webhook_deliveries} set status = 'pending', attempts = 0, due_at = ${now + LEASE_MS}
      where ${isDone} and ${isCharged}`,
  });
  if (restarted.changes === 1) return 'restarted';
  return known.rows.length > 0 ? 'no_room' : 'waiting';
}

const typeOf = (type: string): WebhookDelivery['type'] =>
  WEBHOOK_EVENTS.find((known) => known === type) ?? TEST_EVENT;

function toDelivery(row: Row, reader: LinkReader): WebhookDelivery {
  const { id, status, attempts, error } = row;
  const response = {
    status: row.response_status ?? 0,
    text: row.response_text ?? '',
    durationMs: row.duration_ms ?? 0,
  };
  return {
    id,
    messageId: row.message_id,
    type: typeOf(row.type),
    status: status === 'collecting' || status === 'pending' ? 'waiting' : status,
    createdAt: new Date(row.created_at).toISOString(),
    attempts,
    nextAttemptAt: row.due_at === null ? null : new Date(row.due_at).toISOString(),
    response: row.response_status === null ? null : response,
    error,
    body: eventBody(row, reader),
  };
}
