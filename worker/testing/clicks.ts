import { env } from 'cloudflare:test';
import { type ClickCounts } from '#worker/clicks/fold/counts.ts';
import { parseCounts } from '#worker/clicks/fold/counts-codec.ts';
import { createdTables, type DayRow } from '#worker/clicks/fold/read-stored.ts';
import { DAYS_TABLES } from '#worker/clicks/fold/tables.ts';
import type { ClickEvent, ClickWindow } from '#worker/redirect/click-event.ts';

export const UA_CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36';
export const UA_IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
export const UA_BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** Returns a human click at noon UTC of 2026-11-20. `facts` overrides its members. */
export function makeClick(link: number, facts: Partial<ClickEvent> = {}): ClickEvent {
  return {
    l: link,
    t: Date.UTC(2026, 10, 20, 12),
    ua: UA_CHROME,
    r: '',
    c: 'IN',
    g: 'KA',
    y: 'Bengaluru',
    k: '',
    ...facts,
  };
}

export function makeWindow(clicks: ClickEvent[], id: string = crypto.randomUUID()): ClickWindow {
  return { v: 1, id, e: clicks };
}

/** Inserts rows into `links` for these ids, with the code 'link<id>', unless they exist. */
export async function makeLinks(
  ids: number[],
  userId: string | null = null,
  createdAt = Date.UTC(2024, 0, 1),
): Promise<void> {
  await env.DB.prepare(
    `INSERT OR IGNORE INTO links (id, code, target, target_host, user_id, created_at, updated_at)
     SELECT value, 'link' || value, 'https://example.com/' || value, 'example.com', ?2, ?3, ?3 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(ids), userId, createdAt)
    .run();
}

/** Empties all tables of clicks, including those of single days. */
export async function deleteClicks(db: D1Database = env.DB): Promise<void> {
  const tables = await db
    .prepare(
      `SELECT name FROM sqlite_master WHERE name GLOB 'click_*' OR name GLOB 'link_days_*' OR name IN ('link_months', 'link_totals', 'job_runs', 'account_days', 'rolled_up_links')`,
    )
    .all<{ name: string }>();
  createdTables.clear();
  await db.batch(
    tables.results.map(({ name }) =>
      db.prepare(/_\d{5}$/.test(name) ? `DROP TABLE ${name}` : `DELETE FROM ${name}`),
    ),
  );
}

export type StoredDay = { link: number; day: number; counts: ClickCounts };

/**
 * Returns the counts of every link and day, wherever they are stored, ordered by link and day. Days
 * that are only stored as part of a month are missing.
 */
export async function storedDays(db: D1Database = env.DB): Promise<StoredDay[]> {
  const results = await db.batch<DayRow>([
    db.prepare(`SELECT link_id, day, counts FROM link_totals WHERE day > 0`),
    ...DAYS_TABLES.map((table) => db.prepare(`SELECT * FROM ${table}`)),
  ]);
  return results
    .flatMap(({ results: rows }) => rows)
    .map((row) => ({ link: row.link_id, day: row.day, counts: parseCounts(row.counts) }))
    .sort((a, b) => a.link - b.link || a.day - b.day);
}

/** Returns all rows of a table, ordered by its first two columns, for comparisons. */
export async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
  return (await env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()).results;
}
