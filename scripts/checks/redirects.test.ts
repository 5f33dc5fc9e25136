import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

/** Requests to addresses that nobody chooses. */
const FIXED: ReadonlySet<string> = new Set([
  'scripts/deploy/platform.ts',
  'worker/backup/s3-bucket.ts',
  'worker/safety/check-host.ts',
  'worker/safety/reputation.ts',
  'worker/safety/turnstile.ts',
]);

it('a request to an address that somebody chose follows no redirect', () => {
  const files = globSync('{worker,cli,extension,scripts/deploy}/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/*.test.ts', '**/testing/**', 'cli/dist/**'],
  });
  const requesting = files.filter((file) => /\bAbortSignal\.\w+\(/.test(readText(file)));
  expect(requesting).toEqual(expect.arrayContaining([...FIXED]));
  const following = requesting.filter((file) => !readText(file).includes("redirect: 'manual'"));
  expect(new Set(following)).toEqual(FIXED);
});
