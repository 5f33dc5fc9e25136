import { asc, eq, lt, sql } from 'drizzle-orm';
import { KEEP_SET_ASIDE_DAYS, SET_ASIDE_MAX } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { set_aside_windows } from '#worker/db/schema-system.ts';
import { addLostClicks } from '#worker/db/system-facts.ts';
import { observe } from '#worker/metrics/counters.ts';
import { errorText, logEvent } from '#worker/log.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { clickWindowSchema } from './click-window-schema.ts';
import { foldByShard } from './fold-by-shard.ts';
import { condense, createUserAgentParser } from '#worker/http/user-agent.ts';

/** Windows counted per request. Each takes a few statements, and an invocation has 1,000. */
const WINDOWS_PER_REPLAY = 50;
const REASON_MAX = 300;

/**
 * Stores a window that D1 rejected with `error`, so that it can be counted when the cause is fixed.
 * Returns false if too many windows are set aside already. Throws when D1 does.
 */
export async function setAside(
  db: Db,
  window: ClickWindow,
  error: unknown,
  now: number,
): Promise<boolean> {
  const reason = reasonOf(error);
  const body = JSON.stringify(withoutPersonalData(window));
  const { stored } = await runNamedBatch(db, {
    stored: sql`insert into ${set_aside_windows} (id, at, tried_at, clicks, reason, body)
      select ${window.id}, ${now}, ${now}, ${window.e.length}, ${reason}, ${body}
      where (select count(*) from ${set_aside_windows}) < ${SET_ASIDE_MAX}
      on conflict do update set reason = excluded.reason`,
  });
  if (stored.changes === 0) return false;
  logEvent('clicks_set_aside', { clicks: window.e.length, error: reason });
  return true;
}

const reasonOf = (error: unknown): string => errorText(error).slice(0, REASON_MAX);

/**
 * Removes visitor ids, which must not outlive 48 hours, and reduces user agents to what reports
 * show.
 */
function withoutPersonalData(window: ClickWindow): ClickWindow {
  const parse = createUserAgentParser();
  return {
    ...window,
    e: window.e.map((click) => ({ ...click, k: '', ua: condense(parse(click.ua)) })),
  };
}

/**
 * `windows` is the number of windows counted now, `clicks` the new clicks in them. `failed` and
 * `left` count windows.
 */
export type ReplayResult = { windows: number; clicks: number; failed: number; left: number };

/**
 * Counts windows that were set aside, as many as one request can, starting with those tried longest
 * ago. A window that D1 has counted already is not counted again. One that fails again stays.
 */
export async function replaySetAside(db: Db, now: number): Promise<ReplayResult> {
  const rows = await db
    .select()
    .from(set_aside_windows)
    .orderBy(asc(set_aside_windows.tried_at))
    .limit(WINDOWS_PER_REPLAY);
  const result: ReplayResult = { windows: 0, clicks: 0, failed: 0, left: 0 };
  for (const { id, body } of rows) {
    try {
      const { clicks } = await foldByShard(db, [clickWindowSchema.parse(JSON.parse(body))], now);
      await db.delete(set_aside_windows).where(eq(set_aside_windows.id, id));
      result.windows += 1;
      result.clicks += clicks;
    } catch (error) {
      result.failed += 1;
      await db
        .update(set_aside_windows)
        .set({ reason: reasonOf(error), tried_at: now })
        .where(eq(set_aside_windows.id, id));
    }
  }
  result.left = await db.$count(set_aside_windows);
  return result;
}

/**
 * Deletes windows that can no longer be counted exactly once, because the ids of counted windows
 * expire, and records their clicks as lost.
 */
export async function expireSetAside(db: Db, now: number): Promise<number> {
  const isExpired = lt(set_aside_windows.at, now - KEEP_SET_ASIDE_DAYS * DAY_MS);
  const expired = await db
    .delete(set_aside_windows)
    .where(isExpired)
    .returning({ clicks: set_aside_windows.clicks });
  const clicks = expired.reduce((sum, row) => sum + row.clicks, 0);
  if (clicks > 0) {
    logEvent('click_lost', { clicks, error: 'set aside for too long' });
    observe('hop.clicks.lost', clicks);
    await addLostClicks(db, clicks, now);
  }
  return clicks;
}
