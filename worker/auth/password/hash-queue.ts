/**
 * Hashing a password blocks the isolate's only thread for about 140 ms, and redirects share that
 * thread. So hashes run one at a time, in the order of arrival, with a pause after each in which
 * redirects run. bench/RESULTS.md has the effect.
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
const WAITING_MAX = 8;
/**
 * A pause lasts twice as long as the hash before it, so hashing gets at most a third of the thread.
 */
const PAUSE_RATIO = 2;
const POLL_MS = 20;
/**
 * A ticket that was not renewed for this long belongs to a request that has ended. A hash blocks
 * the thread for a much shorter time, so waiting requests renew theirs earlier.
 */
const ABANDONED_AFTER_MS = 2_000;

/**
 * Runs `hash` when its turn comes. `ms` is about how long it blocks the thread. Returns null if more
 * than `waitingMax` are waiting, or if the ticket was dropped while it waited.
 */
export async function queueHash<T>(
  ms: number,
  hash: () => Promise<T>,
  waitingMax = WAITING_MAX,
): Promise<T | null> {
  if (!hasRoomInQueue(waitingMax)) return null;
  const ticket: Ticket = { renewedAt: Date.now() };
  queue.add(ticket);
  try {
    while (firstInQueue() !== ticket) if (!(await waitAndRenew(ticket, POLL_MS))) return null;
    if (!isPauseOver() && !(await waitAndRenew(ticket, PAUSE_RATIO * last.ms))) return null;
    last = { at: Date.now(), ms };
    return await hash();
  } finally {
    queue.delete(ticket);
  }
}

/**
 * Call it before counting or sending anything that precedes a hash. A lower `waitingMax` leaves
 * places for others.
 */
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

/**
 * Waits and renews the ticket. Returns false if the ticket was dropped although this request is
 * alive: the thread was blocked for very long, and another request may be hashing now.
 */
async function waitAndRenew(ticket: Ticket, ms: number): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  ticket.renewedAt = Date.now();
  return queue.has(ticket);
}
