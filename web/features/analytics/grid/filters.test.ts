import { describe, expect, it } from 'vitest';
import { parseFilter, type Filter } from '#contract/reports/report-filter.ts';
import { nameFilters, withFilter } from './filters.ts';

const filters = (...texts: string[]): Filter[] =>
  texts.map(parseFilter).filter((filter) => filter !== null);
const pressed = (shown: readonly string[], row: string): string[] => {
  const [next] = filters(row);
  return next === undefined
    ? []
    : withFilter(filters(...shown), next).map(({ dimension, value }) => `${dimension}:${value}`);
};

describe('withFilter', () => {
  it.each([
    ['adds the first', [], 'country:IN', ['country:IN']],
    ['removes a pressed one', ['country:IN'], 'country:IN', []],
    ['replaces one of its dimension', ['country:IN'], 'country:DE', ['country:DE']],
    ['adds a counted pair', ['country:IN'], 'device:Mobile', ['country:IN', 'device:Mobile']],
    ['replaces one that is counted apart', ['country:IN'], 'browser:Chrome', ['browser:Chrome']],
    ['keeps what pairs', ['os:iOS', 'country:IN'], 'device:TV', ['os:iOS', 'device:TV']],
    [
      'replaces one of two',
      ['country:IN', 'device:TV'],
      'device:Mobile',
      ['country:IN', 'device:Mobile'],
    ],
  ])('%s', (_, shown, row, expected) => {
    expect(pressed(shown, row)).toEqual(expected);
  });
});

describe('nameFilters', () => {
  it.each([
    ['city:IN|KA|Bengaluru', 'City: Bengaluru, India'],
    ['country:T1', 'Country: Tor network'],
    ['device:Mobile', 'Device: Mobile'],
    ['browser:Mobile Safari', 'Browser: Safari (mobile)'],
    ['os:Mac OS', 'System: macOS'],
    ['referrer:t.co', 'Source: X'],
  ])('names %s', (text, name) => {
    expect(nameFilters(filters(text))).toBe(name);
  });

  it('joins two', () => {
    expect(nameFilters(filters('country:IN', 'device:Mobile'))).toBe(
      'Country: India and Device: Mobile',
    );
  });
});
