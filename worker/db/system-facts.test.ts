import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { rowsOf } from '#worker/testing/clicks.ts';
import { openDb } from './client.ts';
import { addLostClicks, deleteOldFacts, saveFact } from './system-facts.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const db = openDb(env.DB);

beforeEach(() => env.DB.prepare('DELETE FROM system_facts').run());

describe('addLostClicks', () => {
  it('adds up the losses of an hour, with the time of the latest', async () => {
    for (const [at, clicks] of [
      [NOW, 3],
      [NOW + HOUR_MS - 1, 4],
      [NOW + HOUR_MS, 5],
    ] as const)
      await addLostClicks(db, clicks, at);
    const rows = await rowsOf('system_facts');
    expect(rows.map(({ name, at, value }) => [name, at, Number(value)])).toEqual([
      [`lost:${NOW / HOUR_MS}`, NOW + HOUR_MS - 1, 7],
      [`lost:${NOW / HOUR_MS + 1}`, NOW + HOUR_MS, 5],
    ]);
  });
});

describe('deleteOldFacts', () => {
  it('keeps losses for 7 days, sizes for 90, and all other facts', async () => {
    const facts: [name: string, ageMs: number][] = [
      ['lost:1', 7 * DAY_MS + 1],
      ['lost:2', 7 * DAY_MS],
      ['size:1', 90 * DAY_MS + 1],
      ['size:2', 90 * DAY_MS],
      ['backup', 900 * DAY_MS],
      ['alert:cron', 900 * DAY_MS],
      ['queue:clicks', 900 * DAY_MS],
    ];
    for (const [name, ageMs] of facts) await saveFact(db, { name, at: NOW - ageMs, value: 'v' });
    await deleteOldFacts(db, NOW);
    expect((await rowsOf('system_facts')).map(({ name }) => name)).toEqual([
      'alert:cron',
      'backup',
      'lost:2',
      'queue:clicks',
      'size:2',
    ]);
  });
});
