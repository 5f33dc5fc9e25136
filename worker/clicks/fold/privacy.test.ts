import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makeLinks, UA_BOT, UA_CHROME, UA_IPHONE } from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { foldWindows } from './fold-windows.ts';

const ADDRESSES = [
  '198.51.100.77',
  '203.0.113.200',
  '2001:db8:85a3:1:2:8a2e:370:7334',
  '2001:DB8:85A3:1::9',
];
/** Dotted IPv4, or at least three groups of an IPv6 address, anywhere in a text. */
const ADDRESS = /(?<![\d.])(\d{1,3}\.){3}\d{1,3}(?![\d.])|([0-9a-f]{1,4}:){3,}/i;

const hasAddress = (text: string): boolean =>
  ADDRESSES.some((address) => text.toLowerCase().includes(address.toLowerCase()));

async function visit(code: string, headers: Record<string, string>): Promise<void> {
  const sent: ClickWindow[] = [];
  const CLICKS = withMethods(env.CLICKS, {
    send: (window: ClickWindow) => (sent.push(structuredClone(window)), Promise.resolve()),
  });
  await call(`/${code}`, { headers, cf: { country: 'IN' } }, { CLICKS, CLICK_WINDOW_MS: '1' });
  expect(hasAddress(JSON.stringify(sent))).toBe(false);
  await foldWindows(env.DB, sent, Date.now());
}

/** The visitor sets of all links and days. */
async function readVisitorSets(): Promise<string[]> {
  const sets = await env.DB.prepare('SELECT value FROM link_totals, json_each(visitor_sets)').all<{
    value: string;
  }>();
  return sets.results.map(({ value }) => value);
}

/** Every text in every table, as 'table.column: text'. */
async function readAllTexts(): Promise<string[]> {
  const tables = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'd1_%'`,
  ).all<{ name: string }>();
  const texts: string[] = [];
  for (const { name } of tables.results) {
    const rows = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    for (const row of rows.results)
      for (const [column, value] of Object.entries(row))
        if (typeof value === 'string') texts.push(`${name}.${column}: ${value}`);
  }
  return texts;
}

describe('stored data', () => {
  it('[T33] stored data contains no address, and no visitor id on two links', async () => {
    await makeLinks([1, 2]);
    for (const address of ADDRESSES)
      for (const code of ['link1', 'link2'])
        for (const ua of [UA_CHROME, UA_IPHONE, UA_BOT])
          await visit(code, { 'CF-Connecting-IP': address, 'User-Agent': ua });
    await call('/api/shorten', {
      json: { longUrl: 'https://example.org/' },
      headers: { 'CF-Connecting-IP': ADDRESSES[0] ?? '' },
    });

    const texts = await readAllTexts();
    expect(texts.filter((text) => text.startsWith('link_totals.visitor_sets: ')).length).toBe(2);
    expect(texts.filter((text) => ADDRESS.test(text.slice(text.indexOf(': ') + 2)))).toEqual([]);
    expect(texts.filter(hasAddress)).toEqual([]);

    // Two IPv4 addresses and one IPv6 /64, times two browsers: 6 visitors of each link, with 12
    // different ids.
    const seen = await env.DB.prepare(
      'SELECT link_id, visitors FROM link_totals ORDER BY link_id',
    ).all();
    expect(seen.results).toEqual([
      { link_id: 1, visitors: 6 },
      { link_id: 2, visitors: 6 },
    ]);
    const sets = await readVisitorSets();
    expect(new Set(sets.flatMap((hashes) => hashes.match(/.{10}/g))).size).toBe(12);
  });

  it.each([['Sec-GPC'], ['DNT']])(
    '[T33] a click with %s: 1 counts without a visitor id',
    async (header) => {
      await makeLinks([30]);
      const before = await readVisitorSets();
      const human =
        (await env.DB.prepare('SELECT human FROM link_totals WHERE link_id = 30').first<number>(
          'human',
        )) ?? 0;
      await visit('link30', {
        'CF-Connecting-IP': '198.51.100.9',
        'User-Agent': UA_CHROME,
        [header]: '1',
      });
      expect(
        await env.DB.prepare('SELECT human, visitors FROM link_totals WHERE link_id = 30').first(),
      ).toEqual({
        human: human + 1,
        visitors: 0,
      });
      expect(await readVisitorSets()).toEqual(before);
    },
  );
});
