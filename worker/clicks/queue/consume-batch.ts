import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { observe } from '#worker/metrics/counters.ts';
import { openShards, type ShardEnv } from '#worker/db/shards.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { recordClicks } from '#worker/events/record-clicks.ts';
import { clickWindowSchema } from './click-window-schema.ts';
import { foldByShard } from './fold-by-shard.ts';
import { isDeadLetterQueue, recordQueue } from './record-queue.ts';
import { setAside } from './set-aside.ts';
import { storeFaults } from './store-faults.ts';
import { keepsWindows } from '#worker/clicks/fold/tables.ts';
import { windowDay } from '#worker/clicks/fold/window-ids.ts';

/**
 * From this delivery attempt on, windows are folded one by one, so that a window that D1 rejects
 * does not hold up the others.
 */
const FOLD_ALONE_FROM_ATTEMPT = 3;
/**
 * After this many failures in a row D1 is presumed down, and the rest of the batch waits for its
 * next delivery.
 */
const FAILURES_MAX = 3;
/** `max_retries` of the dead-letter queue in wrangler.toml. */
const DEAD_LETTER_RETRIES = 100;
/**
 * From this delivery attempt of the dead-letter queue on, about five minutes after the first, a
 * window that D1 rejects is set aside.
 */
const SET_ASIDE_FROM_ATTEMPT = 5;

type ReadableMessage = { message: Message; window: ClickWindow };

/**
 * Consumes a batch of the queues `clicks` and `clicks-dead`, and acknowledges or retries every
 * message. Messages that cannot be read, or are too old to tell whether they have been counted, are
 * stored as faults and acknowledged. Messages that D1 fails to count are retried with a growing
 * delay. The dead-letter queue retries them for days, unless D1 can set them aside.
 */
export async function consumeBatch(
  batch: MessageBatch,
  env: ShardEnv,
  now = Date.now(),
): Promise<void> {
  const db = openShards(env);
  const readable: ReadableMessage[] = [];
  const faults: { message: Message; reason: string; clicks: number }[] = [];
  for (const message of batch.messages) {
    const { data: window } = clickWindowSchema.safeParse(message.body);
    if (window === undefined) faults.push({ message, reason: 'unreadable', clicks: 0 });
    else if (isOutOfDate(window, now))
      faults.push({ message, reason: 'out of date', clicks: window.e.length });
    else readable.push({ message, window });
  }
  let retried = 0;
  for (const [reason, sameReason] of Map.groupBy(faults, (fault) => fault.reason)) {
    const messages = sameReason.map(({ message }) => message);
    const bodies = messages.map((message) => message.body);
    const isStored = await ackOrRetry(batch.queue, messages, () =>
      storeFaults(db, bodies, reason, now),
    );
    if (!isStored) retried += sameReason.length;
    const clicks = sameReason.reduce((sum, fault) => sum + fault.clicks, 0);
    if (isStored && clicks > 0) logLoss(batch.queue, clicks, reason);
  }
  const together = readable.filter(({ message }) => message.attempts < FOLD_ALONE_FROM_ATTEMPT);
  const alone = readable.filter(({ message }) => message.attempts >= FOLD_ALONE_FROM_ATTEMPT);
  const isFolded = await foldMessages(db, batch.queue, together, now);
  if (!isFolded) retried += together.length;
  let failures = isFolded ? 0 : 1;
  for (const single of alone) {
    const isUp = failures < FAILURES_MAX;
    if (!isUp) retry(batch.queue, single.message);
    const isCounted = isUp && (await foldMessages(db, batch.queue, [single], now));
    failures = isCounted ? 0 : failures + 1;
    if (!isCounted) retried += 1;
  }
  await recordQueue(db, batch, retried, now);
}

function logLoss(queue: string, clicks: number, error: string): void {
  logEvent('click_lost', { queue, clicks, error });
  observe('hop.clicks.lost', clicks);
}

/**
 * Whether a window cannot be counted safely. The ids of an old window's day are gone, so it may
 * have been counted before. A window from the future comes from a broken clock.
 */
const isOutOfDate = (window: ClickWindow, now: number): boolean =>
  !keepsWindows(windowDay(window), now) || window.e.some(({ t }) => t > now + DAY_MS);

function foldMessages(
  db: Db,
  queue: string,
  readable: readonly ReadableMessage[],
  now: number,
): Promise<boolean> {
  const messages = readable.map(({ message }) => message);
  const windows = readable.map(({ window }) => window);
  return ackOrRetry(queue, messages, async () => {
    const startedAt = Date.now();
    try {
      const { clicks } = await foldByShard(db, windows, now);
      observe('hop.fold.duration', Date.now() - startedAt, '');
      observe('hop.fold.clicks', clicks);
    } catch (error) {
      observe('hop.fold.duration', Date.now() - startedAt, 'error');
      const [first, ...others] = readable;
      const isLastResort =
        isDeadLetterQueue(queue) && (first?.message.attempts ?? 0) >= SET_ASIDE_FROM_ATTEMPT;
      if (!isLastResort || first === undefined || others.length > 0) throw error;
      if (!(await setAside(db, first.window, error, now))) throw error;
      return;
    }
    await recordClicks(db.$client, windows, now);
  });
}

/**
 * Runs `work`, then acknowledges the messages. Retries all of them and returns false when `work`
 * throws.
 */
async function ackOrRetry(
  queue: string,
  messages: readonly Message[],
  work: () => Promise<unknown>,
): Promise<boolean> {
  if (messages.length === 0) return true;
  try {
    await work();
  } catch (error) {
    logEvent('clicks_retried', {
      queue,
      messages: messages.length,
      ...errorFacts(error),
    });
    for (const message of messages) retry(queue, message);
    return false;
  }
  for (const message of messages) message.ack();
  return true;
}

/**
 * Requests another delivery. `clicks` gives up on a message after about half an hour, `clicks-dead`
 * after days. A message that fails there for the last time is logged as lost, because no queue
 * follows.
 */
function retry(queue: string, message: Message): void {
  const isDeadLetter = isDeadLetterQueue(queue);
  if (isDeadLetter && message.attempts > DEAD_LETTER_RETRIES) {
    const parsed = clickWindowSchema.safeParse(message.body);
    logLoss(queue, parsed.success ? parsed.data.e.length : 0, 'no deliveries left');
  }
  message.retry({
    delaySeconds: Math.min(isDeadLetter ? 3_600 : 300, 5 * 2 ** Math.min(message.attempts, 10)),
  });
}
