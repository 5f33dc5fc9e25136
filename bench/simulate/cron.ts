import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { readBacklogs } from '#worker/db/job-backlog.ts';
import { JOBS, runDueJobs } from '#worker/jobs/schedule.ts';
import { addUsages, type Meter, type Usage, type Usages } from './meter.ts';

/**
 * The runs of cron on a simulated day, in minutes after midnight, each with the number of runs of that day that do the same. The first
 * one has all jobs and finds the clicks of the day before. The others have nothing new to do: they stand for the hours, minutes, five
 * minutes and quarters of an hour in which the jobs of that rhythm are due.
 */
const NIGHT = { minute: 5, times: 1 };
const MINUTE = { minute: 66, times: 24 * 60 - 24 * 12 };
const OTHERS = [{ minute: 65, times: 23 }, MINUTE, { minute: 71, times: 24 * 12 - 24 * 4 }, { minute: 81, times: 24 * 4 - 24 }];
const RUNS = [NIGHT, ...OTHERS];
/** The others run on every fifth day, which stands for five days. */
const OTHERS_EVERY_DAYS = 5;
const MORE_RUNS_MAX = 5;
/** The schedule's own statements. */
const SCHEDULE = 'schedule';

/** Throws if the last run of a job failed. */
export async function assertJobsWork({ env }: Meter): Promise<void> {
  const { results } = await env.DB.prepare('SELECT name, detail FROM job_runs WHERE NOT ok').all();
  if (results.length > 0) throw new Error(`Jobs failed: ${JSON.stringify(results)}`);
}

/** What cron uses on a database without links and clicks, by the minute of `RUNS`. */
export type IdleCron = Record<number, Usages>;

const runCron = (meter: Meter, now: number): Promise<Usages> => {
  const jobs = JOBS.map((job) =>
    Object.assign({}, job, {
      run: (...args: Parameters<typeof job.run>) => meter.during(job.name, () => job.run(...args)),
    }),
  );
  return meter.measure(SCHEDULE, () => runDueJobs(meter.env, now, jobs));
};

const runsOf = (dayNumber: number): typeof RUNS => (dayNumber % OTHERS_EVERY_DAYS === 0 ? RUNS : [NIGHT]);

/** Measures the runs of cron on an empty database over so many days before `end`. */
export async function measureIdleCron(meter: Meter, end: number, days: number): Promise<IdleCron> {
  // The first run makes keys and marks.
  await runCron(meter, end - (days + 1) * DAY_MS);
  const found: Record<number, Usages[]> = {};
  for (let day = 0; day < days; day++)
    for (const { minute } of runsOf(day))
      (found[minute] ??= []).push(await runCron(meter, end - (days - day) * DAY_MS + minute * MINUTE_MS));
  return Object.fromEntries(Object.entries(found).map(([minute, all]) => [minute, averageOf(all)]));
}

function averageOf(all: readonly Usages[]): Usages {
  const average: Usages = {};
  for (const usages of all) addUsages(average, usages, 1 / all.length);
  return average;
}

/** What cron uses on a day without links and clicks. */
export function usageOfIdleDay(idle: IdleCron): Usages {
  const day: Usages = {};
  for (const { minute, times } of RUNS) addUsages(day, idle[minute] ?? {}, times);
  return day;
}

/** Runs cron on a day. `day` is its number since the first one. Returns what it uses beyond an idle day. */
export async function runCronOfDay(meter: Meter, start: number, day: number, idle: IdleCron): Promise<Usages> {
  const beyond: Usages = {};
  const addNight = async (minute: number, like: Usages) => {
    addUsages(beyond, await runCron(meter, start + minute * MINUTE_MS));
    addUsages(beyond, like, -1);
  };
  await addNight(NIGHT.minute, idle[NIGHT.minute] ?? {});
  for (let more = 1; more <= MORE_RUNS_MAX && (await readBacklogs(openDb(meter.env.DB))).length > 0; more++)
    await addNight(NIGHT.minute + more, idle[MINUTE.minute] ?? {});
  for (const { minute, times } of runsOf(day).slice(1)) {
    const used = await runCron(meter, start + minute * MINUTE_MS);
    for (const [part, usage] of Object.entries(used)) {
      const without = idle[minute]?.[part];
      // Differences of time alone are those of the machine.
      if (without !== undefined && isSameWork(usage, without)) continue;
      addUsages(beyond, { [part]: usage }, times * OTHERS_EVERY_DAYS);
      if (without !== undefined) addUsages(beyond, { [part]: without }, -times * OTHERS_EVERY_DAYS);
    }
  }
  return beyond;
}

/** Whether two runs read and write the same, but for a row that one of several idle runs may have had to itself. */
const isSameWork = (a: Usage, b: Usage): boolean =>
  Math.abs(a.rowsRead - b.rowsRead) + Math.abs(a.rowsWritten - b.rowsWritten) < 1;
