import type { LocalStorage, Result, Statement } from './local-storage.ts';

/** What the platform would bill for the work of one environment. Rows are D1's own figures. `d1Ms`: its time in SQLite. */
export type Usage = { rowsRead: number; rowsWritten: number; d1Ms: number; kvReads: number; kvWrites: number; logLines: number };

export const NO_USAGE: Usage = { rowsRead: 0, rowsWritten: 0, d1Ms: 0, kvReads: 0, kvWrites: 0, logLines: 0 };

export function addUsage(a: Usage, b: Usage, times = 1): Usage {
  const sum = { ...a };
  for (const name of USAGES) sum[name] += b[name] * times;
  return sum;
}

const USAGES = ['rowsRead', 'rowsWritten', 'd1Ms', 'kvReads', 'kvWrites', 'logLines'] as const;

export type Meter = { env: Env; measure: (work: () => Promise<unknown>) => Promise<Usage>; bytes: () => number };

/** An environment on local storage with every call of D1 and KV counted, and every line that our code logs. `bytes`: the size of the database. */
export function meterStorage({ run, links, vars }: LocalStorage): Meter {
  let usage = { ...NO_USAGE };
  let size = 0;
  const runCounted = async (statements: readonly Statement[]): Promise<Result[]> => {
    const results = await run(statements);
    for (const { meta } of results) {
      usage.rowsRead += meta.rows_read;
      usage.rowsWritten += meta.rows_written;
      usage.d1Ms += meta.duration;
      size = meta.size_after;
    }
    return results;
  };
  const prepare = (query: string, params: readonly unknown[] = []) => {
    const all = async () => (await runCounted([{ query, params }]))[0];
    return {
      query,
      params,
      bind: (...values: unknown[]) => prepare(query, values),
      all,
      run: all,
      first: async (column?: string) => {
        const row = (await all())?.results[0] ?? null;
        return column === undefined || row === null ? row : row[column];
      },
      raw: async () => (await all())?.results.map((row) => Object.values(row)),
    };
  };
  const LINKS = {
    get: (key: string) => (usage.kvReads++, links.get(key)),
    put: (key: string, value: string) => (usage.kvWrites++, links.put(key, value)),
    delete: (key: string) => (usage.kvWrites++, links.delete(key)),
  };
  const env = { ...vars, ...SETTINGS, DB: { prepare, batch: runCounted }, LINKS };
  if (!isEnv(env)) throw new Error('The environment has no storage.');
  return {
    env,
    bytes: () => size,
    async measure(work) {
      usage = { ...NO_USAGE };
      const log = console.log;
      console.log = (): void => void usage.logLines++;
      try {
        await work();
      } finally {
        console.log = log;
      }
      return usage;
    },
  };
}

const SETTINGS = { AUTH_SECRET: 'a-secret-for-a-simulation-of-an-hour' };

/** The consumer and the jobs use D1 and KV only, and of them only what `meterStorage` has. */
const isEnv = (env: object): env is Env => 'DB' in env && 'LINKS' in env;
