import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPage, pageAfterSignIn } from '#contract/pages/paths.ts';

const ORIGIN = 'https://hop.example';

describe('pageAfterSignIn', () => {
  it.each([
    ['/dashboard?q=x', '/dashboard?q=x'],
    [`${ORIGIN}/settings`, '/settings'],
    ['/analytics/abc', '/analytics/abc'],
    ['/', '/'],
    ['/admin/blogs#new', '/admin/blogs'],
    [
      '/oauth/authorize?client_id=a.b&redirect_uri=http%3A%2F%2F127.0.0.1%2F&state=a+b%5C',
      '/oauth/authorize?client_id=a.b&redirect_uri=http%3A%2F%2F127.0.0.1%2F&state=a+b%5C',
    ],
  ])('[T4] returns the page %s', (wanted, path) => {
    expect(pageAfterSignIn(wanted, ORIGIN)).toBe(path);
  });

  it.each([
    null,
    '',
    '/promo',
    `${ORIGIN}/promo`,
    '/promo+',
    '/api/me',
    '/assets/app.js',
    '/robots.txt',
    '/auth',
    '/auth?next=/auth',
    '/auth/reset',
    '/auth/confirm',
    'dashboard',
    'settings',
    '//hop.example/settings',
    'https:/settings',
    '/.//evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    '//evil.example/dashboard',
    '/\\evil.example/dashboard',
    'https:evil.example/dashboard',
    'https://evil.example/dashboard',
    'https://hop.example.evil.example/dashboard',
    'https://user@hop.example/dashboard',
    'http://hop.example/dashboard',
    '/dashboard/../promo',
    '/%64ashboard',
    'javascript:alert(1)',
    ' /dashboard',
  ])('[T4] returns the dashboard for %j', (wanted) => {
    expect(pageAfterSignIn(wanted, ORIGIN)).toBe('/dashboard');
  });

  it('[T4] [A1] returns a page of this origin for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string({ unit: 'binary' }),
          fc.string().map((s) => `/${s}`),
        ),
        (wanted) => {
          const path = pageAfterSignIn(wanted, ORIGIN);
          const url = new URL(path, ORIGIN);
          expect(url.origin).toBe(ORIGIN);
          expect(isPage(url.pathname)).toBe(true);
        },
      ),
      { seed: 1 },
    );
  });
});
