import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DELETED_OWNER } from '#contract/abuse.ts';
import { KEEP_ACCOUNT_DETAILS_DAYS, RANK_EVERY_HOURS } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { abortUnless, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { account_days, rolled_up_links } from '#worker/db/schema-accounts.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { openShard, openShards, type ShardEnv } from '#worker/db/shards.ts';
import {
  applyChange,
  lastDays,
  addLink,
  subtractLink,
  type AccountChanges,
  type RolledUp,
} from './account-counts.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { FIGURES, type Sums, sumsOf } from '#worker/clicks/fold/counts.ts';
import { decodeCounts, encodeCounts, type StoredCounts } from '#worker/clicks/fold/counts-codec.ts';
import { readJobState, saveJobState } from '#worker/job-runtime/job-state.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { isReportUsed, selectReportsInUse } from './report-use.ts';
import { firstDetailedDay, readLinkDays } from './read-link-days.ts';
import { sweepAccounts } from './sweep-accounts.ts';
import { resetSweep } from '#worker/job-runtime/sweep-links.ts';
import { inJsonChunks, jsonRows } from '#worker/db/json-rows.ts';

const SWEEP = 'account-days';
const RESULT = 'account-days:result';
/**
 * The most links of an account that is rolled up when its report is opened. More links would exceed
 * the statements of the platform's free plan.
 */
const SMALL_ACCOUNT_LINKS = 100;
/** A report tries again if another run changes the same account at the same time. */
const ATTEMPTS_MAX = 4;
/**
 * Links of one batch. A link that is added for the first time may have 90 days with all details.
 */
const LINKS_PER_BATCH = 50;

/**
 * Brings the days of accounts whose report is in use up to date once an hour, from the links that
 * have changed since the last run. Once a day it visits every account that has days, to subtract
 * links that have left it. Counting a click writes nothing here. The batch that adds a link also
 * stores what was rolled up of it, so a step that runs twice adds nothing.
 */
export async function rollUpAccounts(
  env: ShardEnv,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  const db = openShards(env);
  const period = Math.floor(now / (RANK_EVERY_HOURS * HOUR_MS));
  const sweep = {
    name: SWEEP,
    period,
    start: { startedAt: now, changed: 0, restarts: 0 },
    schema: z.object({ startedAt: z.number(), changed: z.number(), restarts: z.number() }),
    accounts: async (previousPeriod: number) => {
      const all =
        dayOfPeriod(previousPeriod) < dayOfPeriod(period)
          ? sql` union all select distinct user_id from ${account_days}`
          : sql``;
      return (await db.all<{ user_id: string }>(sql`${selectReportsInUse(now)}${all}`)).map(
        ({ user_id }) => user_id,
      );
    },
  };
  const {
    worked,
    left,
    accumulator: result,
  } = await sweepAccounts(
    db,
    sweep,
    async (stepLinks, soFar) => {
      const sum = { ...soFar };
      for (const [shard, shardLinks] of Map.groupBy(stepLinks, (link) => link.shard)) {
        const ids = shardLinks.map(({ id }) => id);
        const { changed, restarts } = await rollUpLinks(
          db,
          openShard(db, shard),
          ids,
          now,
          isReportUsed(sql`l.user_id`, now),
        );
        sum.changed += changed;
        sum.restarts += restarts;
      }
      return sum;
    },
    budget,
  );
  if (!worked) return 'nothing due';
  const detail = `${result.changed} links rolled up`;
  if (left > 0) return { detail, left };
  if (result.restarts > 0) {
    // These accounts need all their links again, including those that this sweep has already
    // visited.
    await rollUpSoon(db);
    return { detail: `${detail}, ${result.restarts} accounts are rolled up again`, left: 1 };
  }
  await saveJobState(db, RESULT, {
    at: result.startedAt,
    ok: true,
    detail: String(result.startedAt),
  });
  return detail;
}

const dayOfPeriod = (period: number): number =>
  Math.floor((period * RANK_EVERY_HOURS * HOUR_MS) / DAY_MS);

/**
 * The time in ms up to which the clicks of accounts whose report is in use are rolled up. Null
 * before the first complete run.
 */
export async function readRolledUpTo(db: Db): Promise<number | null> {
  const at = await readJobState(db, RESULT);
  return at === null ? null : Number(at);
}

/** Makes the next run of the job start over, to include links that the sweep has left out. */
export const rollUpSoon = (db: Db): Promise<void> => resetSweep(db, SWEEP);

/**
 * Rolls up an account with few links at once. Returns false if it could not: the account has more
 * links, it has to be rolled up from scratch, or other runs keep changing it.
 */
export async function rollUpSmallAccount(db: Db, userId: string, now: number): Promise<boolean> {
  const all = await db.all<{ id: number; shard: number }>(
    sql`select id, shard from ${links} where user_id = ${userId} order by id limit ${SMALL_ACCOUNT_LINKS + 1}`,
  );
  if (all.length > SMALL_ACCOUNT_LINKS) return false;
  const byShard = Map.groupBy(all, ({ shard }) => shard);
  for (let attempt = 1; ; attempt++) {
    try {
      for (const [shard, shardLinks] of byShard) {
        const ids = shardLinks.map(({ id }) => id);
        const { restarts } = await rollUpLinks(db, openShard(db, shard), ids, now);
        if (restarts > 0) return false;
      }
      return true;
    } catch (error) {
      // Most likely the job or another request has just rolled up the same rows, so the next
      // attempt finds less to do.
      if (attempt < ATTEMPTS_MAX) continue;
      logEvent('account_not_rolled_up', errorFacts(error));
      return false;
    }
  }
}

type StateRow = Sums & {
  id: number;
  owner: string | null;
  user_id: string | null;
  rev: number;
  days: string;
};
/**
 * A row to write to `rolled_up_links`; without a user, the row is deleted. `read_rev` and
 * `read_user_id` are the values that the row had when it was read.
 */
type RolledUpRow = Record<(typeof LINK_COLUMNS)[number], unknown> & {
  user_id: string | null;
  read_rev: number | null;
  read_user_id: string | null;
};
const LINK_COLUMNS = ['link_id', 'user_id', 'rev', ...FIGURES, 'days'] as const;
type AccountRow = { user_id: string; day: number; rev: number; counts: string; top: string };

/**
 * Rolls up the links among `ids` that have changed and whose account satisfies `hasReportInUse`.
 * `clicksDb` holds their counts. A link that has left an account is always subtracted from it. Each
 * batch is atomic and stores what it has rolled up. `restarts` is the number of accounts that were
 * deleted because they have to be rolled up from scratch.
 */
async function rollUpLinks(
  db: Db,
  clicksDb: Db,
  ids: readonly number[],
  now: number,
  hasReportInUse: SQL = sql`true`,
): Promise<{ changed: number; restarts: number }> {
  const totalsQuery = sql`select link_id, rev from json_each(${JSON.stringify(ids)}) j cross join ${link_totals} t on t.link_id = j.value`;
  // The totals of another database are passed as one parameter.
  const totals =
    clicksDb === db
      ? totalsQuery
      : sql`select value ->> 'link_id' as link_id, value ->> 'rev' as rev from json_each(${JSON.stringify(await clicksDb.all(totalsQuery))})`;
  const owner = sql`case when l.status <> 'deleted' and substr(l.user_id, 1, ${DELETED_OWNER.length}) <> ${DELETED_OWNER} then l.user_id end`;
  const due =
    await db.all<StateRow>(sql`select l.id, ${owner} as owner, r.user_id, r.rev, r.human, r.bot, r.prefetch, r.visitors, r.days
    from (${totals}) t cross join ${links} l on l.id = t.link_id
    left join ${rolled_up_links} r on r.link_id = l.id where (r.link_id is not null and ${owner} is not r.user_id)
      or (${owner} is not null and r.rev is not t.rev and ${hasReportInUse})`);
  const total = { changed: 0, restarts: 0 };
  for (let from = 0; from < due.length; from += LINKS_PER_BATCH) {
    const { changed, restarts } = await writeRollUp(
      db,
      clicksDb,
      due.slice(from, from + LINKS_PER_BATCH),
      now,
    );
    total.changed += changed;
    total.restarts += restarts;
  }
  return total;
}

async function writeRollUp(
  db: Db,
  clicksDb: Db,
  due: readonly StateRow[],
  now: number,
): Promise<{ changed: number; restarts: number }> {
  const firstFullDay = firstDetailedDay(now, KEEP_ACCOUNT_DETAILS_DAYS);
  const rolledUp = new Map(due.map((row) => [row.id, rolledUpOf(row)]));
  const since = due.map(({ id, owner }) => {
    const before = rolledUp.get(id) ?? null;
    const isSameOwner = before !== null && before.user === owner;
    return [id, isSameOwner && before.days.size > 0 ? Math.min(...before.days.keys()) : 0] as const;
  });
  const current = await readLinkDays(clicksDb, since, firstFullDay);
  const accounts = new Map<string, AccountChanges>();
  const accountsToRestart = new Set<string>();
  const rows: RolledUpRow[] = [];
  for (const { id, owner, rev, user_id } of due) {
    const link = current.get(id);
    if (link === undefined) continue;
    const before = rolledUp.get(id) ?? null;
    const isSameOwner = before !== null && before.user === owner;
    const changesOf = (user: string): AccountChanges =>
      getOrCreate(accounts, user, () => new Map());
    if (before !== null && !isSameOwner && !subtractLink(changesOf(before.user), id, before, link))
      accountsToRestart.add(before.user);
    if (owner !== null && !addLink(changesOf(owner), id, isSameOwner ? before : null, link))
      accountsToRestart.add(owner);
    const days = lastDays(link.days, firstFullDay).map(([day, counts]) => [
      day,
      encodeCounts(counts),
    ]);
    rows.push({
      link_id: id,
      user_id: owner,
      rev: link.rev,
      ...link.totals,
      days,
      read_rev: rev,
      read_user_id: user_id,
    });
  }
  const rowsToWrite = rows.filter(
    (row) =>
      ![row.user_id, row.read_user_id].some((user) => user !== null && accountsToRestart.has(user)),
  );
  for (const user of accountsToRestart) {
    accounts.delete(user);
    await forgetAccount(db, user);
  }
  await writeAccounts(db, accounts, rowsToWrite, firstFullDay);
  return { changed: rowsToWrite.length, restarts: accountsToRestart.size };
}

async function writeAccounts(
  db: Db,
  accounts: ReadonlyMap<string, AccountChanges>,
  rows: readonly RolledUpRow[],
  firstFullDay: number,
) {
  const pairs = [...accounts].flatMap(([user, changes]) =>
    [...changes.keys()].map((day) => ({ user, day })),
  );
  const stored =
    await db.all<AccountRow>(sql`select a.* from ${jsonRows(['user', 'day'], pairs)} changed
    cross join ${account_days} a on a.user_id = changed.user and a.day = changed.day`);
  const storedRows = new Map(stored.map((row) => [`${row.user_id} ${row.day}`, row]));
  const days = [...accounts].flatMap(([user, changes]) =>
    [...changes].map(([day, change]) => {
      const row = storedRows.get(`${user} ${day}`);
      const { counts, top } = applyChange(row, change, day >= firstFullDay);
      return { user_id: user, day, read_rev: row?.rev ?? null, counts, top };
    }),
  );
  const [upserted, removed] = [true, false].map((hasUser) =>
    rows.filter(({ user_id }) => (user_id !== null) === hasUser),
  );
  await runNamedBatch(db, {
    unchanged: inJsonChunks(['link_id', 'read_rev', 'read_user_id'], rows, failIfChanged),
    days: inJsonChunks(['user_id', 'day', 'read_rev', 'counts', 'top'], days, upsertDays),
    removed: inJsonChunks(
      ['link_id'],
      removed ?? [],
      (some) => sql`delete from ${rolled_up_links} where link_id in ${some}`,
    ),
    links: inJsonChunks(LINK_COLUMNS, upserted ?? [], upsertLinks),
  });
}

/** Makes the batch fail if another run has rolled up one of these links since they were read. */
const failIfChanged = (
  rows: SQL,
): SQL => sql`insert into ${account_days} (user_id, day, rev, counts, top)
  select '', 0, null, '', '' from ${rows} link left join ${rolled_up_links} r on r.link_id = link.link_id
  where r.rev is not link.read_rev or r.user_id is not link.read_user_id`;

/** Makes the batch fail if a row has changed since it was read. */
const upsertDays = (
  rows: SQL,
): SQL => sql`insert into ${account_days} (user_id, day, rev, counts, top)
  select user_id, day, ${abortUnless(
    sql`(select rev from ${account_days} a where a.user_id = changed.user_id and a.day = changed.day) is read_rev`,
    sql`coalesce(read_rev, 0) + 1`,
  )}, counts, top from ${rows} changed where true
  on conflict do update set rev = excluded.rev, counts = excluded.counts, top = excluded.top`;

const upsertLinks = (
  rows: SQL,
): SQL => sql`insert into ${rolled_up_links} (${sql.raw(LINK_COLUMNS.join(', '))})
  select ${sql.raw(LINK_COLUMNS.join(', '))} from ${rows} where true
  on conflict do update set user_id = excluded.user_id, rev = excluded.rev, human = excluded.human, bot = excluded.bot,
    prefetch = excluded.prefetch, visitors = excluded.visitors, days = excluded.days`;

/**
 * Deletes everything that is rolled up of an account. The next runs of the job add all of its links
 * again.
 */
export async function forgetAccount(db: Db, userId: string): Promise<void> {
  await runNamedBatch(db, {
    links: forgetLinks(userId),
    days: sql`delete from ${account_days} where user_id = ${userId}`,
  });
}

const forgetLinks = (userId: string): SQL =>
  sql`delete from ${rolled_up_links} where link_id in (select id from ${links} where user_id = ${userId})`;

function rolledUpOf(row: StateRow): RolledUp | null {
  if (row.user_id === null) return null;
  const days: [number, StoredCounts][] = JSON.parse(row.days);
  return {
    user: row.user_id,
    totals: sumsOf(row),
    days: new Map(days.map(([day, counts]) => [day, decodeCounts(counts)])),
  };
}
