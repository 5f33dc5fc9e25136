import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#worker/db/client.ts';
import { UNBOUNDED, type JobBudget } from '#worker/job-runtime/job-budget.ts';
import { links } from '#worker/db/schema-links.ts';
import { readJobState, saveJobState } from '#worker/job-runtime/job-state.ts';
import { jsonList } from '#worker/db/json-rows.ts';
import { LINKS_PER_STEP, stateName, type Sweep } from '#worker/job-runtime/sweep-links.ts';

export type AccountSweep<T> = Omit<Sweep<T>, 'over'> & {
  /**
   * Finds the accounts, once per run. `before` is the period of the sweep before this one, -1 for
   * the first.
   */
  accounts: (before: number) => Promise<string[]>;
};
export type SweptLink = { id: number; shard: number };

/** An id above all others. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * `sweepLinks` for the links of some accounts: it reads nothing of other accounts. Links are
 * visited in the order of their accounts. `left` counts the accounts of which links are left.
 */
export async function sweepAccounts<T>(
  db: Db,
  { name, period, start, schema, accounts }: AccountSweep<T>,
  step: (some: readonly SweptLink[], accumulator: T) => Promise<T>,
  budget: JobBudget = UNBOUNDED,
): Promise<{ worked: boolean; left: number; accumulator: T }> {
  const stateSchema = z.object({
    period: z.number(),
    before: z.number(),
    user: z.string(),
    after: z.number(),
    done: z.boolean(),
    carry: schema,
  });
  // After an upgrade the stored shape may be another. The sweep then starts over.
  const last = stateSchema.safeParse(
    JSON.parse((await readJobState(db, stateName(name))) ?? 'null'),
  ).data;
  if (last !== undefined && last.done && last.period >= period)
    return { worked: false, left: 0, accumulator: last.carry };
  const state: z.infer<typeof stateSchema> =
    last === undefined || last.done
      ? { period, before: last?.period ?? -1, user: '', after: END, done: false, carry: start }
      : last;
  const users = [...new Set(await accounts(state.before))].toSorted();
  const isAhead = (user: string): boolean => user > state.user;
  do {
    const next = users.filter(isAhead).slice(0, LINKS_PER_STEP);
    const some = await readStep(db, state, next);
    if (some.length > 0) state.carry = await step(some, state.carry);
    const end = some.length < LINKS_PER_STEP ? undefined : some.at(-1);
    state.user = end?.user_id ?? next.at(-1) ?? state.user;
    state.after = end?.id ?? END;
    state.done = end === undefined && !users.some(isAhead);
  } while (!state.done && budget.canContinue());
  await saveJobState(db, stateName(name), {
    at: state.period,
    ok: true,
    detail: JSON.stringify(state),
  });
  return {
    worked: true,
    left: state.done ? 0 : 1 + users.filter(isAhead).length,
    accumulator: state.carry,
  };
}

type Row = SweptLink & { user_id: string };

/** The links of the account that the last step has ended in, and of those after it. */
async function readStep(
  db: Db,
  { user, after }: { user: string; after: number },
  next: readonly string[],
): Promise<Row[]> {
  // Without other shards an index has all that is read.
  const shard = db.$shards.others.size === 0 ? sql`0` : sql`shard`;
  const select = (where: SQL, most: number): Promise<Row[]> =>
    db.all<Row>(
      sql`select id, ${shard} as shard, user_id from ${links} where ${where} order by user_id, id limit ${most}`,
    );
  const rest =
    after === END ? [] : await select(sql`user_id = ${user} and id > ${after}`, LINKS_PER_STEP);
  if (rest.length === LINKS_PER_STEP || next.length === 0) return rest;
  // SQLite goes through such a list in its order, so the limit ends it early.
  return [
    ...rest,
    ...(await select(sql`user_id in ${jsonList(next)}`, LINKS_PER_STEP - rest.length)),
  ];
}
