import { sql, type SQL } from 'drizzle-orm';
import { FIGURES } from '#worker/clicks/fold/counts.ts';
import { abortUnless, inJsonChunks, jsonRows, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { account_days, rolled_up_links } from '#worker/db/schema-accounts.ts';
import { links } from '#worker/db/schema-links.ts';
import { applyChange, type AccountChanges } from './account-counts.ts';

const COLUMNS = ['link_id', 'user_id', 'rev', ...FIGURES, 'days'] as const;
/**
 * A row to write to `rolled_up_links`; without a user, the row is deleted. `read_rev` and
 * `read_user_id` are the values that the row had when it was read.
 */
export type RolledUpRow = Record<(typeof COLUMNS)[number], unknown> & {
  user_id: string | null;
  read_rev: number | null;
  read_user_id: string | null;
};
type AccountDayRow = typeof account_days.$inferSelect;

/**
 * Applies changes to the days of accounts, and stores what is now rolled up of the links, in one
 * atomic batch. It fails if another run has changed one of these rows since it was read.
 */
export async function writeRollUp(
  db: Db,
  accounts: ReadonlyMap<string, AccountChanges>,
  rows: readonly RolledUpRow[],
  firstDetailed: number,
): Promise<void> {
  const changed = [...accounts].flatMap(([user_id, changes]) =>
    [...changes].map(([day, change]) => ({ user_id, day, change })),
  );
  const stored =
    await db.all<AccountDayRow>(sql`select a.* from ${jsonRows(['user_id', 'day'], changed)} changed
    cross join ${account_days} a on a.user_id = changed.user_id and a.day = changed.day`);
  const storedRows = new Map(stored.map((row) => [`${row.user_id} ${row.day}`, row]));
  const days = changed.map(({ user_id, day, change }) => {
    const row = storedRows.get(`${user_id} ${day}`);
    const next = applyChange(row, change, day >= firstDetailed);
    return Object.assign(next, { user_id, day, read_rev: row?.rev ?? null });
  });
  const kept = rows.filter(({ user_id }) => user_id !== null);
  const removed = rows.filter(({ user_id }) => user_id === null);
  await runNamedBatch(db, {
    unchanged: inJsonChunks(['link_id', 'read_rev', 'read_user_id'], rows, abortIfChanged),
    days: inJsonChunks(['user_id', 'day', 'read_rev', 'counts', 'top'], days, upsertDays),
    removed: inJsonChunks(['link_id'], removed, deleteLinks),
    kept: inJsonChunks(COLUMNS, kept, upsertLinks),
  });
}

/** Makes the batch fail, as `abortUnless` does, if another run has rolled up one of these links. */
const abortIfChanged = (
  rows: SQL,
): SQL => sql`insert into ${account_days} (user_id, day, rev, counts, top)
  select '', 0, null, '', '' from ${rows} link left join ${rolled_up_links} r on r.link_id = link.link_id
  where r.rev is not link.read_rev or r.user_id is not link.read_user_id`;

const upsertDays = (
  rows: SQL,
): SQL => sql`insert into ${account_days} (user_id, day, rev, counts, top)
  select user_id, day, ${abortUnless(
    sql`(select rev from ${account_days} a where a.user_id = changed.user_id and a.day = changed.day) is read_rev`,
    sql`coalesce(read_rev, 0) + 1`,
  )}, counts, top from ${rows} changed where true
  on conflict do update set rev = excluded.rev, counts = excluded.counts, top = excluded.top`;

const deleteLinks = (ids: SQL): SQL => sql`delete from ${rolled_up_links} where link_id in ${ids}`;

const upsertLinks = (
  rows: SQL,
): SQL => sql`insert into ${rolled_up_links} (${sql.raw(COLUMNS.join(', '))})
  select ${sql.raw(COLUMNS.join(', '))} from ${rows} where true
  on conflict do update set user_id = excluded.user_id, rev = excluded.rev, human = excluded.human, bot = excluded.bot,
    prefetch = excluded.prefetch, visitors = excluded.visitors, days = excluded.days`;

/**
 * Deletes everything that is rolled up of an account. The next runs of the job add all of its links
 * again.
 */
export async function resetAccount(db: Db, userId: string): Promise<void> {
  await runNamedBatch(db, {
    links: deleteLinks(sql`(select id from ${links} where user_id = ${userId})`),
    days: sql`delete from ${account_days} where user_id = ${userId}`,
  });
}
