import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold-windows.ts';
import { addVisitors, hashVisitor } from '#worker/clicks/visitor-set.ts';
import { makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const TODAY = Date.UTC(2026, 10, 20) / DAY_MS;

describe('a fold', () => {
  it('knows the visitors that an earlier release has stored in a table of the day, also without new ones', async () => {
    await makeLinks([1]);
    const { stored } = addVisitors('', new Map([[hashVisitor('a'), '12']]));
    await env.DB.batch([
      env.DB.prepare(`CREATE TABLE click_visitors_${TODAY} (link_id INTEGER PRIMARY KEY NOT NULL, hashes TEXT NOT NULL)`),
      env.DB.prepare(`INSERT INTO click_visitors_${TODAY} VALUES (1, ?1)`).bind(stored),
      env.DB.prepare('INSERT INTO link_totals (link_id, rev, human, visitors) VALUES (1, 1, 1, 1)'),
    ]);
    for (const k of ['a', 'b', 'a', 'b']) await foldWindows(env.DB, [makeWindow([makeClick(1, { k })])], NOON);
    expect(await env.DB.prepare('SELECT human, bot, prefetch, visitors FROM link_totals WHERE link_id = 1').first()).toEqual({
      human: 5,
      bot: 0,
      prefetch: 0,
      visitors: 2,
    });
  });
});
