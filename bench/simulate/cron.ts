import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { readBacklogs } from '#worker/job-runtime/job-backlog.ts';
import { JOBS, runDueJobs } from '#worker/jobs/schedule.ts';
import { addUsages, type Meter, type Usage, type Usages } from './meter.ts';

/**
 * The runs of cron on a simulated day: minutes after midnight, and how many runs of the day do the
 * same work. The first run has all jobs and finds the clicks of the previous day. The others stand
 * for all runs with the same jobs and find nothing new.
 */
const NIGHT = { minute: 5, times: 1 };
const MINUTE = { minute: 66, times: 24 * 60 - 24 * 12 };
const OTHERS = [
  { minute: 65, times: 23 },
  MINUTE,
  { minute: 71, times: 24 * 12 - 24 * 4 },
  { minute: 81, times: 24 * 4 - 24 },
];
const RUNS = [NIGHT, ...OTHERS];
/** The other runs are simulated on every tenth day, which counts ten times. */
const OTHERS_EVERY_DAYS = 10;
/**
 * The copy of the database takes long to simulate, and one in seven is a full one. So it runs in
 * every fourth week, which counts four times. Its reads grow evenly.
 */
const BACKUP = 'backup';
const BACKUP_EVERY_WEEKS = 4;
/**
 * If a job reads and writes at most this many rows more than on an empty database, its work does
 * not grow with the number of links.
 */
const FEW_ROWS = 3;
const MORE_RUNS_MAX = 5;
/** The part that covers the schedule's own statements. */
const SCHEDULE = 'schedule';

/** Throws if the last run of a job failed. */
export async function assertJobsWork({ env }: Meter): Promise<void> {
  const { results } = await env.DB.prepare('SELECT name, detail FROM job_runs WHERE NOT ok').all();
  if (results.length > 0) throw new Error(`Jobs failed: ${JSON.stringify(results)}`);
}

/** The usage of cron on a database without links and clicks, by the minute of `RUNS`. */
export type IdleCron = Record<number, Usages>;

const runCron = (meter: Meter, now: number, withBackup = true): Promise<Usages> => {
  const jobs = JOBS.map((job) => {
    const run = (...args: Parameters<typeof job.run>) =>
      meter.during(job.name, () => job.run(...args));
    return Object.assign({}, job, {
      run: withBackup || job.name !== BACKUP ? run : () => Promise.resolve('left out'),
    });
  });
  return meter.measure(SCHEDULE, () => runDueJobs(meter.env, now, jobs));
};

const hasOthers = (day: number): boolean => day % OTHERS_EVERY_DAYS === 0;
const hasBackup = (day: number): boolean => Math.floor(day / 7) % BACKUP_EVERY_WEEKS === 0;

/** Measures the runs of cron on an empty database over `days` days before `end`. */
export async function measureIdleCron(meter: Meter, end: number, days: number): Promise<IdleCron> {
  // The first run creates keys and records, so it is not measured.
  await runCron(meter, end - (days + 1) * DAY_MS);
  const found: Record<number, Usages[]> = {};
  for (let day = 0; day < days; day++)
    for (const { minute } of hasOthers(day) ? RUNS : [NIGHT])
      (found[minute] ??= []).push(
        await runCron(meter, end - (days - day) * DAY_MS + minute * MINUTE_MS),
      );
  return Object.fromEntries(Object.entries(found).map(([minute, all]) => [minute, averageOf(all)]));
}

function averageOf(all: readonly Usages[]): Usages {
  const average: Usages = {};
  for (const usages of all) addUsages(average, usages, 1 / all.length);
  return average;
}

export function usageOfIdleDay(idle: IdleCron): Usages {
  const day: Usages = {};
  for (const { minute, times } of RUNS) addUsages(day, idle[minute] ?? {}, times);
  return day;
}

/** Runs cron on `day`, counted from 0. Returns its usage beyond that of an idle day. */
export async function runCronOfDay(
  meter: Meter,
  start: number,
  day: number,
  idle: IdleCron,
): Promise<Usages> {
  const beyond: Usages = {};
  const standsFor = hasOthers(day) ? OTHERS_EVERY_DAYS : 0;
  const backupStandsFor = hasBackup(day) ? BACKUP_EVERY_WEEKS : 0;
  const runNight = async (minute: number, without: Usages = {}) => {
    const used = await runCron(meter, start + minute * MINUTE_MS, hasBackup(day));
    for (const part of new Set([...Object.keys(used), ...Object.keys(without)]))
      addBeyond(beyond, part, used, without, part === BACKUP ? backupStandsFor : 1);
  };
  await runNight(NIGHT.minute, idle[NIGHT.minute]);
  for (
    let more = 1;
    more <= MORE_RUNS_MAX && (await readBacklogs(openDb(meter.env.DB))).length > 0;
    more++
  )
    await runNight(NIGHT.minute + more, idle[MINUTE.minute]);
  for (const { minute, times } of standsFor > 0 ? OTHERS : []) {
    const used = await runCron(meter, start + minute * MINUTE_MS, hasBackup(day));
    for (const [part, usage] of Object.entries(used)) {
      const without = idle[minute] ?? {};
      // If only the time differs, the difference is noise of the machine.
      if (!isSameWork(usage, without[part]))
        addBeyond(beyond, part, used, without, times * standsFor);
    }
  }
  return beyond;
}

/** Adds to `sum` what `part` used more than on an empty database, multiplied by `times`. */
function addBeyond(sum: Usages, part: string, used: Usages, without: Usages, times: number): void {
  if (used[part] !== undefined) addUsages(sum, { [part]: used[part] }, times);
  if (without[part] !== undefined) addUsages(sum, { [part]: without[part] }, -times);
}

const isSameWork = (used: Usage, without?: Usage): boolean =>
  Math.abs(used.rowsRead - (without?.rowsRead ?? 0)) +
    Math.abs(used.rowsWritten - (without?.rowsWritten ?? 0)) <=
  FEW_ROWS;
