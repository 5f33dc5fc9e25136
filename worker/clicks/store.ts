import { RECENT_CLICKS_MAX } from '#contract/limits.ts';
import type { WindowRows } from './aggregate.ts';
import { capSql, spillSql } from './dims.ts';

/**
 * The statements of one fold, in their order. They run as one atomic batch. ?1 = the windows' keys (JSON array), ?2 = this
 * attempt's random id, ?3 = rows (JSON array of arrays whose first member is the index of their window in ?1).
 * Every statement counts only windows that carry this attempt's id: those which the first statement inserted.
 */
const FRESH = `fresh(w) AS MATERIALIZED (
  SELECT k.key FROM json_each(?1) k JOIN click_windows cw ON cw.id = k.value AND cw.attempt = ?2)`;

/** Rows of fresh windows whose link exists: a click on a link that never was creates nothing. */
const FRESH_ROWS = `json_each(?3) j JOIN fresh ON fresh.w = j.value->>0 JOIN links ON links.id = j.value->>1`;

/** ?1 keys, ?2 attempt, ?3 now. */
const INSERT_WINDOWS = `INSERT OR IGNORE INTO click_windows (id, attempt, received_at) SELECT value, ?2, ?3 FROM json_each(?1) RETURNING id`;

/** ?3 = visitor rows. Who is there already keeps their old attempt and is not counted again. */
const INSERT_VISITORS = `WITH ${FRESH}
INSERT OR IGNORE INTO click_visitors (day, link_id, visitor, attempt)
SELECT j.value->>3, j.value->>1, j.value->>4, ?2 FROM ${FRESH_ROWS} WHERE true`;

/** The visitors this attempt has inserted, once each, with the first hour in which this batch saw them. ?4 = visitor rows. */
const NEW_VISITORS = `new_visitors(link_id, hour) AS MATERIALIZED (
  SELECT v.link_id, min(j.value->>2) FROM json_each(?4) j JOIN fresh ON fresh.w = j.value->>0
  JOIN click_visitors v ON v.day = j.value->>3 AND v.link_id = j.value->>1 AND v.visitor = j.value->>4 AND v.attempt = ?2
  GROUP BY v.day, v.link_id, v.visitor)`;

/** ?3 = count rows, ?4 = visitor rows. */
const ADD_COUNTS = `WITH ${FRESH}, ${NEW_VISITORS}
INSERT INTO click_counts (link_id, grain, at, human, bot, prefetch, visitors)
SELECT link_id, 'h', hour, sum(human), sum(bot), sum(prefetch), sum(visitors) FROM (
  SELECT links.id AS link_id, j.value->>2 AS hour, j.value->>3 AS human, j.value->>4 AS bot, j.value->>5 AS prefetch, 0 AS visitors
  FROM ${FRESH_ROWS}
  UNION ALL SELECT link_id, hour, 0, 0, 0, 1 FROM new_visitors)
WHERE true GROUP BY link_id, hour
ON CONFLICT DO UPDATE SET human = human + excluded.human, bot = bot + excluded.bot,
  prefetch = prefetch + excluded.prefetch, visitors = visitors + excluded.visitors`;

/**
 * ?3 = dimension rows. Values that are already there, and overflow values, are added to; new ones get in while there is room
 * under the day's cap, the most frequent first; the others count under their overflow value.
 */
const ADD_DIMS = `WITH ${FRESH},
incoming AS MATERIALIZED (
  SELECT links.id AS link_id, j.value->>2 AS at, j.value->>3 AS dim, j.value->>4 AS val, sum(j.value->>5) AS n
  FROM ${FRESH_ROWS} GROUP BY 1, 2, 3, 4),
marked AS MATERIALIZED (
  SELECT i.*, ${spillSql('i.')} AS spill, d.val IS NOT NULL OR i.val = ${spillSql('i.')} AS stays
  FROM incoming i LEFT JOIN click_dims d
  ON d.link_id = i.link_id AND d.grain = 'd' AND d.at = i.at AND d.dim = i.dim AND d.val = i.val),
room AS MATERIALIZED (
  SELECT link_id, at, dim, ${capSql} - (SELECT count(*) FROM click_dims d WHERE d.link_id = m.link_id AND d.grain = 'd'
    AND d.at = m.at AND d.dim = m.dim AND d.val <> ${spillSql('d.')}) AS free
  FROM marked m WHERE NOT stays GROUP BY link_id, at, dim),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY link_id, at, dim, stays ORDER BY n DESC, val) AS place FROM marked)
INSERT INTO click_dims (link_id, grain, at, dim, val, n)
SELECT r.link_id, 'd', r.at, r.dim, CASE WHEN r.stays OR r.place <= room.free THEN r.val ELSE r.spill END AS v, sum(r.n)
FROM ranked r LEFT JOIN room ON room.link_id = r.link_id AND room.at = r.at AND room.dim = r.dim
WHERE true GROUP BY r.link_id, r.at, r.dim, v
ON CONFLICT DO UPDATE SET n = n + excluded.n`;

/** The newest of two JSON arrays of recent clicks, newest first. Ties are broken by the text, so that order never matters. */
const NEWEST = `(SELECT json_group_array(json(value) ORDER BY value->>0 DESC, value) FROM (
  SELECT value FROM (SELECT value FROM json_each(link_totals.recent) UNION ALL SELECT value FROM json_each(excluded.recent))
  ORDER BY value->>0 DESC, value LIMIT ${RECENT_CLICKS_MAX}))`;

/** ?3 = count rows, ?4 = visitor rows, ?5 = recent rows. */
const ADD_TOTALS = `WITH ${FRESH}, ${NEW_VISITORS},
newest AS (
  SELECT link_id, json_group_array(json(click) ORDER BY click->>0 DESC, click) AS recent FROM (
    SELECT j.value->>1 AS link_id, json_array(j.value->>2, j.value->>3, j.value->>4, j.value->>5) AS click,
      row_number() OVER (PARTITION BY j.value->>1 ORDER BY j.value->>2 DESC) AS place
    FROM json_each(?5) j JOIN fresh ON fresh.w = j.value->>0)
  WHERE place <= ${RECENT_CLICKS_MAX} GROUP BY link_id),
seen AS (SELECT link_id, count(*) AS visitors FROM new_visitors GROUP BY link_id)
INSERT INTO link_totals (link_id, human, bot, prefetch, visitors, first_at, last_at, recent)
SELECT c.link_id, c.human, c.bot, c.prefetch, coalesce(seen.visitors, 0), c.first_at, c.last_at, coalesce(newest.recent, '[]')
FROM (
  SELECT links.id AS link_id, sum(j.value->>3) AS human, sum(j.value->>4) AS bot, sum(j.value->>5) AS prefetch,
    min(j.value->>6) AS first_at, max(j.value->>7) AS last_at
  FROM ${FRESH_ROWS} GROUP BY links.id) c
LEFT JOIN seen ON seen.link_id = c.link_id LEFT JOIN newest ON newest.link_id = c.link_id
WHERE true
ON CONFLICT DO UPDATE SET human = human + excluded.human, bot = bot + excluded.bot, prefetch = prefetch + excluded.prefetch,
  visitors = visitors + excluded.visitors,
  first_at = min(coalesce(first_at, excluded.first_at), coalesce(excluded.first_at, first_at)),
  last_at = max(coalesce(last_at, excluded.last_at), coalesce(excluded.last_at, last_at)),
  recent = CASE excluded.recent WHEN '[]' THEN recent ELSE ${NEWEST} END`;

/** What a fold did. `clicks` and `windows` are the new ones only; the rows are D1's own figures. */
export type Folded = { clicks: number; windows: number; rowsRead: number; rowsWritten: number; visitorRows: number };

/**
 * Counts windows with different keys in one atomic batch. `attempt` must be random and never used before:
 * the same one a second time would take the first one's windows for its own and count them again.
 */
export async function foldRows(db: D1Database, rows: readonly WindowRows[], attempt: string, now: number): Promise<Folded> {
  const keys = JSON.stringify(rows.map((window) => window.key));
  const counts = numbered(rows, 'counts');
  const visitors = numbered(rows, 'visitors');
  const results = await db.batch<{ id: string }>([
    db.prepare(INSERT_WINDOWS).bind(keys, attempt, now),
    db.prepare(INSERT_VISITORS).bind(keys, attempt, visitors),
    db.prepare(ADD_COUNTS).bind(keys, attempt, counts, visitors),
    db.prepare(ADD_DIMS).bind(keys, attempt, numbered(rows, 'dims')),
    db.prepare(ADD_TOTALS).bind(keys, attempt, counts, visitors, numbered(rows, 'recent')),
  ]);
  const fresh = new Set(results[0]?.results.map((row) => row.id));
  const counted = rows.filter((window) => fresh.has(window.key));
  return {
    clicks: counted.reduce((sum, window) => sum + window.events, 0),
    windows: counted.length,
    rowsRead: results.reduce((sum, result) => sum + result.meta.rows_read, 0),
    rowsWritten: results.reduce((sum, result) => sum + result.meta.rows_written, 0),
    visitorRows: results[1]?.meta.rows_written ?? 0,
  };
}

/** One parameter for a kind of rows, each with the number of its window in front. */
function numbered(rows: readonly WindowRows[], kind: 'counts' | 'dims' | 'visitors' | 'recent'): string {
  return JSON.stringify(rows.flatMap((window, w) => window[kind].map((row) => [w, ...row])));
}

/** Cuts windows into parts whose biggest parameter stays well under D1's 2 MB (a character is up to 3 bytes of UTF-8). */
export function inParts(rows: readonly WindowRows[], maxChars = 600_000): WindowRows[][] {
  const parts: WindowRows[][] = [];
  let room = 0;
  for (const window of rows) {
    const size = JSON.stringify([window.key, window.counts, window.dims, window.visitors, window.recent]).length;
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
