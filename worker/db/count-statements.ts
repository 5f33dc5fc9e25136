import { withMethods } from './with-methods.ts';

/** `db`, with `count` called before it prepares a statement. `count` may throw. */
export const countStatements = (db: D1Database, count: () => void): D1Database =>
  withMethods(db, {
    prepare: (query: string) => {
      count();
      return db.prepare(query);
    },
  });
