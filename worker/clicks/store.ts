import { RECENT_CLICKS_MAX } from '#contract/limits.ts';
import type { WindowRows } from './aggregate-window.ts';
import { capSql, overflowSql } from './dimensions.ts';

/**
 * The statements of one fold, in order, run as one atomic batch. ?1 is this attempt's random id. The other parameters
 * contain rows as JSON, grouped by window: [[key, [row, …]], …]. Every statement counts only windows that carry this
 * attempt's id, which are the ones the first statement inserted. No statement joins one set of rows with another, so
 * time grows with the number of rows, not with its square.
 */

/** The rows in a parameter that belong to new windows and existing links: a click on an unknown link creates no rows. */
const newRows = (param: string): string => `json_each(${param}) w
  JOIN click_windows cw ON cw.id = w.value->>0 AND cw.attempt = ?1
  JOIN json_each(w.value, '$[1]') j JOIN links ON links.id = j.value->>0`;

/** ?2 = keys (JSON array), ?3 = now. */
const INSERT_WINDOWS = `INSERT OR IGNORE INTO click_windows (id, attempt, received_at) SELECT value, ?1, ?3 FROM json_each(?2) RETURNING id`;

/** ?2 = visitors. A visitor who is already stored keeps the earlier attempt's id and is not counted again. */
const INSERT_VISITORS = `INSERT OR IGNORE INTO click_visitors (day, link_id, visitor, attempt)
SELECT j.value->>2, links.id, j.value->>3, ?1 FROM ${newRows('?2')} WHERE true`;

/** The visitors inserted by this attempt, once each, with their first hour in this batch. */
const newVisitors = (param: string): string => `SELECT links.id AS link_id, min(j.value->>1) AS hour FROM ${newRows(param)}
  JOIN click_visitors v ON v.day = j.value->>2 AND v.link_id = links.id AND v.visitor = j.value->>3 AND v.attempt = ?1
  GROUP BY v.day, v.link_id, v.visitor`;

/** ?2 = counts, ?3 = visitors. */
const ADD_COUNTS = `INSERT INTO click_counts (link_id, grain, at, human, bot, prefetch, visitors)
SELECT link_id, 'h', hour, sum(human), sum(bot), sum(prefetch), sum(visitors) FROM (
  SELECT links.id AS link_id, j.value->>1 AS hour, j.value->>2 AS human, j.value->>3 AS bot, j.value->>4 AS prefetch, 0 AS visitors
  FROM ${newRows('?2')}
  UNION ALL SELECT link_id, hour, 0, 0, 0, 1 FROM (${newVisitors('?3')}))
WHERE true GROUP BY link_id, hour
ON CONFLICT DO UPDATE SET human = human + excluded.human, bot = bot + excluded.bot,
  prefetch = prefetch + excluded.prefetch, visitors = visitors + excluded.visitors`;

/**
 * ?2 = dims. Stored values and overflow values are always added to. New values are stored while there is room below the
 * day's cap, the most frequent first, and otherwise counted under their overflow value. The room is computed once per
 * link, day and dimension, and only where there are new values.
 */
const ADD_DIMS = `WITH incoming AS (
  SELECT links.id AS link_id, j.value->>1 AS at, j.value->>2 AS dim, j.value->>3 AS val, sum(j.value->>4) AS n
  FROM ${newRows('?2')} GROUP BY 1, 2, 3, 4),
matched AS (
  SELECT i.*, ${overflowSql('i.')} AS overflow, d.val IS NOT NULL OR i.val = ${overflowSql('i.')} AS stays
  FROM incoming i LEFT JOIN click_dims d
  ON d.link_id = i.link_id AND d.grain = 'd' AND d.at = i.at AND d.dim = i.dim AND d.val = i.val),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY link_id, at, dim, stays ORDER BY n DESC, val) AS place FROM matched),
with_room AS (
  SELECT *, max(CASE WHEN place = 1 AND NOT stays THEN ${capSql} - (
    SELECT count(*) FROM click_dims d WHERE d.link_id = ranked.link_id AND d.grain = 'd' AND d.at = ranked.at
    AND d.dim = ranked.dim AND d.val <> ${overflowSql('d.')}) END) OVER (PARTITION BY link_id, at, dim, stays) AS room FROM ranked)
INSERT INTO click_dims (link_id, grain, at, dim, val, n)
SELECT link_id, 'd', at, dim, CASE WHEN stays OR place <= room THEN val ELSE overflow END AS v, sum(n)
FROM with_room WHERE true GROUP BY link_id, at, dim, v
ON CONFLICT DO UPDATE SET n = n + excluded.n`;

/** The newest clicks of two JSON arrays, newest first. Ties are broken by the text, so the order of folds does not matter. */
const NEWEST = `(SELECT json_group_array(json(value) ORDER BY value->>0 DESC, value) FROM (
  SELECT value FROM (SELECT value FROM json_each(link_totals.recent) UNION ALL SELECT value FROM json_each(excluded.recent))
  ORDER BY value->>0 DESC, value LIMIT ${RECENT_CLICKS_MAX}))`;

/** ?2 = counts, ?3 = visitors, ?4 = recent clicks. */
const ADD_TOTALS = `INSERT INTO link_totals (link_id, human, bot, prefetch, visitors, first_at, last_at, recent)
SELECT link_id, sum(human), sum(bot), sum(prefetch), sum(visitors), min(first_at), max(last_at), coalesce(max(recent), '[]') FROM (
  SELECT links.id AS link_id, j.value->>2 AS human, j.value->>3 AS bot, j.value->>4 AS prefetch, 0 AS visitors,
    j.value->>5 AS first_at, j.value->>6 AS last_at, NULL AS recent FROM ${newRows('?2')}
  UNION ALL SELECT link_id, 0, 0, 0, 1, NULL, NULL, NULL FROM (${newVisitors('?3')})
  UNION ALL SELECT link_id, 0, 0, 0, 0, NULL, NULL, json_group_array(json(click) ORDER BY at DESC, click) FROM (
    SELECT *, row_number() OVER (PARTITION BY link_id ORDER BY at DESC, click) AS place FROM (
      SELECT links.id AS link_id, j.value->>1 AS at,
        json_array(j.value->>1, j.value->>2, j.value->>3, j.value->>4) AS click FROM ${newRows('?4')}))
    WHERE place <= ${RECENT_CLICKS_MAX} GROUP BY link_id)
WHERE true GROUP BY link_id
ON CONFLICT DO UPDATE SET human = human + excluded.human, bot = bot + excluded.bot, prefetch = prefetch + excluded.prefetch,
  visitors = visitors + excluded.visitors,
  first_at = min(coalesce(first_at, excluded.first_at), coalesce(excluded.first_at, first_at)),
  last_at = max(coalesce(last_at, excluded.last_at), coalesce(excluded.last_at, last_at)),
  recent = CASE excluded.recent WHEN '[]' THEN recent ELSE ${NEWEST} END`;

/** The result of a fold. `clicks` and `windows` include only new ones. Rows are D1's own figures. */
export type FoldResult = { clicks: number; windows: number; rowsRead: number; rowsWritten: number; visitorRows: number };

/**
 * Counts windows with distinct keys in one atomic batch. `attempt` must be random and never reused: a second batch with
 * the same id would count the first one's windows again.
 */
export async function foldRows(db: D1Database, rows: readonly WindowRows[], attempt: string, now: number): Promise<FoldResult> {
  const keys = JSON.stringify(rows.map((window) => window.key));
  const counts = rowsOf(rows, 'counts');
  const visitors = rowsOf(rows, 'visitors');
  const [insertedWindows, insertedVisitors, ...added] = await db.batch<{ id: string }>([
    db.prepare(INSERT_WINDOWS).bind(attempt, keys, now),
    db.prepare(INSERT_VISITORS).bind(attempt, visitors),
    db.prepare(ADD_COUNTS).bind(attempt, counts, visitors),
    db.prepare(ADD_DIMS).bind(attempt, rowsOf(rows, 'dims')),
    db.prepare(ADD_TOTALS).bind(attempt, counts, visitors, rowsOf(rows, 'recent')),
  ]);
  if (insertedWindows === undefined || insertedVisitors === undefined) throw new Error('D1 returned too few results');
  const results = [insertedWindows, insertedVisitors, ...added];
  const newKeys = new Set(insertedWindows.results.map((row) => row.id));
  const counted = rows.filter((window) => newKeys.has(window.key));
  return {
    clicks: counted.reduce((sum, window) => sum + window.events, 0),
    windows: counted.length,
    rowsRead: results.reduce((sum, result) => sum + result.meta.rows_read, 0),
    rowsWritten: results.reduce((sum, result) => sum + result.meta.rows_written, 0),
    visitorRows: insertedVisitors.meta.rows_written,
  };
}

/** One parameter: the rows of a kind, of all windows that have any. */
function rowsOf(rows: readonly WindowRows[], kind: 'counts' | 'dims' | 'visitors' | 'recent'): string {
  return JSON.stringify(rows.flatMap((window) => (window[kind].length === 0 ? [] : [[window.key, window[kind]]])));
}

/** Splits windows into parts whose largest parameter stays well below D1's limit of 2 MB. One UTF-16 unit is up to 3 bytes of UTF-8. */
export function splitIntoParts(rows: readonly WindowRows[], maxChars = 600_000): WindowRows[][] {
  const parts: WindowRows[][] = [];
  let room = 0;
  for (const window of rows) {
    const kinds = [window.counts, window.dims, window.visitors, window.recent];
    const size = window.key.length + Math.max(...kinds.map((kind) => JSON.stringify(kind).length));
    const last = parts.at(-1);
    if (last !== undefined && size <= room) last.push(window);
    else {
      parts.push([window]);
      room = maxChars;
    }
    room -= size;
  }
  return parts;
}
