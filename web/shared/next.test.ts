import { expect, test } from 'vitest';
import { safeNext } from './next.ts';

const origin = 'https://hop.example';

test.each(['/dashboard', '/analytics/abc?range=7d', '/admin/blogs#new'])('%s stays', (next) => {
  expect(safeNext(next, origin)).toBe(next);
});
test.each([
  null,
  '',
  'dashboard',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  ' /dashboard',
  'javascript:alert(1)',
  '/auth',
  '/auth?next=/auth',
  '/auth/reset',
  '/.//evil.example',
  'https://hop.example/dashboard',
])('%s becomes the dashboard', (next) => {
  expect(safeNext(next, origin)).toBe('/dashboard');
});
