import { SIGNALS, type Signal, type SignalName, type SignalState } from '#contract/system.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { formatBytes, formatDuration, daysUntilFull, type SizeOnDay } from './database-size.ts';
import { plural } from '#contract/language.ts';

/** The facts of one reading of the installation. Times in ms since 1970. Null = not known. */
export type Facts = {
  now: number;
  /** How long D1 took to answer; null if it did not. */
  databaseMs: number | null;
  schema: { found: string; needed: string; isCurrent: boolean; appliedAt: number } | null;
  /**
   * The further databases that hold clicks (db/shards.ts). A `state` of null means that the
   * database did not answer.
   */
  shards: ShardFacts[];
  /** How long KV took to answer; null if it did not. */
  edgeStoreMs: number | null;
  /** Null while D1 does not answer or has an old schema. */
  stored: StoredFacts | null;
  limitBytes: number;
  /** When the last complete backup was made. */
  backupAt: number | null;
};

export type ShardFacts = {
  name: string;
  state: { found: string; isCurrent: boolean; bytes: number } | null;
};

export type JobFacts = {
  name: string;
  startedAt: number;
  finishedAt: number | null;
  ok: boolean;
  detail: string;
  failingSince: number | null;
  backlog: { left: number; since: number } | null;
};
type QueueFacts = { at: number; lagMs: number; failed: number };

export type StoredFacts = {
  lastCronAt: number | null;
  jobs: JobFacts[];
  queue: QueueFacts | null;
  deadLetterQueue: QueueFacts | null;
  setAside: { windows: number; clicks: number; oldestAt: number | null };
  /** Messages of the last day that could not be read. */
  unreadable: number;
  lost: { clicks: number; firstAt: number; lastAt: number } | null;
  outboxSince: number | null;
  verification: { ok: boolean; at: number } | null;
  bytes: number;
  sizes: SizeOnDay[];
};

const CRON_LATE_MS = 10 * MINUTE_MS;
const FAILING_MS = 15 * MINUTE_MS;
const BACKLOG_MS = 2 * HOUR_MS;
const QUEUE_LAG_MS = 10 * MINUTE_MS;
/**
 * A queue is judged by its last state within this time, because without clicks it has no newer one.
 */
const QUEUE_SEEN_MS = HOUR_MS;
/** The dead-letter queue delivers a message again after an hour at most. */
const DEAD_SEEN_MS = 2 * HOUR_MS;
const OUTBOX_WARN_MS = 5 * MINUTE_MS;
const OUTBOX_MS = 15 * MINUTE_MS;
const VERIFICATION_LATE_MS = 36 * HOUR_MS;
const FULL_WARN_DAYS = 60;
const FULL_DAYS = 14;
/** The shares of a database's size limit at which its signal turns. */
const FULL_SHARE = { warn: 0.7, bad: 0.9 };
const BACKUP_LATE_MS = 36 * HOUR_MS;

type Evaluation = { state: SignalState; sentence: string; figure?: string; since?: number | null };
const ok = (sentence: string, figure = ''): Evaluation => ({ state: 'ok', sentence, figure });
const bad = (sentence: string, figure = '', since: number | null = null): Evaluation => ({
  state: 'bad',
  sentence,
  figure,
  since,
});
const warn = (sentence: string, figure = ''): Evaluation => ({ state: 'warn', sentence, figure });
const unknown = (sentence: string): Evaluation => ({ state: 'unknown', sentence });

/** The signals that GET /api/ready answers for. */
const FOR_READINESS: ReadonlySet<SignalName> = new Set([
  'database',
  'schema',
  'edge-store',
  'cron',
  'queue',
] as const);
export const isReady = (signals: readonly Signal[]): boolean =>
  !signals.some(({ signal, state }) => state === 'bad' && FOR_READINESS.has(signal));

/**
 * Derives the signals from the facts. Only this function decides what is wrong; readiness, the
 * system page and the alerts use its result. A cause hides its consequences, so that one fault
 * turns one signal red: without D1 nothing stored is known, and without cron all jobs are late.
 */
export function evaluateSignals(facts: Facts): Signal[] {
  const { stored } = facts;
  const cron = evaluateCron(facts);
  const fromStored = (look: (known: StoredFacts) => Evaluation): Evaluation =>
    stored === null ? unknown('Not known while the database cannot be read.') : look(stored);
  const fromJobs = (look: (known: StoredFacts) => Evaluation): Evaluation =>
    fromStored((known) =>
      cron.state === 'ok' ? look(known) : unknown('Known again once cron runs.'),
    );
  const judged: Record<SignalName, Evaluation> = {
    database: evaluateDatabase(facts),
    schema: evaluateSchema(facts),
    'edge-store':
      facts.edgeStoreMs === null
        ? bad('KV does not answer. Redirects read D1 instead.')
        : ok('KV answers.', `${facts.edgeStoreMs} ms`),
    cron,
    queue: fromStored((known) => evaluateQueue(known, facts.now)),
    'dead-letters': fromStored((known) => evaluateDeadLetters(known, facts.now)),
    'lost-clicks': fromStored((known) => evaluateLost(known, facts.now)),
    totals: fromStored((known) => evaluateTotals(known, facts.now, cron.state === 'ok')),
    outbox: fromJobs((known) =>
      facts.edgeStoreMs === null
        ? unknown('Known again once KV answers.')
        : evaluateOutbox(known, facts.now),
    ),
    jobs: fromJobs((known) => evaluateJobs(known, facts.now)),
    backlog: fromJobs((known) => evaluateBacklog(known, facts.now)),
    size: fromStored((known) => evaluateSize(known, facts)),
    backup: fromJobs(() => evaluateBackup(facts)),
  };
  return SIGNALS.map((signal) => {
    const { state, sentence, figure = '', since = null } = judged[signal];
    return {
      signal,
      state,
      sentence,
      figure,
      since: since === null ? null : new Date(since).toISOString(),
    };
  });
}

function evaluateDatabase({ databaseMs, shards }: Facts): Evaluation {
  if (databaseMs === null) return bad('D1 does not answer.');
  const silent = shards.filter(({ state }) => state === null).map(({ name }) => name);
  if (silent.length === 0) return ok('D1 answers.', `${databaseMs} ms`);
  return bad(
    `No answer from ${silent.join(', ')}. Clicks on links there are counted once it answers again.`,
  );
}

function evaluateSchema({ schema, shards }: Facts): Evaluation {
  if (schema === null) return unknown('Not known while the database cannot be read.');
  const old = shards.find(({ state }) => state !== null && !state.isCurrent);
  if (schema.isCurrent && old !== undefined)
    return bad(
      `${old.name} has ${old.state?.found || 'no schema'}, and this release needs ${schema.needed}. Apply the migrations.`,
    );
  if (schema.isCurrent)
    return ok('The database has the schema of this release.', schema.found.slice(0, 4));
  const found = schema.found === '' ? 'no schema' : `schema ${schema.found}`;
  return bad(
    `The database has ${found}, and this release needs ${schema.needed}. Apply the migrations.`,
    schema.found.slice(0, 4),
  );
}

function evaluateCron({ stored, schema, now }: Facts): Evaluation {
  if (stored === null) return unknown('Not known while the database cannot be read.');
  // A new installation has no run yet. Cron could have run since its schema was applied.
  const lastAt = stored.lastCronAt ?? schema?.appliedAt ?? now;
  const age = now - lastAt;
  if (age <= CRON_LATE_MS)
    return stored.lastCronAt === null
      ? unknown('Cron has not run yet.')
      : ok('Cron runs every minute.', `${formatDuration(age)} ago`);
  const what =
    stored.lastCronAt === null
      ? 'Cron has never run.'
      : `Cron last ran ${formatDuration(age)} ago.`;
  return bad(
    `${what} Jobs are not done, and changes may not reach KV.`,
    formatDuration(age),
    lastAt,
  );
}

function evaluateQueue({ queue }: StoredFacts, now: number): Evaluation {
  if (queue === null || now - queue.at > QUEUE_SEEN_MS)
    return ok('No clicks are waiting, as far as the consumer has seen.');
  const lag = formatDuration(queue.lagMs);
  if (queue.lagMs <= QUEUE_LAG_MS) return ok('Clicks are counted as they come.', lag);
  return bad(`Clicks are counted ${lag} late.`, lag, queue.at - queue.lagMs);
}

function evaluateDeadLetters(
  { setAside, deadLetterQueue, unreadable }: StoredFacts,
  now: number,
): Evaluation {
  if (setAside.windows > 0) {
    const what = `${plural(setAside.clicks, 'click')} in ${plural(setAside.windows, 'window')}`;
    return bad(
      `${what} could not be counted and are set aside.`,
      String(setAside.clicks),
      setAside.oldestAt,
    );
  }
  if (
    deadLetterQueue !== null &&
    deadLetterQueue.failed > 0 &&
    now - deadLetterQueue.at <= DEAD_SEEN_MS
  )
    return bad(
      'Clicks in the dead-letter queue fail again. They are tried every hour.',
      '',
      deadLetterQueue.at,
    );
  if (unreadable > 0)
    return warn(
      `${plural(unreadable, 'message')} of the last day could not be read.`,
      String(unreadable),
    );
  return ok('No click is set aside.');
}

function evaluateLost({ lost }: StoredFacts, now: number): Evaluation {
  if (lost === null) return ok('No click was lost in the last 24 hours.');
  const last = formatDuration(now - lost.lastAt);
  return bad(
    `${plural(lost.clicks, 'click')} of the last 24 hours were not counted, the last one ${last} ago.`,
    String(lost.clicks),
    lost.firstAt,
  );
}

function evaluateTotals(
  { verification }: StoredFacts,
  now: number,
  doesCronRun: boolean,
): Evaluation {
  if (verification === null) return unknown('The daily check of the click totals has not run yet.');
  const age = formatDuration(now - verification.at);
  if (!verification.ok)
    return bad(
      `The check ${age} ago found totals that differ from their counts. Statistics has them.`,
      age,
      verification.at,
    );
  if (doesCronRun && now - verification.at > VERIFICATION_LATE_MS)
    return warn(`The totals were last checked ${age} ago.`, age);
  return ok('All click totals match their counts.', `${age} ago`);
}

function evaluateOutbox({ outboxSince }: StoredFacts, now: number): Evaluation {
  const lag = outboxSince === null ? 0 : Math.max(0, now - outboxSince);
  const text = formatDuration(lag);
  if (lag > OUTBOX_MS)
    return bad(`Changed links have been waiting for KV for ${text}.`, text, outboxSince);
  if (lag > OUTBOX_WARN_MS)
    return warn(`Changed links have been waiting for KV for ${text}.`, text);
  return ok('Changed links reach KV in time.');
}

function evaluateJobs({ jobs }: StoredFacts, now: number): Evaluation {
  const failing = jobs.filter(({ failingSince }) => failingSince !== null);
  const first = Math.min(...failing.map(({ failingSince }) => failingSince ?? now));
  if (failing.length === 0) return ok('All jobs succeeded in their last run.', String(jobs.length));
  const names = failing.map(({ name }) => name).join(', ');
  const sentence = `Failing for ${formatDuration(now - first)}: ${names}.`;
  // Jobs are tried again within five minutes, so a single failure rarely needs anybody.
  return now - first > FAILING_MS
    ? bad(sentence, String(failing.length), first)
    : warn(sentence, String(failing.length));
}

function evaluateBacklog({ jobs }: StoredFacts, now: number): Evaluation {
  const behind = jobs.flatMap(({ name, backlog }) =>
    backlog === null ? [] : [{ name, ...backlog }],
  );
  const oldest = behind.toSorted((a, b) => a.since - b.since)[0];
  if (oldest === undefined) return ok('No job has work left over.');
  const age = now - oldest.since;
  const sentence = `${oldest.name} has been behind for ${formatDuration(age)}: ${plural(oldest.left, 'row')} left.`;
  return age > BACKLOG_MS
    ? bad(sentence, String(oldest.left), oldest.since)
    : warn(sentence, String(oldest.left));
}

function evaluateSize(stored: StoredFacts, facts: Facts): Evaluation {
  const main = evaluateMainSize(stored, facts);
  const fullest = facts.shards.toSorted((a, b) => (b.state?.bytes ?? 0) - (a.state?.bytes ?? 0))[0];
  const bytes = fullest?.state?.bytes ?? 0;
  const share = bytes / facts.limitBytes;
  if (fullest === undefined || main.state === 'bad' || share < FULL_SHARE.warn) return main;
  const sentence = `${fullest.name} has ${formatBytes(bytes)} of ${formatBytes(facts.limitBytes)}.`;
  const figure = `${Math.round(share * 100)} %`;
  return share >= FULL_SHARE.bad ? bad(sentence, figure) : warn(sentence, figure);
}

function evaluateMainSize({ bytes, sizes }: StoredFacts, { limitBytes }: Facts): Evaluation {
  const share = bytes / limitBytes;
  const figure = `${Math.round(share * 100)} %`;
  const size = `The database has ${formatBytes(bytes)} of ${formatBytes(limitBytes)}`;
  const days = daysUntilFull(sizes, bytes, limitBytes);
  const sentence =
    days === null || days > 3650
      ? `${size}.`
      : `${size}, and is full in ${plural(days, 'day')} at today’s growth.`;
  if (share >= FULL_SHARE.bad || (days !== null && days <= FULL_DAYS)) return bad(sentence, figure);
  return share >= FULL_SHARE.warn || (days !== null && days <= FULL_WARN_DAYS)
    ? warn(sentence, figure)
    : ok(sentence, figure);
}

function evaluateBackup({ backupAt, now }: Facts): Evaluation {
  if (backupAt === null) return unknown('No backup is known.');
  const age = formatDuration(now - backupAt);
  return now - backupAt > BACKUP_LATE_MS
    ? bad(`The last backup is ${age} old.`, age, backupAt)
    : ok('The last backup is recent.', `${age} ago`);
}

/**
 * The day on which the database is full at its present growth, in ms; null if it is not
 * foreseeable.
 */
export function fullAt({ bytes, sizes }: StoredFacts, { limitBytes, now }: Facts): number | null {
  const days = daysUntilFull(sizes, bytes, limitBytes);
  return days === null ? null : now + days * DAY_MS;
}
