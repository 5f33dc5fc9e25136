import { describe, expect, it } from 'vitest';
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

describe('averageClicks', () => {
  it('is rounded, and 0 without links', () => {
    expect(averageClicks({ links: 0, clicks: 0 })).toBe(0);
    expect(averageClicks({ links: 2, clicks: 5 })).toBe(3);
    expect(averageClicks({ links: 3, clicks: 4 })).toBe(1);
  });
});

describe('initialOf', () => {
  it('is the first letter or digit of the host', () => {
    expect(initialOf('https://www.example.com/')).toBe('E');
    expect(initialOf('http://3.basecamp.com')).toBe('3');
    expect(initialOf('https://étoile.fr')).toBe('É');
  });
});

describe('buildLinkChange', () => {
  it('contains only what changed', () => {
    expect(buildLinkChange(link, link.long_url, '')).toBeNull();
    expect(buildLinkChange(link, 'https://example.com/b', '')).toEqual({ longUrl: 'https://example.com/b' });
    expect(buildLinkChange(link, link.long_url, '2027-01-01T12:00')).toEqual({
      expiresAt: new Date('2027-01-01T12:00').getTime(),
    });
  });

  it('removes an end date and keeps an unchanged one', () => {
    const ending = { ...link, expires_at: new Date('2027-01-05T02:03').toISOString() };
    expect(toDateTimeLocal(ending.expires_at)).toBe('2027-01-05T02:03');
    expect(buildLinkChange(ending, link.long_url, '2027-01-05T02:03')).toBeNull();
    expect(buildLinkChange(ending, link.long_url, '')).toEqual({ expiresAt: null });
  });
});
