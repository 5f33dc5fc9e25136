import { createHash } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { KEEP_REPEATABLE_REQUESTS_HOURS } from '#contract/limits.ts';
import { HOUR_MS } from '#contract/time.ts';
import { jsonRows, runBatch, runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { idempotent_requests } from '#worker/db/schema-api.ts';
import { hasKey, links } from '#worker/db/schema-links.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';

/**
 * Idempotent requests (Idempotency-Key, draft-ietf-httpapi-idempotency-key-header). The batch that
 * creates something also records it, and does nothing unless its attempt still holds the request.
 * So a repeated request creates nothing twice and loses nothing, wherever the previous attempt
 * failed.
 */

const KEEP_MS = KEEP_REPEATABLE_REQUESTS_HOURS * HOUR_MS;
/**
 * After this time another attempt may take over, and a slower request can no longer create
 * anything.
 */
const LEASE_MS = 15_000;

/** An idempotent request: its user, its key, and the hash of its content. */
export type RequestName = { userId: string; key: string; hash: string };

/**
 * Returns the storage key of an Idempotency-Key, which contains no spaces. Each API key has its own
 * keys, so that it can neither use up another's nor get its responses. A rotated API key keeps its
 * id.
 */
export const keyOfCaller = (keyId: string, key: string): string => `${keyId} ${key}`;

/** Keeps links from being inserted twice, in the batch that inserts them. */
export type InsertGuard = {
  /** True in SQL while the links may be inserted. */
  mayInsert: SQL;
  /**
   * Returns the statement that records new links if `when` is true in SQL, for the batch that
   * inserts them. `item` is a link's index in the request.
   */
  record: (newLinks: readonly { item: number; code: string }[], when: SQL) => Statement;
};

/** One attempt at a repeatable request. Links may be inserted while it holds the lease. */
type IdempotentRequest = InsertGuard & { name: RequestName; attempt: string };

export type StoredAnswer = { status: 200 | 201; location: string | null; body: unknown };

export type LeaseResult =
  /** `createdIds`: the ids of links from an earlier attempt, by their index in the request. */
  | { kind: 'run'; request: IdempotentRequest; createdIds: ReadonlyMap<number, number> }
  | { kind: 'answered'; answer: StoredAnswer }
  | { kind: 'other_request' }
  | { kind: 'in_progress' };

/**
 * The hash of the content of a request. Its passwords are keyed with `secret` (AUTH_SECRET):
 * somebody who reads the database knows the rest, and could guess them.
 */
export function hashRequest(secret: string, method: string, path: string, body: unknown): string {
  const text = JSON.stringify(body, (name, value: unknown) =>
    name === 'password' && typeof value === 'string'
      ? keyedHash(secret, 'repeated-password', value)
      : value,
  );
  return createHash('sha256').update(`${method} ${path}\n${text}`).digest('hex');
}

/**
 * Starts an attempt, or returns why there is nothing to do. It is one atomic batch, so that only
 * one of several concurrent requests runs.
 */
export async function leaseRequest(db: Db, name: RequestName, now: number): Promise<LeaseResult> {
  const { userId, key, hash } = name;
  const attempt = crypto.randomUUID();
  const isExpired = sql`expires_at <= ${now}`;
  const { stored } = await runNamedBatch(db, {
    claimed: sql`insert into ${idempotent_requests} (user_id, key, request_hash, attempt, leased_until, expires_at)
      values (${userId}, ${key}, ${hash}, ${attempt}, ${now + LEASE_MS}, ${now + KEEP_MS})
      on conflict (user_id, key) do update set
        request_hash = excluded.request_hash, attempt = excluded.attempt, leased_until = excluded.leased_until,
        made = iif(${isExpired}, '{}', made), answer = iif(${isExpired}, null, answer),
        expires_at = iif(${isExpired}, excluded.expires_at, expires_at)
      where ${isExpired} or (answer is null and leased_until <= ${now} and request_hash = excluded.request_hash)`,
    stored: sql<{ request_hash: string; attempt: string; made: string; answer: string | null }>`
      select request_hash, attempt, made, answer from ${idempotent_requests} where user_id = ${userId} and key = ${key}`,
  });
  const [row] = stored.rows;
  if (row?.attempt === attempt)
    return {
      kind: 'run',
      request: createIdempotentRequest(name, attempt),
      createdIds: parseCreatedIds(row.made),
    };
  if (row === undefined || row.request_hash !== hash) return { kind: 'other_request' };
  return row.answer === null
    ? { kind: 'in_progress' }
    : { kind: 'answered', answer: JSON.parse(row.answer) };
}

function createIdempotentRequest(name: RequestName, attempt: string): IdempotentRequest {
  const isThisAttempt = sql`user_id = ${name.userId} and key = ${name.key} and attempt = ${attempt}`;
  return {
    name,
    attempt,
    mayInsert: sql`exists (select 1 from ${idempotent_requests} where ${isThisAttempt})`,
    record: (newLinks, when) => sql`update ${idempotent_requests} set made = json_patch(made, (
        select json_group_object(item.place, link.id) from ${rowsOf(newLinks)} as item
        cross join ${links} as link on ${hasKey(sql`item.code`, 'link')}))
      where ${isThisAttempt} and ${when}`,
  };
}

const rowsOf = (newLinks: readonly { item: number; code: string }[]): SQL =>
  jsonRows(
    ['place', 'code'],
    newLinks.map(({ item, code }) => ({ place: String(item), code })),
  );

const parseCreatedIds = (json: string): ReadonlyMap<number, number> =>
  new Map(Object.entries(JSON.parse(json)).map(([item, id]) => [Number(item), Number(id)]));

/** Stores the response that every repetition of the request gets. */
export async function storeAnswer(
  db: Db,
  { name, attempt }: IdempotentRequest,
  answer: StoredAnswer,
): Promise<void> {
  await db.run(sql`update ${idempotent_requests} set answer = ${JSON.stringify(answer)}
    where user_id = ${name.userId} and key = ${name.key} and attempt = ${attempt}`);
}

/**
 * Ends a failed attempt. The next request with this key runs again and finds the links that this
 * attempt created.
 */
export async function releaseRequest(db: Db, { name, attempt }: IdempotentRequest): Promise<void> {
  const isThisAttempt = sql`user_id = ${name.userId} and key = ${name.key} and attempt = ${attempt} and answer is null`;
  await runBatch(db, [
    sql`delete from ${idempotent_requests} where ${isThisAttempt} and made = '{}'`,
    sql`update ${idempotent_requests} set leased_until = 0 where ${isThisAttempt}`,
  ]);
}
