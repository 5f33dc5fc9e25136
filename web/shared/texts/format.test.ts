import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatNumber, plural } from '#contract/language.ts';
import {
  CLOCK,
  formatAge,
  formatUtcMonthDay,
  localDateFormat,
  readableUrl,
  splitHost,
} from './format.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

describe('formatAge', () => {
  it.each([
    ['2026-11-21T12:00:30Z', 'just now'],
    ['2026-11-21T11:59:01Z', 'just now'],
    ['2026-11-21T11:59:00Z', '1 minute ago'],
    ['2026-11-21T11:58:00Z', '2 minutes ago'],
    ['2026-11-21T11:00:00Z', '1 hour ago'],
    ['2026-11-20T11:00:00Z', 'yesterday'],
    ['2026-11-01T12:00:00Z', '2 weeks ago'],
    ['2026-10-01T12:00:00Z', 'last month'],
    ['2025-10-01T12:00:00Z', 'last year'],
  ])('writes an age of %s as %s', (iso, text) => {
    expect(formatAge(iso, NOW)).toBe(text);
  });
});

describe('dates', () => {
  afterEach(() => vi.restoreAllMocks());

  it('a month’s last day is written in UTC', () => {
    expect(formatUtcMonthDay('2026-11-30T23:59:59Z')).toBe('Nov 30');
    expect(formatUtcMonthDay('2026-12-01T00:00:00Z')).toBe('Dec 1');
  });

  it.each([
    ['en-US', 'Nov 21, 2026', '1:05 PM', '12:00 AM'],
    ['en-GB', '21 Nov 2026', '13:05', '00:00'],
    ['de', '21 Nov 2026', '13:05', '00:00'],
  ])('dates and clocks have the form of a browser in %s', (language, date, afternoon, midnight) => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue(language);
    const day = localDateFormat({ dateStyle: 'medium', timeZone: 'UTC' });
    const clock = localDateFormat({ ...CLOCK, timeZone: 'UTC' });
    expect(day('2026-11-21')).toBe(date);
    const times = ['2026-11-21T13:05:00Z', '2026-11-21T00:00:00Z'].map((at) => clock(at));
    expect(times.map((time) => time.replace('\u202f', ' '))).toEqual([afternoon, midnight]);
  });
});

describe('numbers and URLs', () => {
  it('numbers have separators and plurals, and URLs have no scheme', () => {
    expect(formatNumber(1234567)).toBe('1,234,567');
    expect(plural(1, 'click')).toBe('1 click');
    expect(plural(0, 'click')).toBe('0 clicks');
    expect(plural(2, 'prefetch', 'prefetches')).toBe('2 prefetches');
    expect(readableUrl('https://example.com/')).toBe('example.com');
    expect(readableUrl('http://example.com/a/')).toBe('example.com/a/');
  });
});

describe('splitHost', () => {
  it.each([
    ['https://www.example.com/', 'www.example.com', ''],
    ['http://example.com:8080/a/b?q=1', 'example.com:8080', '/a/b?q=1'],
    ['https://example.com?q=a/b', 'example.com', '?q=a/b'],
  ])('splits %s after the host', (url, host, rest) => {
    expect(splitHost(url)).toEqual({ host, rest });
  });
});
