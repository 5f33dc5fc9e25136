import { sql, type SQL } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { webhook_deliveries, webhook_endpoints } from '#worker/db/schema-api.ts';

/** A queue message: make the attempt with this number (from 0) of a delivery. */
export type AttemptMessage = { v: 1; id: number; attempt: number };

/** How many messages one call sends to the queue: the platform's limit. */
const PER_ROUND = 100;
/** A change of up to 1,000 links fits into these rounds. The job dispatches the rest. */
const ROUNDS = 10;
/** A delivery is due again after this time if its message was lost or its consumer died. */
export const LEASE_MS = 5 * MINUTE_MS;

/**
 * How many messages may be in flight: for a working endpoint, for one that fails or has never
 * accepted an event, and for an account. All accounts share one queue, so an endpoint that hangs
 * must not fill it.
 */
const ENDPOINT_WINDOW = 10;
const UNANSWERED_WINDOW = 2;
const ACCOUNT_WINDOW = 10;

export const hasDueDeliveries = (now: number) =>
  sql`exists (select 1 from ${webhook_deliveries} where due_at <= ${now})`;

/**
 * Returns a query for the ids of the deliveries to send next, taking turns between accounts. An
 * endpoint can have 20,000 waiting deliveries, so the query reads only the first due ones of each
 * endpoint and those in flight.
 */
const sendable = (now: number): SQL => sql`with recursive under_way as (
    select endpoint_id, count(*) as n from ${webhook_deliveries} where queued_until > ${now} group by +endpoint_id
  ), of_account as (
    select e.user_id, sum(under_way.n) as n from under_way cross join ${webhook_endpoints} as e on e.id = under_way.endpoint_id group by e.user_id
  ), lines(endpoint_id) as (
    select (select min(endpoint_id) from ${webhook_deliveries} where due_at is not null) where ${hasDueDeliveries(now)}
    union all select (select min(endpoint_id) from ${webhook_deliveries} where due_at is not null and endpoint_id > lines.endpoint_id)
      from lines where lines.endpoint_id is not null
  ), due as (
    select d.id, d.due_at, d.endpoint_id, e.user_id,
      iif(e.answered_at is not null and e.failing_since is null, ${ENDPOINT_WINDOW}, ${UNANSWERED_WINDOW}) as room,
      row_number() over (partition by d.endpoint_id order by d.due_at, d.id) as place
    from lines cross join ${webhook_endpoints} as e on e.id = lines.endpoint_id
    cross join ${webhook_deliveries} as d on d.id in (select id from ${webhook_deliveries} as first
      where first.endpoint_id = e.id and first.due_at <= ${now} order by first.due_at, first.id limit ${ENDPOINT_WINDOW})
  ), open as (
    select due.id, due.due_at, due.user_id, row_number() over (partition by due.user_id order by due.due_at, due.id) as turn
    from due left join under_way on under_way.endpoint_id = due.endpoint_id where due.place + coalesce(under_way.n, 0) <= due.room
  )
  select open.id from open left join of_account on of_account.user_id = open.user_id
  where open.turn + coalesce(of_account.n, 0) <= ${ACCOUNT_WINDOW} order by open.turn, open.due_at, open.id limit ${PER_ROUND}`;

/**
 * Sends due deliveries to the queue, those due longest of each account first, up to the limits of
 * messages in flight. A lost message is sent again after `LEASE_MS`. Reads no rows while nothing is
 * due. Returns how many it sent.
 */
export async function dispatchWebhooks(
  env: Pick<Env, 'DB' | 'WEBHOOKS'>,
  now: number,
  canContinue: (round: number) => boolean = (round) => round < ROUNDS,
): Promise<number> {
  const db = openDb(env.DB);
  let sent = 0;
  for (let round = 0; canContinue(round); round += 1) {
    const due = await db.all<{ id: number; attempts: number }>(
      sql`update ${webhook_deliveries} set status = 'pending', due_at = ${now + LEASE_MS}, queued_until = ${now + LEASE_MS}
        where id in (${sendable(now)}) returning id, attempts`,
    );
    if (due.length > 0)
      await env.WEBHOOKS.sendBatch(
        due.map(({ id, attempts }) => ({
          body: { v: 1, id, attempt: attempts } satisfies AttemptMessage,
        })),
      );
    sent += due.length;
    if (due.length < PER_ROUND) break;
  }
  return sent;
}

/**
 * The job that sends due retries, events of changes by other jobs, and events that their request
 * did not dispatch. Deliveries that wait for earlier ones of the same endpoint do not count as
 * left, because the consumer dispatches them.
 */
export async function runWebhookDispatch(
  env: Pick<Env, 'DB' | 'WEBHOOKS'>,
  now: number,
  budget: JobBudget,
): Promise<JobResult> {
  const sent = await dispatchWebhooks(env, now, () => budget.canContinue());
  const [rest] = await openDb(env.DB).all<{ n: number; since: number }>(
    sql`select count(*) as n, min(due_at) as since from ${webhook_deliveries} where id in (${sendable(now)})`,
  );
  const { n: left = 0, since = now } = rest ?? {};
  return { done: { deliveries_sent: sent }, left, since };
}
