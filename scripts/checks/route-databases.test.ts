import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

/**
 * base-app.ts opens the database; `admit` then replaces it with one that checks the caller's
 * rights.
 */
const OPENS = 'worker/api/base-app.ts';

it('[T47] no route opens a database of its own, which would write without a right', () => {
  const sources = globSync(['worker/**/*routes.ts', 'worker/api/**/*.ts'], {
    cwd: ROOT,
    exclude: ['**/*.test.ts'],
  });
  expect(sources.length).toBeGreaterThan(30);
  const opening = sources.filter((file) =>
    /\bopen(?:Db|Shards)\b|\benv\.DB\b/.test(readText(file)),
  );
  expect(opening).toEqual([OPENS]);
});
