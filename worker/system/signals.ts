import { SIGNALS, type Signal, type SignalName } from '#contract/system/system.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { CRON_LATE_MS } from '#worker/job-runtime/job-intervals.ts';
import { RUN_LIFETIME_MS } from '#worker/job-runtime/job-budget.ts';
import { signalMessage } from '#worker/messages/system.ts';
import { daysUntilFull } from './database-size.ts';
import { evaluateDomains } from './evaluate-domains.ts';
import { evaluateErrors, evaluateMail, evaluateWriter } from './evaluate-traffic.ts';
import { bad, ok, unknown, warn, type Evaluation } from './evaluation.ts';
import { QUEUE_SEEN_MS, type Facts, type StoredFacts } from './facts.ts';

/**
 * A new or changed cron trigger takes up to 15 minutes to reach every location
 * (https://developers.cloudflare.com/workers/configuration/cron-triggers/).
 */
const NEW_TRIGGER_MS = 20 * MINUTE_MS;
const FAILING_MS = 15 * MINUTE_MS;
/** A job is late after this many of its intervals, but not before FAILING_MS. */
const LATE_INTERVALS = 3;
const BACKLOG_MS = 2 * HOUR_MS;
const QUEUE_WARN_MS = 2 * MINUTE_MS;
const QUEUE_LAG_MS = 10 * MINUTE_MS;
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

/** A single mail that fails is mostly followed by one that does not. */
const CHANNEL_FAILS_MS = 5 * MINUTE_MS;

/** A forecast beyond this many days is not shown. */
const FORESEEABLE_DAYS = 3650;

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

/** False if only a monitor of GET /api/ready can tell the operator of a fault. */
export const doAlertsWork = (signals: readonly Signal[]): boolean =>
  !signals.some(({ signal, state }) => signal === 'alerts' && state === 'bad');

/**
 * The signal *Domains* shows only where members bring domains. Alerts always get it, so that they
 * end.
 */
export const shownSignals = (signals: Signal[], { domainsMax }: Facts): Signal[] =>
  signals.filter(({ signal }) => signal !== 'domains' || domainsMax !== null);

/**
 * Derives the signals from the facts. Only this function decides what is wrong; readiness, the
 * system page and the alerts use its result. A cause hides its consequences, so that one fault
 * turns one signal red: without D1 nothing stored is known, and without cron all jobs are late.
 */
export function evaluateSignals(facts: Facts): Signal[] {
  const { stored, now } = facts;
  const cron = evaluateCron(facts);
  const fromStored = (evaluate: (known: StoredFacts) => Evaluation): Evaluation =>
    stored === null ? unknown('database_unread') : evaluate(stored);
  // In the first minute after a pause no job has run yet.
  const doJobsRun = now - (stored?.lastJobAt ?? 0) <= CRON_LATE_MS;
  const fromJobs = (evaluate: (known: StoredFacts) => Evaluation): Evaluation =>
    fromStored((known) =>
      cron.state === 'ok' && doJobsRun ? evaluate(known) : unknown('cron_awaited'),
    );
  const alerts = fromStored((known) => evaluateAlerts(known, now));
  const evaluations: Record<SignalName, Evaluation> = {
    database: evaluateDatabase(facts),
    schema: evaluateSchema(facts),
    'edge-store':
      facts.edgeStoreMs === null ? bad('kv_silent') : ok('kv_answers', { ms: facts.edgeStoreMs }),
    cron,
    queue: fromStored((known) => evaluateQueue(known, now)),
    errors: fromStored(evaluateErrors),
    // While alerts fail, their signal says whether mail is the cause.
    mail:
      alerts.state === 'bad'
        ? unknown('alerts_say')
        : fromStored((known) => evaluateMail(known, now)),
    writer: fromStored(evaluateWriter),
    'dead-letters': fromStored((known) => evaluateDeadLetters(known, now)),
    'lost-clicks': fromStored((known) => evaluateLost(known, now)),
    totals: fromStored((known) => evaluateTotals(known, now, cron.state === 'ok')),
    outbox: fromJobs((known) =>
      facts.edgeStoreMs === null ? unknown('kv_awaited') : evaluateOutbox(known, now),
    ),
    jobs: fromJobs((known) => evaluateJobs(known, now)),
    backlog: fromJobs((known) => evaluateBacklog(known, now)),
    size: fromStored((known) => evaluateSize(known, facts)),
    backup: fromJobs(() => evaluateBackup(facts)),
    domains: fromJobs((known) => evaluateDomains(known, facts.domainsMax, now)),
    alerts,
  };
  return SIGNALS.map((signal) => {
    const { state, reason, values, since } = evaluations[signal];
    return Object.assign(signalMessage(reason, values), {
      signal,
      state,
      since: since === null ? null : new Date(since).toISOString(),
    });
  });
}

function evaluateDatabase({ databaseMs, shards }: Facts): Evaluation {
  if (databaseMs === null) return bad('d1_silent');
  const names = shards.filter(({ state }) => state === null).map(({ name }) => name);
  return names.length === 0
    ? ok('d1_answers', { ms: databaseMs })
    : bad('shards_silent', { names });
}

function evaluateSchema({ schema, shards }: Facts): Evaluation {
  if (schema === null) return unknown('database_unread');
  if (!schema.isCurrent) return bad('schema_old', schema);
  for (const { name, state } of shards)
    if (state !== null && !state.isCurrent)
      return bad('shard_schema_old', {
        names: [name],
        found: state.found,
        needed: schema.needed,
      });
  return ok('schema_current', schema);
}

function evaluateCron({ stored, schema, versionAt, now }: Facts): Evaluation {
  if (stored === null) return unknown('database_unread');
  const { lastCronAt } = stored;
  if (lastCronAt !== null && now - lastCronAt <= CRON_LATE_MS)
    return ok('cron_runs', { ms: now - lastCronAt });
  // Every deployment sets the cron trigger again, and a new trigger needs time to start.
  const installedAt = lastCronAt === null ? (schema?.appliedAt ?? now) : 0;
  const startedAt = Math.max(versionAt ?? 0, installedAt);
  if (now - startedAt <= NEW_TRIGGER_MS) return unknown('cron_not_yet');
  const since = lastCronAt ?? startedAt;
  return bad(lastCronAt === null ? 'cron_never' : 'cron_stopped', { ms: now - since }, since);
}

function evaluateQueue({ queue }: StoredFacts, now: number): Evaluation {
  if (queue === null || now - queue.at > QUEUE_SEEN_MS) return ok('queue_not_seen');
  const { at, lagMs: ms } = queue;
  if (ms > QUEUE_LAG_MS) return bad('queue_late', { ms }, at - ms);
  return ms > QUEUE_WARN_MS ? warn('queue_late', { ms }) : ok('queue_in_time', { ms });
}

function evaluateDeadLetters(
  { setAside, deadLetterQueue, unreadable }: StoredFacts,
  now: number,
): Evaluation {
  const { windows, clicks, oldestAt } = setAside;
  if (windows > 0) return bad('set_aside', { count: clicks, windows }, oldestAt);
  const isFailing =
    deadLetterQueue !== null &&
    deadLetterQueue.failed > 0 &&
    now - deadLetterQueue.at <= DEAD_SEEN_MS;
  if (isFailing) return bad('dead_letters_fail', {}, deadLetterQueue.at);
  return unreadable > 0 ? warn('unreadable', { count: unreadable }) : ok('none_set_aside');
}

function evaluateLost({ lost }: StoredFacts, now: number): Evaluation {
  return lost === null
    ? ok('none_lost')
    : bad('lost', { count: lost.clicks, ms: now - lost.lastAt }, lost.firstAt);
}

function evaluateTotals(
  { verification }: StoredFacts,
  now: number,
  doesCronRun: boolean,
): Evaluation {
  if (verification === null) return unknown('totals_not_checked');
  const ms = now - verification.at;
  if (!verification.ok) return bad('totals_differ', { ms }, verification.at);
  return doesCronRun && ms > VERIFICATION_LATE_MS
    ? warn('totals_check_late', { ms })
    : ok('totals_match', { ms });
}

function evaluateOutbox({ outboxSince }: StoredFacts, now: number): Evaluation {
  const ms = now - (outboxSince ?? now);
  if (ms > OUTBOX_MS) return bad('outbox_late', { ms }, outboxSince);
  return ms > OUTBOX_WARN_MS ? warn('outbox_late', { ms }) : ok('outbox_in_time');
}

function evaluateJobs(stored: StoredFacts, now: number): Evaluation {
  const failing = stored.jobs.flatMap(({ name, startedAt, finishedAt, failingSince }) => {
    const wasKilled = finishedAt === null && now - startedAt > RUN_LIFETIME_MS;
    const since = failingSince ?? (wasKilled ? startedAt : null);
    return since === null ? [] : [{ name, since }];
  });
  const late = lateJobs(stored, now);
  const valuesOf = (faults: { name: string; since: number }[]) => {
    const first = Math.min(...faults.map(({ since }) => since));
    const names = faults.map(({ name }) => name);
    return [{ ms: now - first, count: faults.length, names }, first] as const;
  };
  // Jobs are tried again within five minutes, so a single failure rarely needs anybody.
  if (failing.some(({ since }) => now - since > FAILING_MS))
    return bad('jobs_fail', ...valuesOf(failing));
  if (late.length > 0) return bad('jobs_late', ...valuesOf(late));
  return failing.length > 0
    ? warn('jobs_fail', valuesOf(failing)[0])
    : ok('jobs_succeed', { count: stored.jobs.length });
}

/** The jobs that have not started for three of their intervals, and since when they have not. */
function lateJobs(
  { jobs, intervals }: StoredFacts,
  now: number,
): { name: string; since: number }[] {
  return Object.entries(intervals?.everyMs ?? {})
    .map(([name, everyMs]) => {
      const startedAt = jobs.find((job) => job.name === name)?.startedAt ?? 0;
      const since = Math.max(startedAt, intervals?.since ?? 0);
      return { name, since, isLate: now - since > Math.max(LATE_INTERVALS * everyMs, FAILING_MS) };
    })
    .filter(({ isLate }) => isLate);
}

function evaluateBacklog({ jobs }: StoredFacts, now: number): Evaluation {
  const behind = jobs.flatMap(({ name, backlog }) =>
    backlog === null ? [] : [{ name, ...backlog }],
  );
  const oldest = behind.toSorted((a, b) => a.since - b.since)[0];
  if (oldest === undefined) return ok('no_backlog');
  const { name, since, left } = oldest;
  const values = { names: [name], ms: now - since, count: left };
  return values.ms > BACKLOG_MS ? bad('backlog', values, since) : warn('backlog', values);
}

function evaluateSize(stored: StoredFacts, { shards, limitBytes }: Facts): Evaluation {
  const main = evaluateMainSize(stored, limitBytes);
  const sizes = shards.map(({ name, state }) => ({ name, bytes: state?.bytes ?? 0 }));
  const fullest = sizes.toSorted((a, b) => b.bytes - a.bytes)[0];
  if (fullest === undefined || main.state === 'bad') return main;
  const share = fullest.bytes / limitBytes;
  if (share < FULL_SHARE.warn) return main;
  const values = { names: [fullest.name], bytes: fullest.bytes, limitBytes };
  return share >= FULL_SHARE.bad ? bad('shard_size', values) : warn('shard_size', values);
}

function evaluateMainSize({ bytes, sizes }: StoredFacts, limitBytes: number): Evaluation {
  const share = bytes / limitBytes;
  const days = daysUntilFull(sizes, bytes, limitBytes) ?? Infinity;
  const values = { bytes, limitBytes, days: days > FORESEEABLE_DAYS ? null : days };
  if (share >= FULL_SHARE.bad || days <= FULL_DAYS) return bad('size', values);
  return share >= FULL_SHARE.warn || days <= FULL_WARN_DAYS
    ? warn('size', values)
    : ok('size', values);
}

function evaluateBackup({ backupAt, schema, now }: Facts): Evaluation {
  if (backupAt === null) {
    const since = schema?.installedAt ?? now;
    return now - since > BACKUP_LATE_MS
      ? bad('backup_never', { ms: now - since }, since)
      : unknown('no_backup');
  }
  const ms = now - backupAt;
  return ms > BACKUP_LATE_MS ? bad('backup_old', { ms }, backupAt) : ok('backup_recent', { ms });
}

function evaluateAlerts({ channels, unsentAlerts }: StoredFacts, now: number): Evaluation {
  if (channels.length === 0) return warn('alerts_in_log');
  const failing = channels.flatMap(({ channel, failing: failure }) =>
    failure === null ? [] : [{ channel, ...failure }],
  );
  const since = Math.min(...failing.map((failure) => failure.since));
  const names = failing.map(({ channel, fault }) => `${channel} (${fault})`);
  const fails = { names, ms: now - since };
  if (failing.length === channels.length && fails.ms > CHANNEL_FAILS_MS)
    return bad('channels_fail', fails, since);
  const { count, since: unsentSince } = unsentAlerts;
  if (count > 0) return bad('alerts_unsent', { count, names }, unsentSince);
  return failing.length > 0
    ? warn('channels_fail', fails)
    : ok('channels_work', { names: channels.map(({ channel }) => channel) });
}
