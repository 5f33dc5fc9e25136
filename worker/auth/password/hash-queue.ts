import { AuthError } from '#worker/auth/errors.ts';

/**
 * Hashing a password holds the isolate's only thread for some 140 ms, and redirects share it. So hashes take turns: one at a
 * time, in the order of arrival, with a pause between two in which redirects run. `npm run bench:flood` measures it.
 *
 * A cancelled request runs no `finally`, and no request may wait for a promise that another one resolves. So the queue holds
 * no promises: each waiting request looks with a timer of its own whether it is first, and renews its ticket when it does. A
 * ticket that nobody renews belongs to a cancelled request and is dropped.
 */
type Ticket = { renewedAt: number };

/** In the order of arrival: the first hashes, the others wait. Only this isolate's, and lost with it. */
const queue = new Set<Ticket>();
/** The newest hash: when it began, and how long it takes, in ms. */
let last = { at: -Infinity, ms: 0 };

/** How many wait at most: some four seconds of work. */
const WAITING_MAX = 8;
/** A pause lasts for twice the hash before it: hashing gets a third of the thread at most, redirects the rest. */
const PAUSE_RATIO = 2;
const LOOK_EVERY_MS = 20;
/** Much longer than a hash holds the thread: a request that is alive has renewed its ticket by then. */
const ABANDONED_AFTER_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * Runs `hash`, which takes about `ms` milliseconds of the thread, when it is its turn. Two hashes have a pause between them.
 * Throws 429 at once where too many wait.
 */
export async function hashInTurn<T>(ms: number, hash: () => Promise<T>): Promise<T> {
  refuseIfFull();
  const ticket: Ticket = { renewedAt: Date.now() };
  queue.add(ticket);
  try {
    while (firstInQueue() !== ticket) await renewAfter(ticket, LOOK_EVERY_MS);
    if (!pauseIsOver()) await renewAfter(ticket, PAUSE_RATIO * last.ms);
    last = { at: Date.now(), ms };
    return await hash();
  } finally {
    queue.delete(ticket);
  }
}

/** Throws 429 where a hash would not be queued now: for work that counts or sends something before it hashes. */
export function refuseIfFull(): void {
  dropAbandoned();
  if (queue.size > WAITING_MAX) throw busy();
}

/**
 * Whether a pause has passed since the last hash for certain. The platform's clock stands still while code runs, so only the
 * hash's beginning is known; this leaves room for one that took five times as long.
 */
const pauseIsOver = (): boolean => Date.now() - last.at > (5 + PAUSE_RATIO) * last.ms;

function firstInQueue(): Ticket | undefined {
  dropAbandoned();
  const [first] = queue;
  return first;
}

function dropAbandoned(): void {
  const oldest = Date.now() - ABANDONED_AFTER_MS;
  for (const ticket of queue) if (ticket.renewedAt < oldest) queue.delete(ticket);
}

async function renewAfter(ticket: Ticket, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  // Dropped although this request is alive: the thread was held for very long, and another request may be hashing now.
  if (!queue.has(ticket)) throw busy();
  ticket.renewedAt = Date.now();
}

const busy = (): AuthError =>
  new AuthError(429, 'over_request_rate_limit', 'Too many people are signing in just now. Try again in a few seconds.', {
    retryAfter: RETRY_AFTER_SECONDS,
  });
