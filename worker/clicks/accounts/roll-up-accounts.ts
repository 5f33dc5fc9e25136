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
 * Accounts with at most so many links are rolled up when a report is opened, within the statements
 * of the platform's free plan.
 */
const SMALL_ACCOUNT_LINKS = 100;
/** A report that meets another change of the same account tries again. */
const ATTEMPTS_MAX = 4;
/**
 * Links of one batch: a link that is added for the first time may have 90 days with all details.
 */
const LINKS_PER_BATCH = 50;

/**
 * Brings the days of accounts whose report is in use up to date once an hour, from the links that
 * have changed since the last time. Once a day it visits all accounts that have days, and takes off
 * links that have left them. Counting a click does nothing for it. What of a link has been rolled
 * up is written in the batch that adds it, so that a step that runs twice adds nothing.
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
    accounts: async (before: number) => {
      const all =
        dayOfPeriod(before) < dayOfPeriod(period)
          ? sql` union all select distinct user_id from ${account_days}`
          : sql``;
      return (await db.all<{ user_id: string }>(sql`${selectReportsInUse(now)}${all}`)).map(
        ({ user_id }) => user_id,
      );
    },
  };
  const { worked, left, accumulator } = await sweepAccounts(
    db,
    sweep,
    async (some, before) => {
      const sum = { ...before };
      for (const [shard, ofShard] of Map.groupBy(some, (link) => link.shard)) {
        const ids = ofShard.map(({ id }) => id);
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
  const detail = `${accumulator.changed} links rolled up`;
  if (left > 0) return { detail, left };
  if (accumulator.restarts > 0) {
    // The links of these accounts are added again, also those that this sweep has passed.
    await rollUpSoon(db);
    return { detail: `${detail}, ${accumulator.restarts} accounts are rolled up again`, left: 1 };
  }
  await saveJobState(db, RESULT, {
    at: accumulator.startedAt,
    ok: true,
    detail: String(accumulator.startedAt),
  });
  return detail;
}

const dayOfPeriod = (period: number): number =>
  Math.floor((period * RANK_EVERY_HOURS * HOUR_MS) / DAY_MS);

/**
 * The time up to which the clicks of accounts whose report is in use are rolled up, in ms; null
 * before the first time.
 */
export async function readRolledUpTo(db: Db): Promise<number | null> {
  const at = await readJobState(db, RESULT);
  return at === null ? null : Number(at);
}

/** Makes the next run of the job begin again, because it has left out links that are needed now. */
export const rollUpSoon = (db: Db): Promise<void> => resetSweep(db, SWEEP);

/**
 * Rolls up an account with few links at once. False if it has more, or if its rows have changed
 * meanwhile.
 */
export async function rollUpSmallAccount(db: Db, userId: string, now: number): Promise<boolean> {
  const all = await db.all<{ id: number; shard: number }>(
    sql`select id, shard from ${links} where user_id = ${userId} order by id limit ${SMALL_ACCOUNT_LINKS + 1}`,
  );
  if (all.length > SMALL_ACCOUNT_LINKS) return false;
  const byShard = Map.groupBy(all, ({ shard }) => shard);
  for (let attempt = 1; ; attempt++) {
    try {
      for (const [shard, some] of byShard) {
        const ids = some.map(({ id }) => id);
        const { restarts } = await rollUpLinks(db, openShard(db, shard), ids, now);
        if (restarts > 0) return false;
      }
      return true;
    } catch (error) {
      // Most likely the job or another request has just changed the same rows, and what it did need
      // not be done again.
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
 * A row of `rolled_up_links`; without a user it is deleted. `read_rev` and `read_user_id`: what was
 * read there.
 */
type RolledUpRow = Record<(typeof LINK_COLUMNS)[number], unknown> & {
  user_id: string | null;
  read_rev: number | null;
  read_user_id: string | null;
};
const LINK_COLUMNS = ['link_id', 'user_id', 'rev', ...FIGURES, 'days'] as const;
type AccountRow = { user_id: string; day: number; rev: number; counts: string; top: string };

/**
 * Rolls up those of some links that have changed and whose account satisfies `hasReportInUse`;
 * `clicks` holds their counts. A link that has left an account is always taken off. Each batch is
 * atomic and includes what it has done.
 */
async function rollUpLinks(
  db: Db,
  clicks: Db,
  ids: readonly number[],
  now: number,
  hasReportInUse: SQL = sql`true`,
): Promise<{ changed: number; restarts: number }> {
  const inClicks = sql`select link_id, rev from json_each(${JSON.stringify(ids)}) j cross join ${link_totals} t on t.link_id = j.value`;
  // The totals of another database travel as one parameter.
  const totals =
    clicks === db
      ? inClicks
      : sql`select value ->> 'link_id' as link_id, value ->> 'rev' as rev from json_each(${JSON.stringify(await clicks.all(inClicks))})`;
  const owner = sql`case when l.status <> 'deleted' and substr(l.user_id, 1, ${DELETED_OWNER.length}) <> ${DELETED_OWNER} then l.user_id end`;
  const due =
    await db.all<StateRow>(sql`select l.id, ${owner} as owner, r.user_id, r.rev, r.human, r.bot, r.prefetch, r.visitors, r.days
    from (${totals}) t cross join ${links} l on l.id = t.link_id
    left join ${rolled_up_links} r on r.link_id = l.id where (r.link_id is not null and ${owner} is not r.user_id)
      or (${owner} is not null and r.rev is not t.rev and ${hasReportInUse})`);
  const done = { changed: 0, restarts: 0 };
  for (let from = 0; from < due.length; from += LINKS_PER_BATCH) {
    const { changed, restarts } = await writeRollUp(
      db,
      clicks,
      due.slice(from, from + LINKS_PER_BATCH),
      now,
    );
    done.changed += changed;
    done.restarts += restarts;
  }
  return done;
}

async function writeRollUp(
  db: Db,
  clicks: Db,
  due: readonly StateRow[],
  now: number,
): Promise<{ changed: number; restarts: number }> {
  const firstFullDay = firstDetailedDay(now, KEEP_ACCOUNT_DETAILS_DAYS);
  const rolledUp = new Map(due.map((row) => [row.id, rolledUpOf(row)]));
  const since = due.map(({ id, owner }) => {
    const before = rolledUp.get(id) ?? null;
    const isSame = before !== null && before.user === owner;
    return [id, isSame && before.days.size > 0 ? Math.min(...before.days.keys()) : 0] as const;
  });
  const current = await readLinkDays(clicks, since, firstFullDay);
  const accounts = new Map<string, AccountChanges>();
  const restarts = new Set<string>();
  const rows: RolledUpRow[] = [];
  for (const { id, owner, rev, user_id } of due) {
    const link = current.get(id);
    if (link === undefined) continue;
    const before = rolledUp.get(id) ?? null;
    const isSame = before !== null && before.user === owner;
    const changesOf = (user: string): AccountChanges =>
      getOrCreate(accounts, user, () => new Map());
    if (before !== null && !isSame && !subtractLink(changesOf(before.user), id, before, link))
      restarts.add(before.user);
    if (owner !== null && !addLink(changesOf(owner), id, isSame ? before : null, link))
      restarts.add(owner);
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
  const kept = rows.filter(
    (row) => ![row.user_id, row.read_user_id].some((user) => user !== null && restarts.has(user)),
  );
  for (const user of restarts) {
    accounts.delete(user);
    await forgetAccount(db, user);
  }
  await writeAccounts(db, accounts, kept, firstFullDay);
  return { changed: kept.length, restarts: restarts.size };
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
  const known = new Map(stored.map((row) => [`${row.user_id} ${row.day}`, row]));
  const days = [...accounts].flatMap(([user, changes]) =>
    [...changes].map(([day, change]) => {
      const row = known.get(`${user} ${day}`);
      const { counts, top } = applyChange(row, change, day >= firstFullDay);
      return { user_id: user, day, read_rev: row?.rev ?? null, counts, top };
    }),
  );
  const [kept, removed] = [true, false].map((isKept) =>
    rows.filter(({ user_id }) => (user_id !== null) === isKept),
  );
  await runNamedBatch(db, {
    unchanged: inJsonChunks(['link_id', 'read_rev', 'read_user_id'], rows, failIfChanged),
    days: inJsonChunks(['user_id', 'day', 'read_rev', 'counts', 'top'], days, upsertDays),
    removed: inJsonChunks(
      ['link_id'],
      removed ?? [],
      (some) => sql`delete from ${rolled_up_links} where link_id in ${some}`,
    ),
    links: inJsonChunks(LINK_COLUMNS, kept ?? [], upsertLinks),
  });
}

/** Fails if another run has rolled up one of these links since they were read. */
const failIfChanged = (
  rows: SQL,
): SQL => sql`insert into ${account_days} (user_id, day, rev, counts, top)
  select '', 0, null, '', '' from ${rows} link left join ${rolled_up_links} r on r.link_id = link.link_id
  where r.rev is not link.read_rev or r.user_id is not link.read_user_id`;

/** Fails as a whole if a row has changed since it was read. */
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

/** Deletes what is rolled up of an account. The next runs of the job add all of its links again. */
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
