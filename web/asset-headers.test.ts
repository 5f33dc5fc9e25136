import { describe, expect, it } from 'vitest';
import { buildHeadersFile } from './asset-headers.ts';

const rules = (file: string): string[] => file.split('\n').filter((line) => line.startsWith('/'));

describe('buildHeadersFile', () => {
  it('caches only existing files for a year', () => {
    const file = buildHeadersFile({ 'assets/a-1.js': 10, 'index.html': 5, 'assets/b-2.css': 20 });
    expect(rules(file)).toEqual([
      '/assets/*',
      '/assets/flags/*',
      '/assets/b-2.css',
      '/assets/a-1.js',
    ]);
    const [allAssets = '', ...cached] = file.split(/(?=^\/assets\/[abf])/m);
    expect(allAssets).toContain('X-Content-Type-Options: nosniff');
    expect(allAssets).not.toContain('Cache-Control');
    const [flags, ...years] = cached;
    expect(flags).toContain('Cache-Control: public, max-age=604800');
    for (const rule of years)
      expect(rule).toContain('Cache-Control: public, max-age=31536000, immutable');
  });

  it('one rule covers all flags', () => {
    expect(
      rules(buildHeadersFile({ 'assets/flags/IN-1.svg': 10, 'assets/flags/DE-1.svg': 10 })),
    ).toEqual(['/assets/*', '/assets/flags/*']);
  });

  it('the headers keep to the 100 rules that the platform reads, largest files first', () => {
    const sizes = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`assets/f-${i}.js`, i]),
    );
    const found = rules(buildHeadersFile(sizes));
    expect(found.length).toBeLessThanOrEqual(100);
    expect(found).toContain('/assets/f-299.js');
    expect(found).not.toContain('/assets/f-0.js');
  });
});
