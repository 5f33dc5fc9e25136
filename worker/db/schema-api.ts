import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Tables of the public API. Times are ms since 1970. */

/**
 * Keys of the public API. `secret_hash` is the SHA-256 of the secret. A rotated key keeps its row; `previous_hash` is the secret
 * before the rotation, which works until `previous_until`. Scopes are separated by spaces. A revoked key has no row.
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
  },
  (t) => [
    uniqueIndex('api_keys_by_secret').on(t.secret_hash),
    uniqueIndex('api_keys_by_previous')
      .on(t.previous_hash)
      .where(sql`${t.previous_hash} is not null`),
    index('api_keys_by_user').on(t.user_id, t.created_at),
  ],
);

/**
 * Requests of the public API with an Idempotency-Key. `attempt` names the request that works on it. `made` lists the links that
 * it has created, written in the batch that creates them: JSON from an item's index to a link's id. `answer` is the
 * stored answer as JSON; null while there is none.
 */
export const idempotent_requests = sqliteTable(
  'idempotent_requests',
  {
    user_id: text().notNull(),
    key: text().notNull(),
    request_hash: text().notNull(),
    attempt: text().notNull(),
    /** When another attempt may take over, should this one have died. */
    leased_until: integer().notNull(),
    made: text().notNull().default('{}'),
    answer: text(),
    expires_at: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.key] }), index('idempotent_requests_by_expires').on(t.expires_at)],
);
