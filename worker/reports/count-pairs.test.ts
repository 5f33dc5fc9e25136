import { expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { noCounts } from '#worker/clicks/fold/counts.ts';
import { answerFilters } from './answer-filters.ts';
import { countPairs } from './count-pairs.ts';

it('clicks of a country beyond the list may be on the referrer that is asked for', () => {
  const counts = {
    ...noCounts(),
    human: 10,
    place: new Map([
      ['IN||', 8],
      ['US||', 2],
    ]),
    ref: new Map([
      ['a.example', 5],
      ['Other', 5],
    ]),
    sources: new Map([
      ['IN|a.example', 1],
      ['IN|Other', 5],
      ['Other', 4],
    ]),
  };
  const filters = [
    { dimension: 'country', value: 'IN' },
    { dimension: 'referrer', value: 'a.example' },
  ] as const;
  const found = countPairs([{ at: 0, counts }], 'referrer', filters, 0);
  expect(found).toMatchObject({ byName: new Map([['a.example', 1]]), unlisted: 4, since: null });
});

it('pairs are known since the latest day, or after the latest month, that lacks some', () => {
  const [MONTH, OLDEST] = [Date.UTC(2025, 8, 1), Date.UTC(2025, 9, 1)];
  const DAY = Date.UTC(2026, 10, 20);
  const counts = {
    ...noCounts(),
    human: 2,
    place: new Map([['IN||', 2]]),
    devices: new Map([['IN|Mobile', 2]]),
    sources: new Map([['IN|a.example', 2]]),
  };
  const since = (...rows: { at: number; counts: typeof counts }[]): number =>
    answerFilters(rows, [{ dimension: 'country', value: 'IN' }], OLDEST).since;
  const [noDevices, noSources] = [{ devices: new Map() }, { sources: new Map() }];
  const lacks = (at: number, some: Partial<typeof counts>) => ({
    at,
    counts: { ...counts, ...some },
  });
  const complete = lacks(DAY, {});
  expect(since(complete)).toBe(0);
  expect(since(lacks(DAY - 2 * DAY_MS, noDevices), complete)).toBe(DAY - DAY_MS);
  expect(since(lacks(DAY - 2 * DAY_MS, noSources), complete)).toBe(DAY - DAY_MS);
  expect(since(lacks(DAY - 2 * DAY_MS, noDevices), lacks(MONTH, noSources), complete)).toBe(
    DAY - DAY_MS,
  );
  expect(since(lacks(MONTH, noDevices), complete)).toBe(OLDEST);
});
