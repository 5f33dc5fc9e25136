import { expect, test } from 'vitest';
import { formatAge, formatNumber, plural, readableUrl } from './format.ts';

const now = Date.UTC(2026, 10, 21, 12);
test.each([
  ['2026-11-21T11:59:30Z', 'just now'],
  ['2026-11-21T12:00:30Z', 'just now'],
  ['2026-11-21T11:58:00Z', '2 minutes ago'],
  ['2026-11-20T11:00:00Z', 'yesterday'],
  ['2026-11-01T12:00:00Z', '2 weeks ago'],
  ['2025-10-01T12:00:00Z', 'last year'],
])('%s was %s', (iso, words) => {
  expect(formatAge(iso, now)).toBe(words);
});

test('numbers, plurals and URLs for people', () => {
  expect(formatNumber(1234567)).toBe('1,234,567');
  expect(plural(1, 'click')).toBe('1 click');
  expect(plural(0, 'click')).toBe('0 clicks');
  expect(readableUrl('https://example.com/')).toBe('example.com');
  expect(readableUrl('https://example.com/a/')).toBe('example.com/a/');
});
