import { sql, type SQL } from 'drizzle-orm';
import { DELETED_OWNER } from '#contract/moderation/abuse.ts';
import { decodeCounts, encodeCounts, type StoredCounts } from '#worker/clicks/fold/counts-codec.ts';
import { sumsOf, type Sums } from '#worker/clicks/fold/counts.ts';
import type { Db } from '#worker/db/client.ts';
import { jsonList, jsonRows } from '#worker/db/batch.ts';
import { rolled_up_links } from '#worker/db/schema-accounts.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { openShard } from '#worker/db/shards.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import {
  addLink,
  lastDays,
  subtractLink,
  type AccountChanges,
  type RolledUp,
} from './account-counts.ts';
import { firstDetailedDay, readLinkDays } from './read-link-days.ts';
import type { SweptLink } from './sweep-accounts.ts';
import { resetAccount, writeRollUp, type RolledUpRow } from './write-roll-up.ts';

/**
 * Links of one batch. A link that is added for the first time may have 90 days with all details.
 */
const LINKS_PER_BATCH = 50;

/** `resetAccounts` is the number of accounts that have to be rolled up from scratch. */
type RollUpResult = { changed: number; resetAccounts: number };

/**
 * Rolls up those of these links that have changed and whose account satisfies `hasReportInUse`. A
 * link that has left an account is always subtracted from it. Each batch is atomic and stores what
 * it has rolled up.
 */
export async function rollUpLinks(
  db: Db,
  all: readonly SweptLink[],
  now: number,
  hasReportInUse: SQL = sql`true`,
): Promise<RollUpResult> {
  const total: RollUpResult = { changed: 0, resetAccounts: 0 };
  for (const [shard, shardLinks] of Map.groupBy(all, (link) => link.shard)) {
    const clicksDb = openShard(db, shard);
    const ids = shardLinks.map(({ id }) => id);
    const due = await findDueLinks(db, clicksDb, ids, hasReportInUse);
    for (let from = 0; from < due.length; from += LINKS_PER_BATCH) {
      const batch = await rollUpBatch(db, clicksDb, due.slice(from, from + LINKS_PER_BATCH), now);
      total.changed += batch.changed;
      total.resetAccounts += batch.resetAccounts;
    }
  }
  return total;
}

/**
 * A link to roll up, the account that it belongs to now, and its row in `rolled_up_links` as read.
 * The days of its owner include the part `inOwner` of its counts, and those of a former owner the
 * part `inFormer`.
 */
type DueLink = {
  id: number;
  owner: string | null;
  readRev: number | null;
  readUserId: string | null;
  inOwner: RolledUp | null;
  inFormer: RolledUp | null;
};
type DueRow = Sums & {
  id: number;
  owner: string | null;
  user_id: string | null;
  rev: number | null;
  days: string;
};

async function findDueLinks(
  db: Db,
  clicksDb: Db,
  ids: readonly number[],
  hasReportInUse: SQL,
): Promise<DueLink[]> {
  const selectRevs = sql<{ link_id: number; rev: number }>`select t.link_id, t.rev
    from ${jsonList(ids)} j cross join ${link_totals} t on t.link_id = j.value`;
  const revs =
    clicksDb === db
      ? sql`(${selectRevs})`
      : jsonRows(['link_id', 'rev'], await clicksDb.all(selectRevs));
  const owner = sql`case when l.status <> 'deleted' and substr(l.user_id, 1, ${DELETED_OWNER.length}) <> ${DELETED_OWNER} then l.user_id end`;
  const rows =
    await db.all<DueRow>(sql`select l.id, ${owner} as owner, r.user_id, r.rev, r.human, r.bot, r.prefetch, r.visitors, r.days
    from ${revs} t cross join ${links} l on l.id = t.link_id
    left join ${rolled_up_links} r on r.link_id = l.id where (r.link_id is not null and ${owner} is not r.user_id)
      or (${owner} is not null and r.rev is not t.rev and ${hasReportInUse})`);
  return rows.map((row) => {
    const rolledUp = rolledUpOf(row);
    const isOwners = rolledUp?.user === row.owner;
    return {
      id: row.id,
      owner: row.owner,
      readRev: row.rev,
      readUserId: row.user_id,
      inOwner: isOwners ? rolledUp : null,
      inFormer: isOwners ? null : rolledUp,
    };
  });
}

function rolledUpOf(row: DueRow): RolledUp | null {
  if (row.user_id === null) return null;
  const days: [number, StoredCounts][] = JSON.parse(row.days);
  return {
    user: row.user_id,
    totals: sumsOf(row),
    days: new Map(days.map(([day, counts]) => [day, decodeCounts(counts)])),
  };
}

async function rollUpBatch(
  db: Db,
  clicksDb: Db,
  due: readonly DueLink[],
  now: number,
): Promise<RollUpResult> {
  const firstDetailed = firstDetailedDay(now);
  const since = due.map(({ id, inOwner }) => ({
    link: id,
    since: inOwner === null || inOwner.days.size === 0 ? 0 : Math.min(...inOwner.days.keys()),
  }));
  const current = await readLinkDays(clicksDb, since, firstDetailed);
  const accounts = new Map<string, AccountChanges>();
  const changesOf = (user: string): AccountChanges => getOrCreate(accounts, user, () => new Map());
  const toReset = new Set<string>();
  const rows: RolledUpRow[] = [];
  for (const { id, owner, readRev, readUserId, inOwner, inFormer } of due) {
    const link = current.get(id);
    if (link === undefined) continue;
    if (inFormer !== null && !subtractLink(changesOf(inFormer.user), id, inFormer, link))
      toReset.add(inFormer.user);
    if (owner !== null && !addLink(changesOf(owner), id, inOwner, link)) toReset.add(owner);
    rows.push({
      link_id: id,
      user_id: owner,
      rev: link.rev,
      ...link.totals,
      days: lastDays(link.days, firstDetailed).map(([day, counts]) => [
        day,
        // Reports of accounts show no pairs and no variants.
        encodeCounts({
          ...counts,
          devices: new Map(),
          sources: new Map(),
          destination: new Map(),
          destinationSeen: new Map(),
        }),
      ]),
      read_rev: readRev,
      read_user_id: readUserId,
    });
  }
  for (const user of toReset) {
    accounts.delete(user);
    await resetAccount(db, user);
  }
  const kept = rows.filter(
    (row) => ![row.user_id, row.read_user_id].some((user) => user !== null && toReset.has(user)),
  );
  await writeRollUp(db, accounts, kept, firstDetailed);
  return { changed: kept.length, resetAccounts: toReset.size };
}
