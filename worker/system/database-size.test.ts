import { env } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { rowsOf } from '#worker/testing/clicks.ts';
import { recordSize } from './database-size.ts';

const NOW = Date.UTC(2027, 0, 10, 12);
const DAY = 86_400_000;

describe('recordSize', () => {
  it('stores the size of the day and deletes what nobody reads any more', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const insert = (table: string, ...row: (string | number)[]) =>
      env.DB.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join()})`).bind(...row);
    await env.DB.batch([
      insert('system_facts', 'lost:1', NOW - 7 * DAY - 1, '4'),
      insert('system_facts', 'lost:2', NOW - 7 * DAY, '5'),
      insert('system_facts', 'size:1', NOW - 90 * DAY - 1, '6'),
      insert('system_facts', 'size:2', NOW - 90 * DAY, '7'),
      insert('set_aside_windows', 'old', NOW - 99 * DAY, NOW, 8, 'x', '{}'),
      insert('set_aside_windows', 'new', NOW - DAY, NOW, 9, 'x', '{}'),
    ]);
    expect(await recordSize(env, NOW)).toEqual({
      done: { bytes: expect.any(Number), clicks_lost: 8 },
    });
    const facts = await rowsOf('system_facts');
    const day = Math.floor(NOW / DAY);
    expect(facts.map(({ name, at }) => [name, at])).toEqual(
      expect.arrayContaining([
        ['lost:2', NOW - 7 * DAY],
        ['size:2', NOW - 90 * DAY],
        [`size:${day}`, NOW],
        [`lost:${Math.floor(NOW / 3_600_000)}`, NOW],
      ]),
    );
    expect(facts).toHaveLength(4);
    expect(Number(facts.find(({ name }) => name === `size:${day}`)?.value)).toBeGreaterThan(1000);
    expect((await rowsOf('set_aside_windows')).map(({ id }) => id)).toEqual(['new']);
    expect(await recordSize(env, NOW)).toMatchObject({ done: { clicks_lost: 0 } });
  });
});
