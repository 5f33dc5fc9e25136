import { sql, type SQL } from 'drizzle-orm';
import { prepare } from './batch.ts';
import { openDb, type Db } from './client.ts';
import { withMethods } from './with-methods.ts';

/** What a caller needs so that a write of theirs may happen. */
export type WriteRight = {
  /** True in SQL while the caller has the right; `now` in ms. */
  holds: (now: number) => SQL;
  /**
   * Throws the error that tells the caller that the right has ended, if it has. Called after a
   * write failed.
   */
  check: () => Promise<void>;
};

/**
 * Returns a client whose every write is a batch that begins by checking `right`: once the right has
 * ended, the batch fails as a whole and nothing is written, whatever the code that called it has
 * checked before. Reads stay as they are. The databases that hold clicks beside the main one are
 * not guarded: nobody's right is stored there.
 */
export function guardWrites(db: Db, right: WriteRight): Db {
  const { $client: binding, $shards: shards } = db;
  /** The statements of this client that D1 itself runs, behind those that are handed out. */
  const prepared = new WeakMap<
    D1PreparedStatement,
    { statement: D1PreparedStatement; isRead: boolean }
  >();

  const write = async <T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> => {
    // `json()` of text that is not JSON is an error, which D1 answers by rolling the batch back.
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
  return openDb(guarded, shards);
}

/** Errs on the side of a write: a read that is taken for one is only checked without need. */
const isRead = (query: string): boolean =>
  /^\s*select\b/i.test(query) && !/\b(insert|update|delete|replace)\b/i.test(query);
