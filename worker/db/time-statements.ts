import { observe, observeBusy } from '#worker/metrics/counters.ts';
import { withMethods } from './with-methods.ts';

/** Bindings that `timeStatements` has returned, so that nothing is measured twice. */
const timed = { databases: new WeakSet<D1Database>() };

/**
 * Returns `db` with every statement and batch measured: its duration, and for how long it occupied
 * the database, as far as D1 reports it. `name` is the name of the binding.
 */
export function timeStatements(db: D1Database, name: string): D1Database {
  if (timed.databases.has(db)) return db;
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const one = async <T extends D1Result>(call: Promise<T>): Promise<T> => {
    const result = await time('statement', call);
    observeBusy(name, result.meta.duration);
    return result;
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = withMethods(statement, {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: () => one(statement.all()),
      run: () => one(statement.run()),
      raw: () => time('statement', statement.raw()),
      first: (column?: string) =>
        time('statement', column === undefined ? statement.first() : statement.first(column)),
    });
    originals.set(wrapped, statement);
    return wrapped;
  };
  const database = withMethods(db, {
    prepare: (query: string) => wrap(db.prepare(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      const unwrapped = statements.map((statement) => originals.get(statement) ?? statement);
      const results = await time('batch', db.batch(unwrapped));
      observeBusy(
        name,
        results.reduce((sum, { meta }) => sum + meta.duration, 0),
      );
      return results;
    },
  });
  timed.databases.add(database);
  return database;
}

/** Observes how long a call of D1 takes, and passes its result on. */
async function time<T>(operation: 'statement' | 'batch', call: Promise<T>): Promise<T> {
  const startedAt = Date.now();
  let error = 'error';
  try {
    const result = await call;
    error = '';
    return result;
  } finally {
    observe('db.client.operation.duration', Date.now() - startedAt, operation, error);
  }
}
