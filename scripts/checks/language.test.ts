import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/shared/place.ts';

const MODULE = 'worker/contract/language.ts';
/** Wording that only worker/contract/language.ts may contain. */
const FORBIDDEN: readonly [name: string, pattern: RegExp][] = [
  ['a language', /['"]en(?:-[A-Z]{2})?['"]/],
  ['a formatter', /\bnew Intl\.|\.toLocale\w*String\(/],
  ['a number without the module', /\.toFixed\(/],
  ['a plural without the module', /=== 1\s*\? ('[^']*'|`[^`]*`)\s*: ('[^']*'|`[^`]*`|plural\()/],
  [
    'a count before a fixed plural',
    /\$?\{(?:formatNumber\()?(?:[a-z][\w.]*\.length|amount|clicks|count|left|n|needed|rows|sent|taken|total)\)?\}(?:\{' '\})? (?!as\b|cross\b)[a-z]+s\b(?!=)/,
  ],
];
/** Here 'day' is the English word; the others are a flag of SQL and two reason codes. */
const ALLOWED = new Set([
  'web/features/analytics/grid/times-card.tsx: a plural without the module',
  'worker/links/write/claim-links.ts: a plural without the module',
  // A PDF has another form of numbers.
  'web/features/qr/qr-pdf.ts: a number without the module',
  // What a clock shows in a time zone is compared, and never shown.
  'worker/contract/links/wall-clock.ts: a language',
  'worker/contract/links/wall-clock.ts: a formatter',
]);

describe('the language of the product', () => {
  it('only worker/contract/language.ts names the language of the product', () => {
    const files = globSync('{web,cli,worker,extension}/**/*.{ts,tsx}', {
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

  it('dates on pages have the form of the reader’s language', () => {
    const files = globSync('web/**/*.{ts,tsx}', {
      cwd: ROOT,
      exclude: ['web/dist/**', '**/*.test.*', 'web/shared/texts/format.ts'],
    });
    const found = files.filter((file) =>
      /import \{[^}]*\b(?:dateFormat|formatUtcDa\w+)\b[^}]*\} from '#contract\/language/.test(
        readFileSync(join(ROOT, file), 'utf8'),
      ),
    );
    // The dates of Privacy and Terms are part of the text.
    expect(found).toEqual(['web/features/marketing/legal-dates.ts']);
  });
});
