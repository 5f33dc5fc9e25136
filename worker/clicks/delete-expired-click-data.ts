import { DAY_MS } from '#contract/time.ts';
import { KEEP_WINDOW_IDS_DAYS } from '#contract/limits.ts';
import { windowKeyPrefix } from './aggregate-window.ts';
import { deleteExpiredRows, type Expiry } from '#worker/db/delete-expired-rows.ts';

const KEEP_FAULTS_DAYS = 30;

/** What ends by itself. Each `when` finds the ended rows along an index or the key's front. */
const EXPIRIES: readonly Expiry[] = [
  // A queue keeps a message for days, not weeks: after that nothing can bring a window a second time.
  {
    what: 'windows',
    table: 'click_windows',
    key: 'id',
    when: 'id < ?1',
    limit: (now) => windowKeyPrefix(now - KEEP_WINDOW_IDS_DAYS * DAY_MS),
  },
  // Today and yesterday stay: the first visitor of a day is forgotten after 48 hours, the last after 24 (decision 20).
  {
    what: 'visitors',
    table: 'click_visitors',
    key: 'day, link_id, visitor',
    when: 'day < ?1',
    limit: (now) => Math.floor(now / DAY_MS) - 1,
  },
  { what: 'counters', table: 'counters', key: 'key', when: 'expires_at <= ?1', limit: (now) => now },
  { what: 'faults', table: 'click_faults', key: 'id', when: 'at < ?1', limit: (now) => now - KEEP_FAULTS_DAYS * DAY_MS },
];

/** Deletes what has ended, a bounded number of rows per run; what is left over comes next time. */
export function deleteExpiredClickData(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  return deleteExpiredRows(env.DB, EXPIRIES, now);
}
