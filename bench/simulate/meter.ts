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

/** `env` with every call of D1 and KV counted, and every line that our code logs. `bytes`: the size of the database. */
export function meterEnv(env: Env): Meter {
  let usage = { ...NO_USAGE };
  let size = 0;
  const count = ({ meta }: D1Result): void => {
    usage.rowsRead += meta.rows_read;
    usage.rowsWritten += meta.rows_written;
    usage.d1Ms += meta.duration;
    size = meta.size_after;
  };
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const all = async () => {
      const result = await statement.all();
      count(result);
      return result;
    };
    // Only `all` reports what a statement cost, so the other calls are answered from it.
    const wrapped = replace(statement, {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all,
      run: all,
      first: async (column?: string) => {
        const row = (await all()).results[0] ?? null;
        return column === undefined || row === null ? row : row[column];
      },
      raw: async () => (await all()).results.map((row) => Object.values(row)),
    });
    originals.set(wrapped, statement);
    return wrapped;
  };
  const DB = replace(env.DB, {
    prepare: (query: string) => wrap(env.DB.prepare(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements.map((statement) => originals.get(statement) ?? statement));
      results.forEach(count);
      return results;
    },
  });
  const LINKS = replace(env.LINKS, {
    get: (key: string) => (usage.kvReads++, env.LINKS.get(key)),
    put: (key: string, value: string) => (usage.kvWrites++, env.LINKS.put(key, value)),
    delete: (key: string) => (usage.kvWrites++, env.LINKS.delete(key)),
  });
  return {
    env: { ...env, DB, LINKS },
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

function replace<T extends object>(binding: T, methods: Partial<Record<keyof T, (...args: never[]) => unknown>>): T {
  const replaced: Record<PropertyKey, unknown> = methods;
  return new Proxy(binding, {
    get(target, name) {
      if (replaced[name] !== undefined) return replaced[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
