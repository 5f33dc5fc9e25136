import { expect, test } from 'vitest';
import type { LinkRow } from '#contract/links.ts';
import { buildLinkChange, toDateTimeLocal } from './link-change.ts';
import { initialOf } from './link-row.tsx';
import { averageClicks } from './link-stats.tsx';

const link: LinkRow = {
  id: 1,
  short_code: 'abc',
  short_url: 'https://hop.example/abc',
  long_url: 'https://example.com/a',
  click_count: 3,
  created_at: '2026-11-01T00:00:00Z',
  status: 'active',
  status_reason: null,
  expires_at: null,
};

test('the average is rounded, and 0 without links', () => {
  expect(averageClicks({ links: 0, clicks: 0 })).toBe(0);
  expect(averageClicks({ links: 2, clicks: 5 })).toBe(3);
  expect(averageClicks({ links: 3, clicks: 4 })).toBe(1);
});

test('the letter of a host', () => {
  expect(initialOf('https://www.example.com/')).toBe('E');
  expect(initialOf('http://3.basecamp.com')).toBe('3');
  expect(initialOf('https://étoile.fr')).toBe('É');
});

test('an edit sends what changed and nothing else', () => {
  expect(buildLinkChange(link, link.long_url, '')).toBeNull();
  expect(buildLinkChange(link, 'https://example.com/b', '')).toEqual({ longUrl: 'https://example.com/b' });
  expect(buildLinkChange(link, link.long_url, '2027-01-01T12:00')).toEqual({ expiresAt: new Date('2027-01-01T12:00').getTime() });
  const ending = { ...link, expires_at: new Date('2027-01-01T12:00').toISOString() };
  expect(toDateTimeLocal(ending.expires_at)).toBe('2027-01-01T12:00');
  expect(buildLinkChange(ending, link.long_url, '2027-01-01T12:00')).toBeNull();
  expect(buildLinkChange(ending, link.long_url, '')).toEqual({ expiresAt: null });
});
