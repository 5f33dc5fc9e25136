import { sql } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import type { JobBudget, JobResult } from '#worker/db/job-budget.ts';
import { webhook_deliveries } from '#worker/db/schema-api.ts';

/** A message of the queue: the attempt with this number (from 0) of a delivery. */
export type AttemptMessage = { v: 1; id: number; attempt: number };

/** Messages that a queue takes at a time. */
const PER_ROUND = 100;
/** Of a change: 1,000 links at once. The job does the rest. */
const ROUNDS = 10;
/** A delivery whose message has got lost, or whose consumer has died, is due again after this time. */
export const LEASE_MS = 5 * MINUTE_MS;

/**
 * Sends the deliveries that are due to the queue, the oldest first. A message that gets lost here or on its way is sent again
 * after `LEASE_MS`. One statement that reads nothing while nothing is due. Returns how many it sent.
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
      sql`update ${webhook_deliveries} set status = 'pending', due_at = ${now + LEASE_MS}
        where id in (select id from ${webhook_deliveries} where due_at <= ${now} order by due_at, id limit ${PER_ROUND})
        returning id, attempts`,
    );
    if (due.length > 0)
      await env.WEBHOOKS.sendBatch(
        due.map(({ id, attempts }) => ({ body: { v: 1, id, attempt: attempts } satisfies AttemptMessage })),
      );
    sent += due.length;
    if (due.length < PER_ROUND) break;
  }
  return sent;
}

/** True in SQL while a delivery is due. */
export const hasDueDeliveries = (now: number) => sql`exists (select 1 from ${webhook_deliveries} where due_at <= ${now})`;

/** The job: retries that are due, changes made by other jobs, and what no request has dispatched. */
export async function runWebhookDispatch(env: Pick<Env, 'DB' | 'WEBHOOKS'>, now: number, budget: JobBudget): Promise<JobResult> {
  const sent = await dispatchWebhooks(env, now, () => budget.canContinue());
  const [rest] = await openDb(env.DB).all<{ n: number; since: number }>(
    sql`select count(*) as n, min(due_at) as since from ${webhook_deliveries} where due_at <= ${now}`,
  );
  const { n: left = 0, since = now } = rest ?? {};
  return left === 0 ? `${sent} sent` : { detail: `${sent} sent, ${left} left`, left, since };
}
