import { describe, expect, it } from 'vitest';
import { LEAST_SHOWN_CLICKS, type SharedRow } from '#contract/reports/shared-reports.ts';
import { foldCities, foldSmall } from './fold-small.ts';

const rowsOf = (counts: Record<string, number>): SharedRow[] =>
  Object.entries(counts).map(([name, clicks]) => ({ name, clicks }));
const shown = (counts: Record<string, number>) => {
  const { rows, other } = foldSmall(rowsOf(counts));
  return [Object.fromEntries(rows.map(({ name, clicks }) => [name, clicks])), other];
};
const sum = (rows: readonly SharedRow[]): number => rows.reduce((n, { clicks }) => n + clicks, 0);

describe('foldSmall', () => {
  it('[T72] adds up values with fewer than five clicks', () => {
    expect(shown({ US: 20, IN: 5, DE: 4, FR: 3 })).toEqual([{ US: 20, IN: 5 }, 7]);
  });

  it('[T72] folds the next value if the sum of the small ones is small', () => {
    expect(shown({ US: 20, IN: 9, DE: 4 })).toEqual([{ US: 20 }, 13]);
    expect(shown({ US: 20, DE: 1 })).toEqual([{}, 21]);
  });

  it('[T72] treats stored sums of rare values like the fold', () => {
    expect(shown({ US: 20, IN: 9, Other: 2 })).toEqual([{ US: 20 }, 11]);
    expect(shown({ US: 20, Other: 8 })).toEqual([{ US: 20 }, 8]);
  });

  it('shows every value if none is small, and none if all together are few', () => {
    expect(shown({ US: 5, IN: 6 })).toEqual([{ IN: 6, US: 5 }, 0]);
    expect(shown({ US: 2, IN: 1 })).toEqual([{}, 3]);
    expect(shown({})).toEqual([{}, 0]);
  });

  it('lists the largest values only', () => {
    const { rows, other } = foldSmall(rowsOf({ a: 9, b: 8, c: 7, d: 6 }), 2);
    expect([rows.map(({ name }) => name), other]).toEqual([['a', 'b'], 13]);
    const many = Array.from({ length: 22 }, (_, at) => ({ name: `v${at}`, clicks: 50 - at }));
    expect(foldSmall(many)).toMatchObject({ rows: { length: 20 }, other: 30 + 29 });
    const cities = foldCities(many.map((row) => ({ ...row, country: 'IN' })));
    // The sum of the others is a row of the country.
    expect(cities).toMatchObject({ rows: { length: 20 }, other: 31 });
    const countries = many
      .slice(0, 11)
      .flatMap(({ name: country }) => ['a', 'b'].map((name) => ({ name, country, clicks: 9 })));
    expect(foldCities(countries)).toMatchObject({ rows: { length: 20 }, other: 2 * 9 });
  });

  it('[T72] never reveals a count below five, directly or by subtraction', () => {
    let seed = 7;
    const random = (max: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % max;
    };
    for (let round = 0; round < 2_000; round += 1) {
      const rows = Array.from({ length: random(12) }, (_, at) => ({
        name: `v${at}`,
        clicks: random(15),
      }));
      const folded = foldSmall(rows);
      expect(sum(folded.rows) + folded.other).toBe(sum(rows));
      for (const { clicks } of folded.rows)
        expect(clicks).toBeGreaterThanOrEqual(LEAST_SHOWN_CLICKS);
      if (folded.rows.length > 0)
        expect(folded.other === 0 || folded.other >= LEAST_SHOWN_CLICKS).toBe(true);
    }
  });
});

describe('foldCities', () => {
  it('[T72] leaves no small rest of a country', () => {
    const { rows, other } = foldCities([
      { name: 'Berlin', country: 'DE', clicks: 20 },
      { name: 'Bonn', country: 'DE', clicks: 3 },
      { name: 'Paris', country: 'FR', clicks: 8 },
      { name: 'Lyon', country: 'FR', clicks: 6 },
      { name: 'Nice', country: 'FR', clicks: 2 },
      { name: 'Oslo', country: 'NO', clicks: 4 },
      { name: 'Rome', country: 'IT', clicks: 3 },
    ]);
    // Germany: 23 - 20 would be 3. France: 16 - 8 - 6 would be 2.
    expect(rows).toEqual([
      { name: 'Other', country: 'DE', clicks: 23 },
      { name: 'Other', country: 'FR', clicks: 8 },
      { name: 'Paris', country: 'FR', clicks: 8 },
    ]);
    expect(other).toBe(7);
  });
});
