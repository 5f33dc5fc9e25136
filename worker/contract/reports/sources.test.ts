import { describe, expect, it } from 'vitest';
import { sourceOf } from './sources.ts';

describe('sourceOf', () => {
  it.each([
    ['www.google.com', 'google.com'],
    ['m.facebook.com', 'facebook.com'],
    ['l.instagram.com', 'instagram.com'],
    ['lm.facebook.com', 'facebook.com'],
    ['mobile.twitter.com', 'twitter.com'],
    ['news.ycombinator.com', 'news.ycombinator.com'],
    ['m.me', 'm.me'],
    ['l.co', 'l.co'],
    ['wwwx.example.com', 'wwwx.example.com'],
    ['', ''],
  ])('groups %s under %s', (host, source) => {
    expect(sourceOf(host)).toBe(source);
  });
});
