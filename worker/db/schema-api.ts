import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';

/** Tables of the public API. Times are ms since 1970. */

/**
 * Keys of the public API. `secret_hash` is the SHA-256 of the secret. A rotated key keeps its row;
 * `previous_hash` is the secret before the rotation, which works until `previous_until`. Scopes are
 * separated by spaces. A revoked key has no row.
 *
 * The key of a connected app has `app_host`, the host that the consent page sent its code to. Until
 * the app redeems the code, `secret_hash` is the hash of the code, `code_binding` says who may
 * redeem it, and the row is deleted after `code_until`. Afterwards `previous_hash` is the hash of
 * the code.
 */
export const api_keys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    name: text().notNull(),
    scopes: text().notNull(),
    code_prefix: text().notNull().default(''),
    prefix: text().notNull(),
    secret_hash: text().notNull(),
    previous_hash: text(),
    previous_until: integer(),
    created_at: integer().notNull(),
    expires_at: integer(),
    last_used_at: integer(),
    app_host: text(),
    code_binding: text(),
    code_until: integer(),
  },
  (t) => [
    index('api_keys_by_code_until')
      .on(t.code_until)
      .where(sql`${t.code_until} is not null`),
    uniqueIndex('api_keys_by_secret').on(t.secret_hash),
    uniqueIndex('api_keys_by_previous')
      .on(t.previous_hash)
      .where(sql`${t.previous_hash} is not null`),
    index('api_keys_by_user').on(t.user_id, t.created_at),
  ],
);

/**
 * Requests of the public API with an Idempotency-Key. `key` is the id of the API key, a space and
 * the Idempotency-Key. `attempt` names the request that processes it. `made` lists the links that
 * it has created, written in the batch that creates them: JSON from an item's index to a link's id.
 * `answer` is the response as JSON; null until there is one.
 */
export const idempotent_requests = sqliteTable(
  'idempotent_requests',
  {
    user_id: text().notNull(),
    key: text().notNull(),
    request_hash: text().notNull(),
    attempt: text().notNull(),
    /** When another attempt may take over, because this one has died. */
    leased_until: integer().notNull(),
    made: text().notNull().default('{}'),
    answer: text(),
    expires_at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.key] }),
    index('idempotent_requests_by_expires').on(t.expires_at),
  ],
);

/**
 * Addresses that get signed requests about their owner's links. A secret is derived from its salt
 * and AUTH_SECRET, so none is stored. The previous secret signs as well until `previous_until`.
 * `events` are separated by spaces. `tag` is the name of a tag: only links with it cause events; ''
 * for all links. An endpoint with `disabled_at` gets nothing. `failing_since` is the first failure
 * since the last success.
 */
export const webhook_endpoints = sqliteTable(
  'webhook_endpoints',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    url: text().notNull(),
    description: text().notNull().default(''),
    events: text().notNull(),
    tag: text().notNull().default(''),
    salt: text().notNull(),
    previous_salt: text(),
    previous_until: integer(),
    created_at: integer().notNull(),
    disabled_at: integer(),
    disabled_by: text({ enum: ['owner', 'gone', 'failing'] }),
    failing_since: integer(),
    /**
     * When it first accepted an event at its present address; null until then. Without an address,
     * when its events were last read, to ten minutes.
     */
    answered_at: integer(),
  },
  (t) => [
    index('webhook_endpoints_by_user').on(t.user_id, t.created_at),
    index('webhook_endpoints_for_clicks')
      .on(t.user_id)
      .where(sql`instr(${t.events}, 'link.clicked') > 0 and ${t.disabled_at} is null`),
  ],
);

/**
 * One event for one endpoint, and its delivery. It is written in the batch of the change, if an
 * endpoint subscribes to the event. `data` is the link at that time, as JSON. A row is due at
 * `due_at`; null means done. Clicks on a link are added to its row with status 'collecting', until
 * the row is sent.
 */
export const webhook_deliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    endpoint_id: text().notNull(),
    message_id: text().notNull(),
    link_id: integer(),
    type: text().notNull(),
    sequence: integer().notNull(),
    data: text().notNull(),
    status: text({ enum: ['collecting', 'pending', 'delivered', 'failed'] }).notNull(),
    attempts: integer().notNull().default(0),
    due_at: integer(),
    /** Until when its message is presumed to be in the queue; null if it is not. */
    queued_until: integer(),
    created_at: integer().notNull(),
    response_status: integer(),
    response_text: text(),
    duration_ms: integer(),
    error: text(),
  },
  (t) => [
    index('webhook_deliveries_by_endpoint').on(t.endpoint_id, t.id),
    index('webhook_deliveries_due')
      .on(t.due_at)
      .where(sql`${t.due_at} is not null`),
    // The first due deliveries of each endpoint, without reading all that wait after them
    // (events/dispatch.ts).
    index('webhook_deliveries_in_line')
      .on(t.endpoint_id, t.due_at)
      .where(sql`${t.due_at} is not null`),
    index('webhook_deliveries_queued')
      .on(t.queued_until, t.endpoint_id)
      .where(sql`${t.queued_until} is not null`),
    index('webhook_deliveries_by_created').on(t.created_at),
    uniqueIndex('webhook_deliveries_collecting')
      .on(t.endpoint_id, t.link_id)
      .where(sql`${t.status} = 'collecting'`),
  ],
);

/**
 * Click windows that have been added to deliveries, so that a window that the queue delivers again
 * adds nothing.
 */
export const webhook_click_windows = sqliteTable(
  'webhook_click_windows',
  { id: text().primaryKey(), attempt: text().notNull(), seen_at: integer().notNull() },
  (t) => [index('webhook_click_windows_by_seen').on(t.seen_at)],
);
