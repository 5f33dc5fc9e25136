import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { logEvent } from '#worker/log.ts';
import { applyBlocklist } from '#worker/abuse/apply-blocklist.ts';
import { deleteExpiredClickData } from '#worker/clicks/delete-expired-click-data.ts';
import { deleteLeftovers } from '#worker/account/delete-leftovers.ts';
import { rollUpHours } from '#worker/clicks/roll-up-hours.ts';
import { rollUpDays } from '#worker/clicks/roll-up-days.ts';
import { drainOutbox } from '#worker/links/drain-outbox.ts';
import { verifyTotals } from '#worker/clicks/verify-totals.ts';
import { pruneRecentClicks } from '#worker/clicks/prune-recent-clicks.ts';
import { rotateSigningKeys } from '#worker/auth/tokens/rotate-signing-keys.ts';
import { deleteExpiredSignInData } from '#worker/auth/delete-expired-sign-in-data.ts';
import { clearExpiredQuotas } from '#worker/account/clear-expired-quotas.ts';
import { recheckReputation } from '#worker/abuse/recheck-reputation.ts';
import { rotateVisitorKeys } from '#worker/clicks/rotate-visitor-keys.ts';

/**
 * A job does all that is due at `now`, however long ago it last ran (cron may miss minutes and repeat them), in a
 * bounded time, and may safely run twice. What it returns stands in `job_runs.detail`, for the admin page.
 */
export type Job = { name: string; everyMs: number; run: (env: Env, now: number) => Promise<string> };

/** Every job of the product, one line each, in the order of urgency. */
const JOBS: readonly Job[] = [
  { name: 'outbox', everyMs: MINUTE_MS, run: drainOutbox },
  { name: 'blocklist', everyMs: MINUTE_MS, run: applyBlocklist },
  { name: 'visitor-keys', everyMs: HOUR_MS, run: rotateVisitorKeys },
  { name: 'signing-keys', everyMs: HOUR_MS, run: rotateSigningKeys },
  // Sweeps: each run goes a bounded number of links further, and costs one row read once the day or month is done.
  { name: 'expire', everyMs: 15 * MINUTE_MS, run: deleteExpiredClickData },
  { name: 'fold-hours', everyMs: 5 * MINUTE_MS, run: rollUpHours },
  { name: 'fold-months', everyMs: 5 * MINUTE_MS, run: rollUpDays },
  { name: 'prune-recent', everyMs: 5 * MINUTE_MS, run: pruneRecentClicks },
  { name: 'sweep-sign-in', everyMs: HOUR_MS, run: deleteExpiredSignInData },
  { name: 'sweep-standing', everyMs: HOUR_MS, run: clearExpiredQuotas },
  { name: 'forget', everyMs: HOUR_MS, run: deleteLeftovers },
  { name: 'prove-clicks', everyMs: 5 * MINUTE_MS, run: verifyTotals },
  // Last: it waits for somebody else's answers.
  { name: 'reputation', everyMs: 5 * MINUTE_MS, run: (env, now) => recheckReputation(env, now) },
];

/** Cron comes a little early at times; a minute's job must not skip that minute. */
const EARLY_MS = 20_000;
const FAILED_AGAIN_MS = 5 * MINUTE_MS;
/** An invocation lives for 15 minutes at the most: a run that has not ended by then is dead. */
const DEAD_MS = 15 * MINUTE_MS;

/** Runs the jobs that are due at `now`, one after another. One that fails or is still running stops no other. */
export async function runDueJobs(env: Env, now: number, jobs: readonly Job[] = JOBS): Promise<void> {
  for (const job of jobs) {
    try {
      if (await claim(env.DB, job, now)) await runOne(env, job, now);
    } catch (error) {
      logEvent('job_not_recorded', { job: job.name, error: String(error) });
    }
  }
}

async function runOne(env: Env, job: Job, now: number): Promise<void> {
  let ok = true;
  let detail: string;
  try {
    detail = await job.run(env, now);
  } catch (error) {
    ok = false;
    detail = String(error);
    logEvent('job_failed', { job: job.name, error: detail });
  }
  const took = Math.max(0, Date.now() - now);
  await env.DB.prepare(`UPDATE job_runs SET finished_at = ?2, ok = ?3, detail = ?4 WHERE name = ?1 AND started_at = ?5`)
    .bind(job.name, now + took, ok ? 1 : 0, detail.slice(0, 500), now)
    .run();
}

/** Takes the job's row, if it is due and nobody else has it: one statement, so two invocations cannot both get it. */
async function claim(db: D1Database, job: Job, now: number): Promise<boolean> {
  const row = await db
    .prepare(
      `INSERT INTO job_runs (name, started_at) VALUES (?1, ?2)
       ON CONFLICT (name) DO UPDATE SET started_at = ?2, finished_at = NULL
       WHERE CASE WHEN finished_at IS NULL THEN started_at <= ?5
                  WHEN ok THEN started_at <= ?3
                  ELSE started_at <= ?4 END
       RETURNING name`,
    )
    .bind(job.name, now, now - job.everyMs + EARLY_MS, now - Math.min(job.everyMs - EARLY_MS, FAILED_AGAIN_MS), now - DEAD_MS)
    .first();
  return row !== null;
}
