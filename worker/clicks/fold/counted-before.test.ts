import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { foldWindows } from './fold-windows.ts';
import { makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const TODAY = Date.UTC(2026, 10, 20) / DAY_MS;

describe('a fold', () => {
  it('knows the visitors that the previous release has counted on that day', async () => {
    await makeLinks([1]);
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO click_visitors (day, link_id, visitor, attempt) VALUES (${TODAY}, 1, 'a', '')`,
      ),
      env.DB.prepare('INSERT INTO link_totals (link_id, rev, human, visitors) VALUES (1, 1, 1, 1)'),
    ]);
    for (const k of ['a', 'b', 'a', 'b'])
      await foldWindows(env.DB, [makeWindow([makeClick(1, { k })])], NOON);
    expect(
      await env.DB.prepare(
        'SELECT human, bot, prefetch, visitors FROM link_totals WHERE link_id = 1',
      ).first(),
    ).toEqual({
      human: 5,
      bot: 0,
      prefetch: 0,
      visitors: 2,
    });
  });
});
