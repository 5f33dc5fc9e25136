/**
 * Hashing a password blocks the isolate's only thread for about 140 ms. So hashes run one at a time,
 * in the order of arrival. Where redirects share the thread, a pause after each lets them run.
 * bench/RESULTS.md has the effect.
 *
 * The queue holds no promises: a cancelled request runs no `finally`, and no request may wait for a
 * promise that another request resolves. Instead every waiting request polls with its own timer and
 * renews its ticket each time. A ticket that is not renewed belongs to a cancelled request and is
 * dropped.
 */
type Ticket = { renewedAt: number };

/** In the order of arrival: the first one hashes, the others wait. One queue per isolate. */
const queue = new Set<Ticket>();
/** The most recent hash: when it started, and its expected duration in ms. */
let last = { at: -Infinity, ms: 0 };

/** At most this many requests wait, which is about four seconds of work. */
export const WAITING_MAX = 8;
/**
 * A pause for redirects lasts twice as long as the hash before it, so hashing gets at most a third
 * of the thread.
 */
const PAUSE_RATIO = 2;
/**
 * The pause where nothing else needs the thread. Without it workerd runs the next hash before it
 * sends the result of the last one, so that all results leave with the last.
 */
const SEND_MS = 1;
const POLL_MS = 20;
/** A person is told to try again after waiting for this long, in ms. */
const WAIT_LIMIT_MS = 8_000;
/**
 * A ticket that was not renewed for this long belongs to a request that has ended. A hash blocks
 * the thread for a much shorter time, so waiting requests renew theirs earlier.
 */
const ABANDONED_AFTER_MS = 2_000;

type Options = { waitingMax?: number; pauses?: boolean };

/**
 * Runs `hash` when its turn comes. `ms` is about how long it blocks the thread. Returns null if more
 * than `waitingMax` are waiting, or after 8 s. Without long pauses three times as many may wait,
 * because they take the same time.
 */
export async function queueHash<T>(
  ms: number,
  hash: () => Promise<T>,
  { waitingMax = WAITING_MAX, pauses = true }: Options = {},
): Promise<T | null> {
  if (!hasRoomInQueue(pauses ? waitingMax : (1 + PAUSE_RATIO) * waitingMax)) return null;
  const ticket: Ticket = { renewedAt: Date.now() };
  const deadline = ticket.renewedAt + WAIT_LIMIT_MS;
  let pausedAfter: typeof last | null = null;
  queue.add(ticket);
  try {
    for (;;) {
      if (firstInQueue() !== ticket) await sleep(POLL_MS);
      else if (pausedAfter !== last && !(pauses && isPauseOver())) {
        pausedAfter = last;
        await sleep(pauses ? PAUSE_RATIO * last.ms : SEND_MS);
      } else break;
      ticket.renewedAt = Date.now();
      // The last one, if the thread was blocked for so long that the ticket was dropped.
      queue.add(ticket);
      if (ticket.renewedAt > deadline) return null;
    }
    last = { at: Date.now(), ms };
    return await hash();
  } finally {
    queue.delete(ticket);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** True if this isolate takes one more hash, with `waitingMax` waiting. */
export function hasRoomInQueue(waitingMax = WAITING_MAX): boolean {
  dropAbandoned();
  return queue.size <= waitingMax;
}

/**
 * True if a whole pause has certainly passed since the last hash. The platform's clock stands still
 * while code runs, so only the start of a hash is known; the extra 5 allows for a hash that took
 * five times as long as expected.
 */
const isPauseOver = (): boolean => Date.now() - last.at > (5 + PAUSE_RATIO) * last.ms;

function firstInQueue(): Ticket | undefined {
  dropAbandoned();
  const [first] = queue;
  return first;
}

function dropAbandoned(): void {
  const oldest = Date.now() - ABANDONED_AFTER_MS;
  for (const ticket of queue) if (ticket.renewedAt < oldest) queue.delete(ticket);
}
