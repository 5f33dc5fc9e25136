import { MINUTE_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { deleteExpiredData } from '#worker/clicks/maintenance/delete-expired-data.ts';
import { openDb } from '#worker/db/client.ts';
import { readBacklogs } from '#worker/job-runtime/job-backlog.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { makeClock } from '#worker/testing/faults.ts';
import { startInvocation } from './invocation.ts';
import { runDueJobs, type Job } from './schedule.ts';

const NOW = 1_800_000_000_000;
const db = openDb(env.DB);

/** The real database, counting its statements. */
function countStatements() {
  const seen = { statements: 0 };
  const DB = withMethods(env.DB, {
    prepare: (query: string) => (seen.statements++, env.DB.prepare(query)),
  });
  return { seen, DB };
}

const fillCounters = (rows: number) =>
  env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO counters (key, count, expires_at) SELECT 'k' || i, 1, ?2 FROM n`,
  )
    .bind(rows, NOW)
    .run();

beforeEach(async () => {
  await env.DB.batch(
    ['job_runs', 'counters', 'link_claims'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
});

describe('the budget of one cron invocation', () => {
  it('[A15] 16 jobs without an end stay within 1,000 statements, and each gets a share', async () => {
    const { seen, DB } = countStatements();
    const shares: number[] = [];
    const jobs = Array.from({ length: 16 }, (_, i): Job => ({
      name: `endless-${i}`,
      everyMs: MINUTE_MS,
      // Steps of five statements, as the longest sweep has them.
      run: (given, _now, budget) => {
        let used = 0;
        for (; budget.canContinue(); used += 5)
          for (let one = 0; one < 5; one++) given.DB.prepare('SELECT 1');
        shares.push(used);
        return Promise.resolve({ left: 1 });
      },
    }));
    await runDueJobs({ ...env, DB }, NOW, jobs);
    console.log(`shares of the statements: ${shares.join(' ')}; ${seen.statements} in all`);
    expect(shares[0]).toBeGreaterThan(200);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(20);
    expect(seen.statements).toBeLessThanOrEqual(1_000);
  });

  it('[A15] every job of the product stays within 1,000 statements, whatever has piled up', async () => {
    const { seen, DB } = countStatements();
    await fillCounters(60_000);
    await runDueJobs({ ...env, DB }, NOW);
    console.log(`statements with nothing but 60,000 counters due: ${seen.statements}`);
    expect(seen.statements).toBeLessThanOrEqual(1_000);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM counters').first('n')).toBe(0);
  });

  it('a job ends after a third of the time that is left', () => {
    const clock = makeClock(NOW);
    const invocation = startInvocation(env, clock.now);
    const first = invocation.allot();
    clock.advance(3 * MINUTE_MS - 1);
    expect(first.canContinue()).toBe(true);
    clock.advance(1);
    expect(first.canContinue()).toBe(false);
    const second = invocation.allot();
    clock.advance(2 * MINUTE_MS - 1);
    expect(second.canContinue()).toBe(true);
    clock.advance(1);
    expect(second.canContinue()).toBe(false);
  });

  it('the budget counts the values that jobs write to KV', async () => {
    const invocation = startInvocation(env);
    const { kvWrites } = invocation.allot();
    expect(kvWrites()).toBe(900);
    await invocation.env.LINKS.put('some', 'value');
    expect(kvWrites()).toBe(899);
  });
});

describe('the budget of one cron invocation on the free plan', () => {
  const FREE_MAX = 45;
  // KV is not what is counted here, and 5,000 local writes take long.
  const LINKS = withMethods(env.LINKS, { put: () => Promise.resolve() });
  const minutesOf = async (minutes: number, jobs?: Job[]): Promise<number[]> => {
    const used: number[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      const { seen, DB } = countStatements();
      await runDueJobs({ ...env, DB, LINKS, WORKERS_PLAN: 'free' }, NOW + minute * MINUTE_MS, jobs);
      used.push(seen.statements);
    }
    return used;
  };

  it('[A15] a run stays within 45 statements while all jobs get turns and a backlog shrinks', async () => {
    await fillCounters(9_000);
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
       INSERT INTO links (code, target, target_host, created_at, updated_at)
       SELECT 'f' || i, 'https://bad.example/' || i, 'bad.example', ?1, ?1 FROM n`,
    )
      .bind(NOW)
      .run();
    await env.DB.prepare(
      `INSERT INTO blocklist (kind, value, created_at) VALUES ('host', 'bad.example', ?1)`,
    )
      .bind(NOW)
      .run();
    const used = await minutesOf(30);
    console.log(`statements of 30 minutes on the free plan: ${used.join(' ')}`);
    expect(Math.max(...used)).toBeLessThanOrEqual(FREE_MAX);
    const ran = env.DB.prepare(
      `SELECT count(*) AS n FROM job_runs WHERE name NOT LIKE '%:%' AND finished_at IS NOT NULL`,
    );
    expect(await ran.first('n')).toBeGreaterThanOrEqual(13);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM counters').first('n')).toBe(0);
    expect(
      await env.DB.prepare(`SELECT count(*) AS n FROM links WHERE status = 'disabled'`).first('n'),
    ).toBe(5_000);
    await env.DB.batch(
      ['blocklist', 'link_holds', 'link_outbox', 'links'].map((table) =>
        env.DB.prepare(`DELETE FROM ${table}`),
      ),
    );
  });

  it('[A15] jobs rest while nothing waits for them, and never all of them for long', async () => {
    const started: number[] = [];
    const lastRuns = async () =>
      (
        await env.DB.prepare('SELECT started_at AS at FROM job_runs WHERE started_at > ?1')
          .bind(NOW)
          .all<{ at: number }>()
      ).results;
    for (let minute = 0; minute < 100; minute++) {
      const now = NOW + minute * MINUTE_MS;
      if (minute === 99) {
        await makeLinks([1]);
        const due = `INSERT INTO link_outbox (link_id, version, queued_at) VALUES (1, 1, ?1)`;
        await env.DB.prepare(due).bind(NOW).run();
      }
      await runDueJobs({ ...env, LINKS, WORKERS_PLAN: 'free' }, now);
      if (minute >= 40)
        started.push(...(await lastRuns()).filter(({ at }) => at === now).map(() => minute));
    }
    console.log(`runs of jobs in an idle hour on the free plan: ${started.length}`);
    expect(started.length).toBeLessThan(120);
    // The signal Cron turns red after 10 minutes without a run.
    expect(Math.max(...started.map((minute, i) => minute - (started[i - 1] ?? 40)))).toBeLessThan(
      9,
    );
    const outbox = env.DB.prepare(`SELECT started_at, detail FROM job_runs WHERE name = 'outbox'`);
    expect(await outbox.first()).toEqual({
      started_at: NOW + 99 * MINUTE_MS,
      detail: '1 link published',
    });
    for (const table of ['link_outbox', 'links'])
      await env.DB.prepare(`DELETE FROM ${table}`).run();
  });

  it('[A15] a job without an end stops, and continues in the next minute after the others', async () => {
    let runs = 0;
    const endless: Job = {
      name: 'endless',
      everyMs: MINUTE_MS,
      run: (given) => {
        runs++;
        for (let i = 0; i < 100; i++) given.DB.prepare('SELECT 1');
        return Promise.resolve({});
      },
    };
    const quiet: Job = { name: 'quiet', everyMs: MINUTE_MS, run: () => Promise.resolve({}) };
    expect(Math.max(...(await minutesOf(4, [endless, quiet])))).toBeLessThanOrEqual(FREE_MAX);
    expect(runs).toBeGreaterThanOrEqual(2);
    const rows = await env.DB.prepare(
      `SELECT name, ok, detail FROM job_runs WHERE name IN ('endless', 'quiet') ORDER BY name`,
    ).all();
    expect(rows.results).toEqual([
      { name: 'endless', ok: 1, detail: 'stopped at the limit of statements' },
      { name: 'quiet', ok: 1, detail: 'nothing to do' },
    ]);
  });
});

describe('a backlog', () => {
  const upTo = (steps: number) => {
    let left = steps;
    return { canContinue: () => left-- > 0, kvWrites: () => 0 };
  };

  it('[A15] jobs delete a backlog in turns, and count what is left', async () => {
    await fillCounters(9_000);
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       INSERT INTO link_claims (link_id, token_hash, expires_at) SELECT i, 'h' || i, ?1 FROM n`,
    )
      .bind(NOW)
      .run();
    expect(await deleteExpiredData(env, NOW, upTo(2))).toEqual({
      done: { tables_dropped: 0 },
      deleted: { counters: 4_000, link_claims: 3_000 },
      left: 5_000,
    });
    expect(await deleteExpiredData(env, NOW, upTo(2))).toMatchObject({
      deleted: { counters: 4_000 },
      left: 1_000,
    });
    expect(await deleteExpiredData(env, NOW, upTo(2))).toMatchObject({
      deleted: { counters: 1_000 },
      left: 0,
    });
  });

  it('a backlog makes a job run every minute until done, and keeps its start time', async () => {
    const runs: number[] = [];
    const job: Job = {
      name: 'behind',
      everyMs: 60 * MINUTE_MS,
      run: (_, now) => {
        runs.push((now - NOW) / MINUTE_MS);
        return Promise.resolve({ left: Math.max(0, 30 - 10 * runs.length) });
      },
    };
    const runAt = (minute: number) => runDueJobs(env, NOW + minute * MINUTE_MS, [job]);
    await runAt(0);
    expect(await readBacklogs(db)).toEqual([{ job: 'behind', left: 20, since: NOW }]);
    await runAt(1);
    expect(await readBacklogs(db)).toEqual([{ job: 'behind', left: 10, since: NOW }]);
    for (const minute of [2, 3, 61, 62]) await runAt(minute);
    expect(await readBacklogs(db)).toEqual([]);
    expect(runs).toEqual([0, 1, 2, 62]);
  });

  it('a backlog begins when its oldest row was due, if the job knows that', async () => {
    const run = () => Promise.resolve({ left: 7, since: NOW - 5 * MINUTE_MS });
    for (const minute of [0, 1])
      await runDueJobs(env, NOW + minute * MINUTE_MS, [{ name: 'knows', everyMs: MINUTE_MS, run }]);
    expect(await readBacklogs(db)).toEqual([{ job: 'knows', left: 7, since: NOW - 5 * MINUTE_MS }]);
  });

  it('a backlog stays recorded while the job fails', async () => {
    let fails = false;
    const run = () => (fails ? Promise.reject(new Error('down')) : Promise.resolve({ left: 3 }));
    await runDueJobs(env, NOW, [{ name: 'fails', everyMs: MINUTE_MS, run }]);
    fails = true;
    await runDueJobs(env, NOW + 5 * MINUTE_MS, [{ name: 'fails', everyMs: MINUTE_MS, run }]);
    expect(await readBacklogs(db)).toEqual([{ job: 'fails', left: 3, since: NOW }]);
  });
});
