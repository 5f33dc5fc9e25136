import { logEvent } from '#worker/log.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { aggregateWindow, type WindowRows } from './aggregate-window.ts';
import { createUserAgentParser } from './user-agent.ts';
import { storeFaults } from './store-faults.ts';
import { clickWindowSchema } from './click-window-schema.ts';
import { foldRows, splitIntoParts, type FoldResult } from './store.ts';

/** From this delivery on windows are counted one by one, so that one that D1 refuses cannot hold up the others. */
const ALONE_FROM = 3;
/** Failures in a row after which D1 is taken to be down, and the rest of a batch waits for its next delivery. */
const GIVE_UP_AFTER = 3;

/** `max_retries` of the dead-letter queue in wrangler.toml. */
const DEAD_RETRIES = 100;

/**
 * Counts click windows in D1, each exactly once, ever: duplicates, reorderings, repeats after an unknown outcome and a window
 * that comes both through the queue and directly change nothing (decision 18). One atomic batch of five statements per
 * ~600 KB of rows, whatever the number of clicks. Throws when D1 does; calling again with the same windows is always safe.
 */
export async function foldWindows(db: D1Database, windows: readonly ClickWindow[], now: number): Promise<FoldResult> {
  const readAgent = createUserAgentParser();
  const rows = new Map<string, WindowRows>();
  for (const window of windows) {
    const counted = aggregateWindow(window, readAgent);
    if (!rows.has(counted.key)) rows.set(counted.key, counted);
  }
  const total: FoldResult = { clicks: 0, windows: 0, rowsRead: 0, rowsWritten: 0, visitorRows: 0 };
  for (const part of splitIntoParts([...rows.values()])) {
    const done = await foldRows(db, part, crypto.randomUUID(), now);
    total.clicks += done.clicks;
    total.windows += done.windows;
    total.rowsRead += done.rowsRead;
    total.rowsWritten += done.rowsWritten;
    total.visitorRows += done.visitorRows;
  }
  return total;
}

/**
 * The queue door, for `clicks` and `clicks-dead` alike: every message ends acknowledged or retried. What cannot be read is set
 * aside and acknowledged; what D1 does not take comes again, later and later, and in the dead-letter queue for days.
 */
export async function consumeBatch(batch: MessageBatch, env: Pick<Env, 'DB'>, now = Date.now()): Promise<void> {
  const good: Readable[] = [];
  const bad: Message[] = [];
  for (const message of batch.messages) {
    const parsed = clickWindowSchema.safeParse(message.body);
    if (parsed.success) good.push({ message, window: parsed.data });
    else bad.push(message);
  }
  await settle(batch.queue, bad, () =>
    storeFaults(
      env.DB,
      bad.map((message) => message.body),
      'unreadable',
      now,
    ),
  );
  const together = good.filter(({ message }) => message.attempts < ALONE_FROM);
  const alone = good.filter(({ message }) => message.attempts >= ALONE_FROM);
  let down = !(await fold(env.DB, batch.queue, together, now)) ? 1 : 0;
  for (const one of alone) {
    if (down >= GIVE_UP_AFTER) retry(batch.queue, one.message);
    else down = (await fold(env.DB, batch.queue, [one], now)) ? 0 : down + 1;
  }
}

type Readable = { message: Message; window: ClickWindow };

const fold = (db: D1Database, queue: string, some: readonly Readable[], now: number): Promise<boolean> =>
  settle(
    queue,
    some.map(({ message }) => message),
    () =>
      foldWindows(
        db,
        some.map(({ window }) => window),
        now,
      ),
  );

/** Runs `work` for messages: acknowledges them when it succeeds, retries them all when it throws. */
async function settle(queue: string, messages: readonly Message[], work: () => Promise<unknown>): Promise<boolean> {
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
 * Asks for another delivery: `clicks` gives up on a message after about half an hour, `clicks-dead` after days. Behind the
 * dead-letter queue there is nothing: what even the last delivery could not count is at least logged as lost.
 */
function retry(queue: string, message: Message): void {
  const dead = queue.endsWith('-dead');
  if (dead && message.attempts > DEAD_RETRIES) {
    const parsed = clickWindowSchema.safeParse(message.body);
    logEvent('click_lost', { queue, clicks: parsed.success ? parsed.data.e.length : 0, error: 'no deliveries left' });
  }
  message.retry({ delaySeconds: Math.min(dead ? 3_600 : 300, 5 * 2 ** Math.min(message.attempts, 10)) });
}
