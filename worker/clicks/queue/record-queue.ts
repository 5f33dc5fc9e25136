import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { addRecent } from '#worker/db/recent-counts.ts';
import { BUSY, QUEUE, saveFact } from '#worker/db/system-facts.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { busyDatabases, observe } from '#worker/metrics/counters.ts';

/**
 * What the consumer last saw of a queue. `lagMs` is the age of the oldest message that was
 * delivered for the first time.
 */
export type QueueState = { lagMs: number; failed: number };

export const isDeadLetterQueue = (queue: string): boolean => queue.endsWith('-dead');

/** When this isolate last recorded each queue, in ms since 1970. */
const recordedAt = new Map<string, number>();
/** When `busyDatabases` was last read, in ms since 1970, and what it returned. */
let busyBefore = { at: 0, databases: busyDatabases() };

/** A smaller share of the time is not stored, because it is far from what one writer can do. */
const BUSY_SHARE_MIN = 0.1;

/**
 * Stores how late a batch came and how many of its messages failed, at most once a minute for each
 * isolate and queue. Also stores for how long this isolate has occupied each database, if that was
 * more than a tenth of the time. Never throws.
 */
export async function recordQueue(
  db: Db,
  batch: MessageBatch,
  failed: number,
  now: number,
): Promise<void> {
  const [number = ''] = /-\d+$/.exec(batch.queue) ?? [];
  const queue = isDeadLetterQueue(batch.queue) ? 'dead' : `clicks${number}`;
  const sentAt = batch.messages
    .filter(({ attempts }) => attempts === 1)
    .map(({ timestamp }) => timestamp.getTime());
  const state: QueueState = { lagMs: Math.max(0, now - Math.min(now, ...sentAt)), failed };
  observe('hop.queue.lag', state.lagMs, queue);
  const name = QUEUE + queue;
  const last = recordedAt.get(name);
  // A clock that was set back must not stop the records.
  if (last !== undefined && now >= last && now - last < MINUTE_MS) return;
  recordedAt.set(name, now);
  try {
    await saveFact(db, { name, at: now, value: JSON.stringify(state) });
    await recordBusyDatabases(db, now);
  } catch (error) {
    logEvent('queue_not_recorded', errorFacts(error));
  }
}

async function recordBusyDatabases(db: Db, now: number): Promise<void> {
  const { at, databases: before } = busyBefore;
  const elapsedMs = now - at;
  // A time before the last one means that the clock was set back.
  if (elapsedMs >= 0 && elapsedMs < MINUTE_MS) return;
  busyBefore = { at: now, databases: busyDatabases() };
  if (at === 0 || elapsedMs < 0) return;
  for (const [database, ms] of busyBefore.databases) {
    const busyMs = Math.round(ms - (before.get(database) ?? 0));
    if (busyMs >= elapsedMs * BUSY_SHARE_MIN)
      await addRecent(db, `${BUSY}${database}`, { ms: busyMs }, now);
  }
}
