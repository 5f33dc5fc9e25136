import { openDb } from '#worker/db/client.ts';
import { logEvent } from '#worker/log.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { recordClicks } from '#worker/webhooks/record-clicks.ts';
import { clickWindowSchema } from './click-window-schema.ts';
import { foldWindows } from './fold-windows.ts';
import { storeFaults } from './store-faults.ts';

/** From this delivery attempt on, windows are folded one by one, so that one that D1 rejects does not hold up the others. */
const FOLD_ALONE_FROM_ATTEMPT = 3;
/** After this many failures in a row D1 is presumed down, and the rest of the batch waits for its next delivery. */
const FAILURES_MAX = 3;
/** `max_retries` of the dead-letter queue in wrangler.toml. */
const DEAD_LETTER_RETRIES = 100;

type ReadableMessage = { message: Message; window: ClickWindow };

/**
 * Consumes a batch of the queues `clicks` and `clicks-dead`. Every message is either acknowledged or retried. Messages
 * that cannot be read are stored as faults and acknowledged. Messages that D1 fails to count are retried with a growing
 * delay, and from the dead-letter queue for days.
 */
export async function consumeBatch(batch: MessageBatch, env: Pick<Env, 'DB'>, now = Date.now()): Promise<void> {
  const readable: ReadableMessage[] = [];
  const unreadable: Message[] = [];
  for (const message of batch.messages) {
    const parsed = clickWindowSchema.safeParse(message.body);
    if (parsed.success) readable.push({ message, window: parsed.data });
    else unreadable.push(message);
  }
  await ackOrRetry(batch.queue, unreadable, () => {
    const bodies = unreadable.map((message) => message.body);
    return storeFaults(openDb(env.DB), bodies, 'unreadable', now);
  });
  const together = readable.filter(({ message }) => message.attempts < FOLD_ALONE_FROM_ATTEMPT);
  const alone = readable.filter(({ message }) => message.attempts >= FOLD_ALONE_FROM_ATTEMPT);
  let failures = (await foldMessages(env.DB, batch.queue, together, now)) ? 0 : 1;
  for (const one of alone) {
    if (failures >= FAILURES_MAX) retry(batch.queue, one.message);
    else failures = (await foldMessages(env.DB, batch.queue, [one], now)) ? 0 : failures + 1;
  }
}

function foldMessages(db: D1Database, queue: string, readable: readonly ReadableMessage[], now: number): Promise<boolean> {
  const messages = readable.map(({ message }) => message);
  const windows = readable.map(({ window }) => window);
  return ackOrRetry(queue, messages, async () => {
    await foldWindows(db, windows, now);
    await recordClicks(db, windows, now);
  });
}

/** Runs `work`, then acknowledges the messages. Retries all of them and returns false when `work` throws. */
async function ackOrRetry(queue: string, messages: readonly Message[], work: () => Promise<unknown>): Promise<boolean> {
  if (messages.length === 0) return true;
  try {
    await work();
  } catch (error) {
    logEvent('clicks_retried', {
      queue,
      messages: messages.length,
      error: error instanceof Error ? error.message : String(error),
    });
    for (const message of messages) retry(queue, message);
    return false;
  }
  for (const message of messages) message.ack();
  return true;
}

/**
 * Requests another delivery. `clicks` gives up on a message after about half an hour, `clicks-dead` after days. Nothing
 * comes after the dead-letter queue, so a message that fails there for the last time is logged as lost.
 */
function retry(queue: string, message: Message): void {
  const isDeadLetter = queue.endsWith('-dead');
  if (isDeadLetter && message.attempts > DEAD_LETTER_RETRIES) {
    const parsed = clickWindowSchema.safeParse(message.body);
    logEvent('click_lost', { queue, clicks: parsed.success ? parsed.data.e.length : 0, error: 'no deliveries left' });
  }
  message.retry({ delaySeconds: Math.min(isDeadLetter ? 3_600 : 300, 5 * 2 ** Math.min(message.attempts, 10)) });
}
