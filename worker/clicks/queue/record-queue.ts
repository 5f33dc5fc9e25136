import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { QUEUE, saveFact } from '#worker/db/system-facts.ts';
import { errorFacts, logEvent } from '#worker/log.ts';

/**
 * What the consumer last saw of a queue. `lagMs` is the age of the oldest message that was
 * delivered for the first time.
 */
export type QueueState = { lagMs: number; failed: number };

export const isDeadLetterQueue = (queue: string): boolean => queue.endsWith('-dead');

/** When this isolate last recorded each queue, in ms since 1970. */
const recordedAt = new Map<string, number>();

/**
 * Stores how late a batch came and how many of its messages failed: at most one row a minute for
 * each isolate and queue. Never throws.
 */
export async function recordQueue(
  db: Db,
  batch: MessageBatch,
  failed: number,
  now: number,
): Promise<void> {
  const [number = ''] = /-\d+$/.exec(batch.queue) ?? [];
  const name = `${QUEUE}${isDeadLetterQueue(batch.queue) ? 'dead' : `clicks${number}`}`;
  const last = recordedAt.get(name);
  // A clock that was set back must not stop the records.
  if (last !== undefined && now >= last && now - last < MINUTE_MS) return;
  recordedAt.set(name, now);
  const sentAt = batch.messages
    .filter(({ attempts }) => attempts === 1)
    .map(({ timestamp }) => timestamp.getTime());
  const state: QueueState = { lagMs: Math.max(0, now - Math.min(now, ...sentAt)), failed };
  try {
    await saveFact(db, { name, at: now, value: JSON.stringify(state) });
  } catch (error) {
    logEvent('queue_not_recorded', errorFacts(error));
  }
}
