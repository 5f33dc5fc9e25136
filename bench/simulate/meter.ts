import { d1On, type RunQueries } from '#scripts/shared/d1-on.ts';

export type LocalStorage = {
  /** Runs queries in D1. */
  run: RunQueries;
  links: {
    get: (key: string) => Promise<string | null>;
    put: (key: string, value: string) => Promise<void>;
    delete: (key: string) => Promise<void>;
  };
  vars: Record<string, string>;
  /** The bucket of the nightly backups. Code that runs the jobs needs it. */
  BACKUPS?: R2Bucket;
};

/** What the platform would bill. D1 reports the rows; `d1Ms` is the time in SQLite. */
export type Usage = {
  rowsRead: number;
  rowsWritten: number;
  d1Ms: number;
  kvReads: number;
  kvWrites: number;
  logLines: number;
};

const USAGES = ['rowsRead', 'rowsWritten', 'd1Ms', 'kvReads', 'kvWrites', 'logLines'] as const;
const noUsage = (): Usage => ({
  rowsRead: 0,
  rowsWritten: 0,
  d1Ms: 0,
  kvReads: 0,
  kvWrites: 0,
  logLines: 0,
});

/** Usage by its cause: the name of a job, or the name passed to `measure`. */
export type Usages = Record<string, Usage>;

export function addUsages(sum: Usages, more: Usages, times = 1): void {
  for (const [part, usage] of Object.entries(more)) {
    const of = (sum[part] ??= noUsage());
    for (const name of USAGES) of[name] += usage[name] * times;
  }
}

export function totalOf(usages: Usages): Usage {
  const total = noUsage();
  for (const usage of Object.values(usages)) for (const name of USAGES) total[name] += usage[name];
  return total;
}

/**
 * Statements that run a fixed number of times per day or minute, regardless of clicks: those that
 * create, find and drop the tables of a day, and those that record data for the system page.
 */
export const FIXED = 'fixed';
const IS_FIXED = /^\s*(create|drop) table|from sqlite_master|"?system_facts/i;

export type Meter = {
  env: Env;
  /**
   * Runs `work` and returns its usage. Usage belongs to `part` unless `during` names another part.
   */
  measure: (part: string, work: () => Promise<unknown>) => Promise<Usages>;
  /** Runs `work` and counts its usage under `part`. */
  during: <T>(part: string, work: () => Promise<T>) => Promise<T>;
  bytes: () => number;
};

/**
 * Creates an environment on local storage that counts every call of D1 and KV, and every line that
 * our code logs.
 */
export function meterStorage({ run, links, vars, BACKUPS }: LocalStorage): Meter {
  let usages: Usages = {};
  let current = '';
  let size = 0;
  const of = (part: string): Usage => (usages[part] ??= noUsage());
  const DB = d1On(async (queries) => {
    const results = await run(queries);
    for (const [i, { meta }] of results.entries()) {
      const usage = of(IS_FIXED.test(queries[i]?.sql ?? '') ? FIXED : current);
      usage.rowsRead += meta.rows_read;
      usage.rowsWritten += meta.rows_written;
      usage.d1Ms += meta.duration;
      size = meta.size_after;
    }
    return results;
  });
  const LINKS = {
    get: (key: string) => (of(current).kvReads++, links.get(key)),
    put: (key: string, value: string) => (of(current).kvWrites++, links.put(key, value)),
    delete: (key: string) => (of(current).kvWrites++, links.delete(key)),
  };
  const env = { ...vars, ...SETTINGS, DB, LINKS, BACKUPS };
  if (!isEnv(env)) throw new Error('The environment has no storage.');
  const during = async <T>(part: string, work: () => Promise<T>): Promise<T> => {
    const before = current;
    current = part;
    try {
      return await work();
    } finally {
      current = before;
    }
  };
  return {
    env,
    during,
    bytes: () => size,
    async measure(part, work) {
      usages = {};
      const log = console.log;
      console.log = (): void => void of(current).logLines++;
      try {
        await during(part, work);
      } finally {
        console.log = log;
      }
      return usages;
    },
  };
}

const SETTINGS = { AUTH_SECRET: 'a-secret-for-a-simulation-of-an-hour' };

/** The consumer and the jobs use only D1, KV and R2, which `meterStorage` provides. */
const isEnv = (env: object): env is Env => 'DB' in env && 'LINKS' in env;
