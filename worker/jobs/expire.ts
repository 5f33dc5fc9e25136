import { KEEP_FAULTS_DAYS, KEEP_WINDOW_IDS_DAYS } from '#contract/limits.ts';
import { dayKey } from '#worker/clicks/aggregate.ts';
import { DAY } from '#worker/clicks/periods.ts';

export const ROWS_PER_DELETE = 2_000;
const DELETES_PER_RUN = 25;

type Expiry = { what: string; table: string; key: string; when: string; limit: (now: number) => number | string };

/** What ends by itself. `key`: the table's primary key; `when` finds the ended rows along an index or the key's front. */
const EXPIRIES: readonly Expiry[] = [
  // A queue keeps a message for days, not weeks: after that nothing can bring a window a second time.
  {
    what: 'windows',
    table: 'click_windows',
    key: 'id',
    when: 'id < ?1',
    limit: (now) => dayKey(now - KEEP_WINDOW_IDS_DAYS * DAY),
  },
  // Today and yesterday stay: the first visitor of a day is forgotten after 48 hours, the last after 24 (decision 20).
  {
    what: 'visitors',
    table: 'click_visitors',
    key: 'day, link_id, visitor',
    when: 'day < ?1',
    limit: (now) => Math.floor(now / DAY) - 1,
  },
  { what: 'counters', table: 'counters', key: 'key', when: 'expires_at <= ?1', limit: (now) => now },
  { what: 'faults', table: 'click_faults', key: 'id', when: 'at < ?1', limit: (now) => now - KEEP_FAULTS_DAYS * DAY },
];

/** Deletes what has ended, a bounded number of rows per run; what is left over comes next time. */
export async function expire(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  const done: string[] = [];
  for (const { what, table, key, when, limit } of EXPIRIES) {
    const ended = env.DB.prepare(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${when} LIMIT ${ROWS_PER_DELETE})`,
    ).bind(limit(now));
    let rows = 0;
    for (let i = 0; i < DELETES_PER_RUN; i++) {
      const { meta } = await ended.run();
      rows += meta.changes;
      if (meta.changes < ROWS_PER_DELETE) break;
    }
    if (rows > 0) done.push(`${rows} ${what}`);
  }
  return done.join(', ') || 'nothing ended';
}
