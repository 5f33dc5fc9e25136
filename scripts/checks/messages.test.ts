import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#scripts/shared/place.ts';

it('every error of the API has its sentence in a catalogue', () => {
  const files = globSync('worker/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] });
  expect(files).toContain('worker/messages/api-errors.ts');
  const withSentence = /new ApiError\(\s*[^,]+,\s*['"`]/;
  const isInline = (file: string) => withSentence.test(readFileSync(join(ROOT, file), 'utf8'));
  expect(files.filter(isInline)).toEqual([]);
});
