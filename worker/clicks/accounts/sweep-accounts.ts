import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#worker/db/client.ts';
import { UNBOUNDED, type JobBudget } from '#worker/job-runtime/job-budget.ts';
import { links } from '#worker/db/schema-links.ts';
import { readJobState, saveJobState } from '#worker/job-runtime/job-state.ts';
import { jsonList } from '#worker/db/batch.ts';
import { LINKS_PER_STEP, stateName, type Sweep } from '#worker/job-runtime/sweep-links.ts';

export type AccountSweep<T> = Omit<Sweep<T>, 'over'> & {
  /**
   * Returns the ids of the accounts to visit; called once per run. `previousPeriod` is the period
   * of the sweep before this one, or -1.
   */
  accounts: (previousPeriod: number) => Promise<string[]>;
};
export type SweptLink = { id: number; shard: number };

/** A position after all links of an account. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * `sweepLinks` for the links of some accounts, without reading other accounts. Visits links in the
 * order of their accounts' ids. `left` counts the accounts that still have links to visit.
 */
export async function sweepAccounts<T>(
  db: Db,
  { name, period, start, schema, accounts }: AccountSweep<T>,
  step: (stepLinks: readonly SweptLink[], previous: T) => Promise<T>,
  budget: JobBudget = UNBOUNDED,
): Promise<{ worked: boolean; left: number; result: T }> {
  const stateSchema = z.object({
    period: z.number(),
    before: z.number(),
    user: z.string(),
    after: z.number(),
    done: z.boolean(),
    /** The result of the last step. */
    carry: schema,
  });
  // If a release has changed the stored shape, the sweep starts over.
  const last = stateSchema.safeParse(
    JSON.parse((await readJobState(db, stateName(name))) ?? 'null'),
  ).data;
  if (last !== undefined && last.done && last.period >= period)
    return { worked: false, left: 0, result: last.carry };
  const state: z.infer<typeof stateSchema> =
    last === undefined || last.done
      ? { period, before: last?.period ?? -1, user: '', after: END, done: false, carry: start }
      : last;
  const users = [...new Set(await accounts(state.before))].toSorted();
  const isAhead = (user: string): boolean => user > state.user;
  do {
    const nextUsers = users.filter(isAhead).slice(0, LINKS_PER_STEP);
    const stepLinks = await readStep(db, state, nextUsers);
    if (stepLinks.length > 0) state.carry = await step(stepLinks, state.carry);
    const lastLink = stepLinks.length < LINKS_PER_STEP ? undefined : stepLinks.at(-1);
    state.user = lastLink?.user_id ?? nextUsers.at(-1) ?? state.user;
    state.after = lastLink?.id ?? END;
    state.done = lastLink === undefined && !users.some(isAhead);
  } while (!state.done && budget.canContinue());
  await saveJobState(db, stateName(name), {
    at: state.period,
    ok: true,
    detail: JSON.stringify(state),
  });
  return {
    worked: true,
    left: state.done ? 0 : 1 + users.filter(isAhead).length,
    result: state.carry,
  };
}

type Row = SweptLink & { user_id: string };

/**
 * The next links: the rest of the account in which the last step ended, then those of the next
 * accounts.
 */
async function readStep(
  db: Db,
  { user, after }: { user: string; after: number },
  nextUsers: readonly string[],
): Promise<Row[]> {
  // Without other shards, an index holds every column that is read.
  const shard = db.$shards.others.size === 0 ? sql`0` : sql`shard`;
  const select = (where: SQL, limit: number): Promise<Row[]> =>
    db.all<Row>(
      sql`select id, ${shard} as shard, user_id from ${links} where ${where} order by user_id, id limit ${limit}`,
    );
  const rest =
    after === END ? [] : await select(sql`user_id = ${user} and id > ${after}`, LINKS_PER_STEP);
  if (rest.length === LINKS_PER_STEP || nextUsers.length === 0) return rest;
  // SQLite reads such a list in order, so the limit ends the query early.
  return [
    ...rest,
    ...(await select(sql`user_id in ${jsonList(nextUsers)}`, LINKS_PER_STEP - rest.length)),
  ];
}
