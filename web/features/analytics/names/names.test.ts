import { describe, expect, it } from 'vitest';
import { browserName, systemName } from './agent-names.ts';
import { groupSources, sourceOf } from './sources.ts';

describe('agent names', () => {
  it('says systems and browsers as people do, and leaves the others', () => {
    expect(['Mac OS', 'Chromium OS', 'Windows'].map(systemName)).toEqual([
      'macOS',
      'ChromeOS',
      'Windows',
    ]);
    expect(['Mobile Safari', 'GSA', 'Chrome', 'constructor'].map(browserName)).toEqual([
      'Safari (mobile)',
      'Google app',
      'Chrome',
      'constructor',
    ]);
  });
});

describe('sourceOf', () => {
  it.each([
    ['t.co', 'X'],
    ['mobile.twitter.com', 'X'],
    ['news.ycombinator.com', 'Hacker News'],
    ['l.facebook.com', 'Facebook'],
    ['www.google.co.in', 'Google'],
    ['google.de', 'Google'],
    ['google.evil.example', 'google.evil.example'],
    ['www.blog.example', 'blog.example'],
    ['m.example', 'm.example'],
    ['Direct', 'Direct'],
  ])('names %s %s', (host, name) => {
    expect(sourceOf(host).name).toBe(name);
  });

  it('shows a glyph for known sites only', () => {
    expect([sourceOf('t.co').glyph, sourceOf('blog.example').glyph]).toEqual(['x', null]);
  });
});

describe('groupSources', () => {
  it('sums the hosts of a site and orders by clicks, then by name', () => {
    const counts = { 'l.facebook.com': 2, 'www.facebook.com': 3, Direct: 5, 'a.example': 9 };
    expect(groupSources(counts)).toMatchObject([
      { name: 'a.example', clicks: 9, hosts: ['a.example'] },
      { name: 'Direct', clicks: 5 },
      { name: 'Facebook', clicks: 5, hosts: ['l.facebook.com', 'www.facebook.com'] },
    ]);
  });
});
