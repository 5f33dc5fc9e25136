import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#worker/db/client.ts';
import type { JobBudget } from '#worker/job-runtime/job-budget.ts';
import { links } from '#worker/db/schema-links.ts';
import { runSteps } from '#worker/job-runtime/run-steps.ts';
import { jsonList } from '#worker/db/batch.ts';
import { LINKS_PER_STEP, type Sweep } from '#worker/job-runtime/sweep-links.ts';

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
  budget?: JobBudget,
): Promise<{ worked: boolean; left: number; result: T }> {
  let users: string[] | undefined;
  const work = {
    name,
    period,
    schema: z.object({ before: z.number(), user: z.string(), after: z.number(), carry: schema }),
    start: (before: number) => ({ before, user: '', after: END, carry: start }),
  };
  const { worked, done, state } = await runSteps(
    db,
    work,
    async (last) => {
      users ??= [...new Set(await accounts(last.before))].toSorted();
      const nextUsers = users.filter((user) => user > last.user).slice(0, LINKS_PER_STEP);
      const stepLinks = await readStep(db, last, nextUsers);
      const carry = stepLinks.length > 0 ? await step(stepLinks, last.carry) : last.carry;
      const lastLink = stepLinks.length < LINKS_PER_STEP ? undefined : stepLinks.at(-1);
      const user = lastLink?.user_id ?? nextUsers.at(-1) ?? last.user;
      return {
        state: { before: last.before, user, after: lastLink?.id ?? END, carry },
        done: lastLink === undefined && !users.some((other) => other > user),
      };
    },
    budget,
  );
  const left = done ? 0 : 1 + (users ?? []).filter((user) => user > state.user).length;
  return { worked, left, result: state.carry };
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
