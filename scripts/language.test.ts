import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './place.ts';

const MODULE = 'worker/contract/language.ts';
/** What only worker/contract/language.ts may say. */
const FORBIDDEN: readonly [name: string, pattern: RegExp][] = [
  ['a language', /['"]en(?:-[A-Z]{2})?['"]/],
  ['a formatter', /\bnew Intl\.|\.toLocale\w*String\(/],
  ['a plural of its own', /=== 1 \? ('[^']*'|`[^`]*`) : ('[^']*'|`[^`]*`)/],
];
/** 'day' stands for 'one day' here: it is not a count with a noun. */
const ALLOWED = new Set(['web/features/analytics/grid/times-card.tsx: a plural of its own']);

describe('the language of the product', () => {
  it('is named only in worker/contract/language.ts', () => {
    const files = globSync('{web,cli,worker}/**/*.{ts,tsx}', {
      cwd: ROOT,
      exclude: [MODULE, 'web/dist/**', 'cli/dist/**', '**/*.test.*', '**/testing/**', '**/*.d.ts'],
    });
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      return FORBIDDEN.filter(([, pattern]) => pattern.test(source)).map(
        ([name]) => `${file}: ${name}`,
      );
    });
    expect(found.filter((line) => !ALLOWED.has(line))).toEqual([]);
  });
});
