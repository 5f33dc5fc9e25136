import { sql, type SQL } from 'drizzle-orm';
import { prepare } from './batch.ts';
import { clientOf, type Db } from './client.ts';
import { withMethods } from './with-methods.ts';

/** The right that a caller needs for every write. */
export type WriteRight = {
  /** True in SQL while the caller has the right; `now` in ms. */
  holds: (now: number) => SQL;
  /** Called after a write failed. Throws the error to show the caller if the right has ended. */
  check: () => Promise<void>;
};

/**
 * Returns a client whose every write is a batch that first checks `right`. Once the right has
 * ended, the batch fails as a whole and nothing is written, whatever the calling code has checked
 * before. Reads are unchanged. Databases other than the main one are not guarded, because no rights
 * are stored there.
 */
export function guardWrites(db: Db, right: WriteRight): Db {
  const { $client: binding, $shards: shards } = db;
  /** Maps the statements that this client hands out to those that D1 runs. */
  const prepared = new WeakMap<
    D1PreparedStatement,
    { statement: D1PreparedStatement; isRead: boolean }
  >();

  const write = async <T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> => {
    // `json()` of text that is not JSON raises an error, which rolls back the batch.
    const guard = prepare(
      db,
      sql`select json(iif(${right.holds(Date.now())}, 'true', 'the right has ended'))`,
    );
    try {
      const [, ...results] = await binding.batch<T>([guard, ...statements]);
      return results;
    } catch (error) {
      await right.check();
      throw error;
    }
  };
  const writeOne = async (
    statement: D1PreparedStatement,
  ): Promise<D1Result<Record<string, unknown>>> => {
    const [result] = await write<Record<string, unknown>>([statement]);
    if (result === undefined) throw new Error('D1 gave no result for a write.');
    return result;
  };
  const wrap = (statement: D1PreparedStatement, isRead: boolean): D1PreparedStatement => {
    const bind = (...values: unknown[]) => wrap(statement.bind(...values), isRead);
    const guardedRun = {
      run: () => writeOne(statement),
      all: () => writeOne(statement),
      first: async (column?: string) => {
        const [row = null] = (await writeOne(statement)).results;
        return row === null || column === undefined ? row : row[column];
      },
      raw: async () => (await writeOne(statement)).results.map((row) => Object.values(row)),
    };
    const wrapped = withMethods(statement, isRead ? { bind } : { bind, ...guardedRun });
    prepared.set(wrapped, { statement, isRead });
    return wrapped;
  };
  const unsupported = () => {
    throw new Error('A guarded client has no sessions and runs no scripts.');
  };
  const guarded = withMethods(binding, {
    prepare: (query: string) => wrap(binding.prepare(query), isRead(query)),
    // A statement that another client prepared counts as a write.
    batch: (statements: D1PreparedStatement[]) => {
      const known = statements.map(
        (statement) => prepared.get(statement) ?? { statement, isRead: false },
      );
      const run = known.every((one) => one.isRead) ? binding.batch.bind(binding) : write;
      return run(known.map(({ statement }) => statement));
    },
    exec: unsupported,
    withSession: unsupported,
  });
  return clientOf(guarded, shards);
}

/** When in doubt a statement counts as a write, because checking a read does no harm. */
const isRead = (query: string): boolean =>
  /^\s*select\b/i.test(query) && !/\b(insert|update|delete|replace)\b/i.test(query);
