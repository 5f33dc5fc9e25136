import { describe, expect, it } from 'vitest';
import { modulesOf, PAGE_SCREENS } from './pages.ts';

describe('the modules of a page', () => {
  it.each(Object.entries(PAGE_SCREENS))('%s names the file that it loads', (_, page) => {
    expect(String(page.load)).toMatch(new RegExp(`["'/]${page.module}["']`));
  });

  it('a page’s modules include the query cache where it is used', () => {
    expect(modulesOf('/')).toEqual(['app/home-page.tsx']);
    expect(modulesOf('/blogs')).toEqual([
      'features/blog/blog-list-page.tsx',
      'app/query-client.tsx',
    ]);
  });
});

it('members have their own pages, visitors the sign-in, and everyone the rest', () => {
  const guarded = (guard: 'member' | 'visitor') =>
    Object.entries(PAGE_SCREENS).flatMap(([path, page]) => (page.guard === guard ? [path] : []));
  expect(guarded('member').toSorted()).toEqual([
    '/admin/blogs',
    '/analytics',
    '/analytics/:code',
    '/dashboard',
    '/links/import',
    '/oauth/authorize',
    '/qr/:code',
    '/settings',
    '/settings/api',
    '/settings/data',
    '/settings/domains',
    '/settings/plan',
    '/settings/sessions',
    '/settings/webhooks',
  ]);
  expect(guarded('visitor')).toEqual(['/auth']);
});
