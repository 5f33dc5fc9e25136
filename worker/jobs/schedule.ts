import { and, eq, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { hasDecisions, mailDecisions } from '#worker/admin/mail-decisions.ts';
import { applyBlocklist, hasUnappliedEntries } from '#worker/abuse/apply-blocklist.ts';
import { recheckReputation } from '#worker/abuse/recheck-reputation.ts';
import { clearExpiredQuotas } from '#worker/account/clear-expired-quotas.ts';
import { deleteLeftovers } from '#worker/account/delete-leftovers.ts';
import { deleteExpiredSignInData } from '#worker/auth/delete-expired-sign-in-data.ts';
import { hasReadyResets } from '#worker/auth/second-factor/reset-store.ts';
import { mailReadyResets } from '#worker/auth/second-factor/mail-ready-resets.ts';
import { rotateSigningKeys } from '#worker/auth/tokens/rotate-signing-keys.ts';
import { backUpNightly } from '#worker/backup/back-up-nightly.ts';
import { raiseLinkIdMark } from '#worker/backup/copies.ts';
import { copyOutside } from '#worker/backup/copy-outside.ts';
import { listDeletedAccounts } from '#worker/backup/deleted-accounts.ts';
import { verifyAccounts } from '#worker/clicks/accounts/verify-accounts.ts';
import { rollUpAccounts } from '#worker/clicks/accounts/roll-up-accounts.ts';
import { closeMonths } from '#worker/clicks/maintenance/close-months.ts';
import { deleteExpiredData } from '#worker/clicks/maintenance/delete-expired-data.ts';
import { pruneRecentClicks } from '#worker/clicks/maintenance/prune-recent-clicks.ts';
import { rotateVisitorKeys } from '#worker/clicks/maintenance/rotate-visitor-keys.ts';
import { verifyTotals } from '#worker/clicks/maintenance/verify-totals.ts';
import { keepSharedHosts } from '#worker/domains/sync-shared-hosts.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { clearBacklog, hasBacklog, recordBacklog } from '#worker/job-runtime/job-backlog.ts';
import { recordIntervals } from '#worker/job-runtime/job-intervals.ts';
import { RUN_LIFETIME_MS, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { job_runs } from '#worker/db/schema-system.ts';
import { drainOutbox, hasOutbox } from '#worker/edge/drain-outbox.ts';
import { deleteUnusedPictures } from '#worker/links/card/delete-unused-pictures.ts';
import { indexAllWords } from '#worker/links/words/index-words.ts';
import { rankLinks } from '#worker/links/list/rank-links.ts';
import { checkHosts, hasDueHosts } from '#worker/domains/saas/check-hosts.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { describeJob } from '#worker/messages/jobs.ts';
import { recordSize } from '#worker/system/database-size.ts';
import { deleteOldDeliveries } from '#worker/webhooks/delete-old-deliveries.ts';
import { hasEndedLinks, recordEndedLinks } from '#worker/events/record-ended-links.ts';
import { hasDueDeliveries, runWebhookDispatch } from '#worker/events/dispatch.ts';
import { checkLinks } from '#worker/watch/check-links.ts';
import { hasDueChecks } from '#worker/watch/find-due.ts';
import { sendWeeklyMails } from '#worker/reports/weekly-mail/send-weekly-mails.ts';
import { startInvocation, type Invocation } from './invocation.ts';
import { EARLY_MS, longestRest, mostOverdueFirst } from './job-order.ts';

/**
 * A job does the work that is due at `now`, however long ago it last ran, because cron may skip or
 * repeat minutes. It is idempotent and stays within its budget. Its result is stored in
 * `job_runs.detail`. A job that reports a backlog runs every minute until it has caught up.
 */
export type Job = {
  /** The key in `job_runs`: renaming a job loses its last run. */
  name: string;
  everyMs: number;
  run: (env: Env, now: number, budget: JobBudget) => Promise<JobResult>;
  /** True in SQL while the job has work. On the free plan it rarely runs otherwise. */
  waits?: (now: number) => SQL;
};

/** All jobs, the most urgent first. */
export const JOBS: readonly Job[] = [
  { name: 'outbox', everyMs: MINUTE_MS, run: drainOutbox, waits: hasOutbox },
  { name: 'blocklist', everyMs: MINUTE_MS, run: applyBlocklist, waits: hasUnappliedEntries },
  { name: 'ended-links', everyMs: MINUTE_MS, run: recordEndedLinks, waits: hasEndedLinks },
  // Runs after the jobs that change links and record events.
  { name: 'webhooks', everyMs: MINUTE_MS, run: runWebhookDispatch, waits: hasDueDeliveries },
  { name: 'short-hosts', everyMs: HOUR_MS, run: keepSharedHosts },
  { name: 'visitor-keys', everyMs: HOUR_MS, run: rotateVisitorKeys },
  { name: 'signing-keys', everyMs: HOUR_MS, run: rotateSigningKeys },
  { name: 'expire', everyMs: 15 * MINUTE_MS, run: deleteExpiredData },
  // These jobs visit all links in steps, a bounded number per run. Once the day or month is done, a
  // run costs one row read.
  { name: 'close-months', everyMs: 5 * MINUTE_MS, run: closeMonths },
  { name: 'prune-recent', everyMs: 5 * MINUTE_MS, run: pruneRecentClicks },
  { name: 'rank-links', everyMs: 5 * MINUTE_MS, run: rankLinks },
  { name: 'account-days', everyMs: 5 * MINUTE_MS, run: rollUpAccounts },
  { name: 'index-words', everyMs: 5 * MINUTE_MS, run: indexAllWords },
  { name: 'sweep-sign-in', everyMs: HOUR_MS, run: deleteExpiredSignInData },
  { name: 'sweep-standing', everyMs: HOUR_MS, run: clearExpiredQuotas },
  { name: 'forget', everyMs: HOUR_MS, run: deleteLeftovers },
  { name: 'database-size', everyMs: DAY_MS, run: (env, now) => recordSize(env, now) },
  { name: 'prove-clicks', everyMs: 5 * MINUTE_MS, run: verifyTotals },
  { name: 'prove-accounts', everyMs: 5 * MINUTE_MS, run: verifyAccounts },
  { name: 'link-id-mark', everyMs: 5 * MINUTE_MS, run: raiseLinkIdMark },
  { name: 'deleted-accounts', everyMs: HOUR_MS, run: listDeletedAccounts },
  { name: 'backup', everyMs: HOUR_MS, run: backUpNightly },
  { name: 'copy-outside', everyMs: HOUR_MS, run: copyOutside },
  { name: 'sweep-webhooks', everyMs: HOUR_MS, run: deleteOldDeliveries },
  { name: 'card-pictures', everyMs: HOUR_MS, run: deleteUnusedPictures },
  { name: 'factor-resets', everyMs: MINUTE_MS, run: mailReadyResets, waits: hasReadyResets },
  { name: 'decision-mails', everyMs: MINUTE_MS, run: mailDecisions, waits: hasDecisions },
  { name: 'link-checks', everyMs: MINUTE_MS, run: checkLinks, waits: hasDueChecks },
  {
    name: 'domains',
    everyMs: MINUTE_MS,
    run: (env, now, budget) => checkHosts(env, now, budget),
    waits: hasDueHosts,
  },
  { name: 'weekly-mail', everyMs: 5 * MINUTE_MS, run: sendWeeklyMails },
  // Runs last, because it waits for another service.
  { name: 'reputation', everyMs: 5 * MINUTE_MS, run: (env, now) => recheckReputation(env, now) },
];

const RETRY_AFTER_MS = 5 * MINUTE_MS;
const KILLED = describeJob({ reason: 'not_finished' });
const DETAIL_MAX = 500;

/**
 * Runs the jobs that are due at `now`, one after another. A job that fails or is still running does
 * not stop the others. On the platform's free plan only a few fit into one invocation, so the most
 * overdue run first. Never throws.
 */
export async function runDueJobs(
  env: Env,
  now: number,
  jobs: readonly Job[] = JOBS,
): Promise<void> {
  const invocation = startInvocation(env);
  const db = openDb(invocation.DB);
  const { isSmall } = invocation;
  const everyMs = jobs.map((job) => [job.name, longestRest(job, isSmall)]);
  try {
    await recordIntervals(db, Object.fromEntries(everyMs), now);
  } catch (error) {
    logEvent('job_not_recorded', { job: 'all', ...errorFacts(error) });
  }
  for (const job of isSmall ? await orderJobs(db, jobs, now) : jobs) {
    if (!invocation.hasRoom()) return;
    try {
      if (await claimRun(db, job, now)) await runJob(invocation, db, job, now);
    } catch (error) {
      logEvent('job_not_recorded', { job: job.name, ...errorFacts(error) });
    }
  }
}

/** The order of jobs on the free plan. Empty if D1 does not answer. */
async function orderJobs(db: Db, jobs: readonly Job[], now: number): Promise<readonly Job[]> {
  try {
    return await mostOverdueFirst(db, jobs, now);
  } catch (error) {
    logEvent('job_not_recorded', { job: 'all', ...errorFacts(error) });
    return [];
  }
}

async function runJob(invocation: Invocation, db: Db, job: Job, now: number): Promise<void> {
  let ok = true;
  let detail: string;
  /** A job that fails keeps the backlog that its last run reported. */
  let backlog: ReturnType<typeof recordBacklog | typeof clearBacklog> | null = null;
  try {
    const result = await job.run(invocation.env, now, invocation.allot());
    detail = describeJob(result);
    const { left = 0, since } = result;
    backlog =
      left > 0 ? recordBacklog(db, job.name, { left, since }, now) : clearBacklog(db, job.name);
  } catch (error) {
    const facts = errorFacts(error);
    if (invocation.isSpent()) {
      // Every step of a job is a separate transaction, so the next run continues.
      detail = describeJob({ reason: 'stopped' });
      backlog = recordBacklog(db, job.name, { left: 1 }, now);
    } else {
      ok = false;
      detail = facts.error;
      logEvent('job_failed', { job: job.name, ...facts });
    }
  }
  const durationMs = Math.max(0, Date.now() - now);
  const finish = db
    .update(job_runs)
    .set({
      finished_at: now + durationMs,
      ok,
      detail: detail.slice(0, DETAIL_MAX),
      failing_since: ok ? null : sql`coalesce(${job_runs.failing_since}, ${now})`,
    })
    // Another invocation may have claimed the job meanwhile, if this one took longer than
    // RUN_LIFETIME_MS.
    .where(and(eq(job_runs.name, job.name), eq(job_runs.started_at, now)));
  await (backlog === null ? finish : db.batch([finish, backlog]));
}

/**
 * Claims a run if the job is due. A single statement, so that two invocations cannot both claim it.
 */
async function claimRun(db: Db, job: Job, now: number): Promise<boolean> {
  const dueAfterSuccess = now - job.everyMs + EARLY_MS;
  const dueWithBacklog = now - MINUTE_MS + EARLY_MS;
  const dueAfterFailure = now - Math.min(job.everyMs - EARLY_MS, RETRY_AFTER_MS);
  const { name, started_at, finished_at, ok, detail, failing_since } = job_runs;
  // A run that has not finished was killed, for example by the limit of CPU time.
  const ifKilled = (then: SQL, otherwise: AnyColumn) =>
    sql`iif(${finished_at} is null, ${then}, ${otherwise})`;
  const claimed = await db
    .insert(job_runs)
    .values({ name: job.name, started_at: now })
    .onConflictDoUpdate({
      target: name,
      set: {
        started_at: now,
        finished_at: null,
        detail: ifKilled(sql`${KILLED}`, detail),
        failing_since: ifKilled(sql`coalesce(${failing_since}, ${started_at})`, failing_since),
      },
      setWhere: sql`case when ${finished_at} is null then ${started_at} <= ${now - RUN_LIFETIME_MS}
        when ${ok} then ${started_at} <= case when ${hasBacklog(job.name)} then ${dueWithBacklog} else ${dueAfterSuccess} end
        else ${started_at} <= ${dueAfterFailure} end`,
    })
    .returning({ name });
  return claimed.length > 0;
}
