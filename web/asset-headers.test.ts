import { expect, test } from 'vitest';
import { buildHeadersFile } from './asset-headers.ts';

const rules = (file: string): string[] => file.split('\n').filter((line) => line.startsWith('/'));

test('only files that exist are kept for a year', () => {
  const file = buildHeadersFile({ 'assets/a-1.js': 10, 'index.html': 5, 'assets/b-2.css': 20 });
  expect(rules(file)).toEqual(['/assets/*', '/assets/b-2.css', '/assets/a-1.js']);
  const [every = ''] = file.split('/assets/b-2.css');
  expect(every).toContain('X-Content-Type-Options: nosniff');
  expect(every).not.toContain('Cache-Control');
});

test('a big build stays within what the platform reads', () => {
  const sizes = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`assets/f-${i}.js`, i]));
  const found = rules(buildHeadersFile(sizes));
  expect(found.length).toBeLessThanOrEqual(100);
  expect(found).toContain('/assets/f-299.js');
});
