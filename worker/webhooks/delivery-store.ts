import { dayNumber } from '#contract/reports/periods.ts';
import { sql, type SQL } from 'drizzle-orm';
import { PLANS } from '#contract/site.ts';
import { DAY_MS } from '#contract/time.ts';
import { jsonRows, runBatch, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { webhook_deliveries, webhook_endpoints } from '#worker/db/schema-api.ts';
import { counters } from '#worker/db/schema-system.ts';
import { subscriptions, users } from '#worker/db/schema-users.ts';
import { accountCounter } from '#worker/plans/account-counters.ts';
import { isDowngradeDue } from '#worker/plans/plan-at.ts';
import { LEASE_MS, type AttemptMessage } from '#worker/events/dispatch.ts';
import type { StoredEvent } from './event-body.ts';
import type { SecretSalts } from './sign.ts';

/** A delivery whose attempt this process makes, with its endpoint and its owner's plan. */
export type ClaimedDelivery = StoredEvent &
  Omit<SecretSalts, 'id'> & {
    id: number;
    message_id: string;
    /** Includes this attempt. */
    attempts: number;
    url: string;
    disabled_at: number | null;
    failing_since: number | null;
    /** Null while the endpoint has never accepted an event. */
    answered_at: number | null;
    user_id: string;
    email: string;
    plan: 'free' | 'premium';
  };

/**
 * The result of an attempt. `dueAt` is when the next attempt is due, in ms. `disables` is why the
 * endpoint gets no more events.
 */
export type Outcome = {
  delivery: ClaimedDelivery;
  status: 'pending' | 'delivered' | 'failed';
  response: { status: number; text: string } | null;
  durationMs: number | null;
  error: string | null;
  dueAt: number | null;
  disables: 'gone' | 'failing' | null;
};

/**
 * Claims the attempts that no other process has claimed. A message that is delivered twice claims
 * nothing the second time.
 */
export async function claimAttempts(
  db: Db,
  messages: readonly Pick<AttemptMessage, 'id' | 'attempt'>[],
  now: number,
): Promise<ClaimedDelivery[]> {
  const requested = jsonRows(['id', 'attempt'], messages);
  const { claimed, rows } = await runNamedBatch(db, {
    claimed: sql<{
      id: number;
    }>`update ${webhook_deliveries} set attempts = attempts + 1, due_at = ${now + LEASE_MS}, queued_until = ${now + LEASE_MS}
      where status = 'pending' and (id, attempts) in (select id, attempt from ${requested}) returning id`,
    rows: sql<ClaimedDelivery>`select d.id, d.endpoint_id, d.message_id, d.type, d.link_id, d.sequence, d.data, d.created_at, d.attempts,
        e.url, e.salt, e.previous_salt, e.previous_until, e.disabled_at, e.failing_since, e.answered_at, e.user_id,
        coalesce((select email from ${users} where id = e.user_id), '') as email,
        coalesce((select iif(${isDowngradeDue(now)}, 'free', plan) from ${subscriptions} where user_id = e.user_id), 'free') as plan
      from ${webhook_deliveries} as d join ${webhook_endpoints} as e on e.id = d.endpoint_id
      where d.id in (select id from ${requested})`,
  });
  const claimedIds = new Set(claimed.rows.map(({ id }) => id));
  return rows.rows.filter(({ id }) => claimedIds.has(id));
}

/**
 * Counts repeated attempts against their owners' daily limit (UTC), which equals the limit for
 * deliveries. Returns the limit for each attempt that exceeds it, by the delivery's id.
 */
export async function countRetries(
  db: Db,
  claimed: readonly ClaimedDelivery[],
  now: number,
): Promise<Map<number, number>> {
  const groups = [
    ...Map.groupBy(
      claimed.filter(({ attempts }) => attempts > 1),
      ({ user_id }) => user_id,
    ),
  ];
  if (groups.length === 0) return new Map();
  const counts = await runBatch(
    db,
    groups.map(
      ([userId, deliveries]) => sql`insert into ${counters} (key, count, expires_at)
        values (${accountCounter('webhook-retries', userId, now)}, ${deliveries.length}, ${(dayNumber(now) + 1) * DAY_MS})
        on conflict (key) do update set count = count + excluded.count returning count`,
    ),
  );
  const overLimit = new Map<number, number>();
  for (const [index, [, deliveries]] of groups.entries()) {
    const before = Number(counts[index]?.[0]?.['count'] ?? 0) - deliveries.length;
    for (const [at, { id, plan }] of deliveries.entries()) {
      const limit = PLANS[plan].webhookDeliveries;
      if (before + at >= limit) overLimit.set(id, limit);
    }
  }
  return overLimit;
}

/**
 * Stores the outcomes of attempts in one batch. An outcome does not change its delivery once a
 * later attempt has started. Returns the outcomes that disabled their endpoint, which must still be
 * enabled and have the same URL.
 */
export async function storeOutcomes(
  db: Db,
  outcomes: readonly Outcome[],
  now: number,
): Promise<Outcome[]> {
  if (outcomes.length === 0) return [];
  const writes = outcomes.flatMap((outcome) => {
    const { delivery, status, response, durationMs, error, dueAt, disables } = outcome;
    const stored = sql`update ${webhook_deliveries} set status = ${status}, due_at = ${dueAt}, queued_until = null, error = ${error},
        response_status = ${response?.status ?? null}, response_text = ${response?.text ?? null}, duration_ms = ${durationMs}
      where id = ${delivery.id} and attempts = ${delivery.attempts} and status = 'pending'`;
    const endpoint = durationMs === null ? [] : [updateEndpoint(delivery, error, disables, now)];
    return [stored, ...endpoint].map((statement) => ({ statement, outcome }));
  });
  const rows = await runBatch(
    db,
    writes.map(({ statement }) => statement),
  );
  return writes.flatMap(({ outcome }, at) => (rows[at]?.length ? [outcome] : []));
}

/**
 * Writes only if something changes, because most attempts succeed at an endpoint that works. A
 * response from a former URL says nothing about the current one. Returns a row only if it disables
 * the endpoint.
 */
function updateEndpoint(
  { endpoint_id, url }: ClaimedDelivery,
  error: string | null,
  disables: Outcome['disables'],
  now: number,
): SQL {
  const isEndpoint = sql`id = ${endpoint_id} and url = ${url}`;
  if (error === null)
    return sql`update ${webhook_endpoints} set failing_since = null, answered_at = coalesce(answered_at, ${now})
      where ${isEndpoint} and (failing_since is not null or answered_at is null)`;
  if (disables === null)
    return sql`update ${webhook_endpoints} set failing_since = ${now} where ${isEndpoint} and failing_since is null`;
  return sql`update ${webhook_endpoints} set failing_since = coalesce(failing_since, ${now}), disabled_at = ${now}, disabled_by = ${disables}
    where ${isEndpoint} and disabled_at is null returning id`;
}
