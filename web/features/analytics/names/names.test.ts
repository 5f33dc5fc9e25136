import { describe, expect, it } from 'vitest';
import { browserName, systemName } from './agent-names.ts';
import { sourceSite } from './sources.ts';

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

describe('sourceSite', () => {
  it.each([
    ['t.co', 'X'],
    ['twitter.com', 'X'],
    ['news.ycombinator.com', 'Hacker News'],
    ['facebook.com', 'Facebook'],
    ['google.co.in', 'Google'],
    ['google.de', 'Google'],
    ['google.evil.example', 'google.evil.example'],
    ['google.shop', 'google.shop'],
    ['blog.example', 'blog.example'],
    ['Direct', 'Direct'],
  ])('names %s %s', (host, name) => {
    expect(sourceSite(host).name).toBe(name);
  });

  it('shows a glyph for known sites only', () => {
    expect([sourceSite('t.co').glyph, sourceSite('blog.example').glyph]).toEqual(['x', null]);
  });
});
