import { describe, expect, it } from 'vitest';
import {
  dateFormat,
  dateFormOf,
  formatNumber,
  formatRelative,
  formatUtcDate,
  listAll,
  listAny,
  numberFormat,
  plural,
  regionName,
} from './language.ts';

describe('language', () => {
  it('formats numbers with the separators of the language', () => {
    expect(formatNumber(1234567)).toBe('1,234,567');
    expect(numberFormat({ notation: 'compact' })(1200)).toBe('1.2K');
  });

  it('formats a time, a range of times and an age', () => {
    const day = dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' });
    expect(day('2026-11-21T12:00:00Z')).toBe('Nov 21');
    expect(day(Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 7))).toMatch(/^Nov 1\s–\s7$/);
    expect(formatUtcDate('2026-11-21T23:59:00Z')).toBe('Nov 21, 2026');
    expect(formatRelative(-1, 'day')).toBe('yesterday');
  });

  it.each([
    ['en-US', 'en-US', 'h12'],
    ['en-GB', 'en-GB', 'h23'],
    ['de', 'en-DE', 'h23'],
    ['pt-BR', 'en-001', 'h23'],
    ['es-MX', 'en-001', 'h12'],
    ['ja-u-hc-h11', 'en-JP', 'h12'],
  ])('writes a date for a browser in %s as in %s', (language, locale, hourCycle) => {
    expect(dateFormOf(language)).toEqual({ locale, hourCycle });
  });

  it.each([
    ['h12', '9:05 AM'],
    ['h23', '09:05'],
  ] as const)('writes an hour of the clock %s as %s', (hourCycle, text) => {
    const time = dateFormat({ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }, () => ({
      locale: 'en',
      hourCycle,
    }));
    expect(time('2026-11-21T09:05:00Z').replace(/\s/, ' ')).toBe(text);
  });

  it('writes a date as everywhere if the browser’s language is not well-formed', () => {
    expect(dateFormOf('C')).toEqual({ locale: 'en' });
  });

  it('chooses the form of a noun by its count', () => {
    expect([1, 0, 2000].map((count) => plural(count, 'click'))).toEqual([
      '1 click',
      '0 clicks',
      '2,000 clicks',
    ]);
    expect(plural(2, 'prefetch', 'prefetches')).toBe('2 prefetches');
  });

  it('lists names, and names regions', () => {
    expect(listAll(['a', 'b', 'c'])).toBe('a, b, and c');
    expect(listAny(['a', 'b'])).toBe('a or b');
    expect(regionName('IN')).toBe('India');
    expect(regionName('T1')).toBe('Tor network');
  });
});
