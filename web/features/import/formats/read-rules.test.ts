import { describe, expect, it } from 'vitest';
import { readImport } from './read-import.ts';
import { rulesOf, rulesOfColumn, variantsOf } from './read-rules.ts';

const TO = 'https://b.example';

describe('rules and variants of a file', () => {
  it('reads rules as Hop exports them, up to 20', () => {
    const rules = Array.from({ length: 21 }, () => ({ if: { device: ['ios'] }, to: TO }));
    expect(rulesOf(rules.slice(1))).toEqual(rules.slice(1));
    expect(rulesOf(JSON.stringify(rules.slice(20)))).toEqual(rules.slice(20));
    for (const wrong of [rules, [], [{ to: TO }], [{ if: {} }], 'x', ''])
      expect(rulesOf(wrong)).toBeUndefined();
  });

  it('reads up to four variants that leave the link a share', () => {
    const variants = (...weights: number[]) => weights.map((weight) => ({ url: TO, weight }));
    expect(variantsOf(variants(1, 2, 3, 93))).toEqual(variants(1, 2, 3, 93));
    expect(variantsOf(JSON.stringify(variants(99)))).toEqual(variants(99));
    for (const wrong of [variants(100), variants(1, 2, 3, 4, 5), variants(0), [], 'x'])
      expect(variantsOf(wrong)).toBeUndefined();
  });

  it.each([
    ['iphone_url', TO, { device: ['ios'] }],
    ['Android', TO, { device: ['android'] }],
    ['desktop-url', TO, { device: ['desktop'] }],
    ['geo.de', TO, { country: ['DE'] }],
    ['geoTargeting.FR', TO, { country: ['FR'] }],
    ['geo', `{"de": "${TO}"}`, { country: ['DE'] }],
  ])('reads the destination in the column %s', (name, value, condition) => {
    expect(rulesOfColumn(name, value)).toEqual([{ if: condition, to: TO }]);
  });

  it.each([
    ['mobile_url', TO],
    ['ios', 'an app'],
    ['geo.germany', TO],
    // Some visitors would get another destination than before.
    ['geo', `{"de": "${TO}", "fr": "?"}`],
  ])('makes no rule of %s: %s', (name, value) => {
    expect(rulesOfColumn(name, value)).toEqual([]);
  });

  it('rules of the file come before those of its columns, in the order of the columns', async () => {
    const own = { if: { device: ['desktop'] }, to: TO };
    const [url, ios, android] = ['https://a.example', TO, TO];
    const links = [
      { url, ios, android },
      { android, ios, rules: [own], url },
    ];
    const { rows } = await readImport(JSON.stringify(links));
    expect(rows.map(({ rules }) => rules?.map((rule) => rule.if.device))).toEqual([
      [['ios'], ['android']],
      [['desktop'], ['ios'], ['android']],
    ]);
  });

  it('says that a link loses the rules beyond 20', async () => {
    const countries = Array.from('abcdefghijklmnopqrstu', (letter) => [`a${letter}`, TO]);
    const read = async (count: number) => {
      const geo = Object.fromEntries(countries.slice(0, count));
      const { rows } = await readImport(JSON.stringify([{ url: 'https://a.example', geo }]));
      return rows.map(({ rules, losses }) => [rules?.length, losses]);
    };
    expect(await read(20)).toEqual([[20, undefined]]);
    expect(await read(21)).toEqual([[20, ['rules']]]);
  });
});
