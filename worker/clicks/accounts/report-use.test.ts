import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { users } from '#worker/db/schema-users.ts';
import { isReportUsed, recordReportRead, selectReportsInUse } from './report-use.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const db = openDb(env.DB);
const readAt = async () =>
  (await db.select({ at: users.report_read_at }).from(users).get())?.at ?? null;

beforeEach(async () => {
  await db.delete(users);
  await db.insert(users).values({ id: 'u', created_at: 0, last_seen_at: 0 });
});

describe('recordReportRead', () => {
  it('returns since when a report is in use, and writes at most once a day', async () => {
    const reads = [0, HOUR_MS, DAY_MS - 1, DAY_MS, DAY_MS + HOUR_MS];
    const seen: unknown[] = [];
    for (const after of reads)
      seen.push([await recordReportRead(db, 'u', NOW + after), (await readAt()) ?? 0]);
    expect(seen).toEqual([
      [NOW, NOW],
      [NOW, NOW],
      [NOW, NOW],
      [NOW, NOW + DAY_MS],
      [NOW, NOW + DAY_MS],
    ]);
  });

  it('a report that nobody has read for 60 days is in use from its next read on', async () => {
    await recordReportRead(db, 'u', NOW);
    const isUsed = async (now: number) => {
      const used = await db.all(sql`select 1 where ${isReportUsed(sql`'u'`, now)}`);
      expect(await db.all(selectReportsInUse(now))).toHaveLength(used.length);
      return used.length === 1;
    };
    const end = NOW + 60 * DAY_MS;
    expect([await isUsed(end - 1), await isUsed(end)]).toEqual([true, false]);
    expect(await recordReportRead(db, 'u', end)).toBe(end);
    expect(await isUsed(end)).toBe(true);
  });
});
