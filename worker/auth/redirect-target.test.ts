import { assert, oneof, property, string, webUrl } from 'fast-check';
import { expect, test } from 'vitest';
import { redirectTarget } from './redirect-target.ts';

const SITE = {
  siteUrl: 'https://hop.example',
  appOrigin: 'https://hop.example',
  redirectAllow: ['https://*.preview.example/**', 'https://other.example/auth/*', 'https://exact.example'],
};
const LOCAL = { siteUrl: 'http://localhost:8787', appOrigin: 'http://localhost:8787', redirectAllow: [] };

test.each([
  'https://hop.example',
  'https://hop.example/dashboard?a=1#x',
  'https://a.preview.example/deep/er?x=1',
  'https://other.example/auth/done',
  'https://exact.example',
])('%s is allowed', (wanted) => {
  expect(redirectTarget(SITE, wanted)).toBe(new URL(wanted).href);
});

test.each([
  '',
  'nonsense',
  '/dashboard',
  '//hop.example',
  'http://hop.example/',
  'https://hop.example:8443/',
  'https://hop.example.evil.example/',
  'https://evil.example/https://hop.example',
  'https://hop.example@evil.example/',
  'https://user:word@hop.example/',
  'https:hop.example',
  'https:\\\\hop.example',
  'https://hop.example\\@evil.example',
  'https://evil.example#.preview.example/',
  'https://a.b.preview.example/',
  'https://other.example/auth/done/more',
  'https://other.example/auth/..%2f..',
  'https://exact.example/more',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://203.0.113.7/',
  'https://3405803783/',
  'https://[2001:db8::1]/',
  'https://hop.example/\n',
])('%j leads to the site', (wanted) => {
  expect(redirectTarget(SITE, wanted)).toBe(SITE.siteUrl);
});

test('on this machine any port is ours, and another host is not', () => {
  expect(redirectTarget(LOCAL, 'http://localhost:5173/auth')).toBe('http://localhost:5173/auth');
  expect(redirectTarget(LOCAL, 'http://localhost.evil.example:8787/')).toBe(LOCAL.siteUrl);
  const numbers = { ...LOCAL, siteUrl: 'http://127.0.0.1:8787' };
  expect(redirectTarget(numbers, 'http://127.0.0.1:5173/auth')).toBe('http://127.0.0.1:5173/auth');
  for (const odd of ['http://2130706433:8787/', 'http://0x7f.1:8787/', 'http://127.1:8787/'])
    expect(redirectTarget(numbers, odd)).toBe(numbers.siteUrl);
  expect(redirectTarget(LOCAL, 'https://localhost:5173/')).toBe(LOCAL.siteUrl);
});

test('whatever is asked for, the browser stays with us', () => {
  const strict = { ...SITE, redirectAllow: [] };
  assert(
    property(
      oneof(
        string(),
        webUrl(),
        string().map((tail) => `https://hop.example${tail}`),
      ),
      (wanted) => {
        expect(new URL(redirectTarget(strict, wanted)).origin).toBe('https://hop.example');
      },
    ),
    { numRuns: 500 },
  );
});
