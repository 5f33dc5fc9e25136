import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

/** The sign-in client takes no signal. A check of a domain has an effect, so it is not aborted. */
const WITHOUT_SIGNAL = ['web/features/domains/queries.ts', 'web/shared/sign-in/passkey-proof.tsx'];

it('every query passes on the signal that aborts its request', () => {
  const files = globSync('web/{app,features,shared}/**/*.{ts,tsx}', { cwd: ROOT });
  const queries = files.flatMap((file) =>
    // The line, and those that are indented further.
    (readText(file).match(/^( *)queryFn:.*\n(?:\1 .*\n)*/gm) ?? []).map((text) => ({ file, text })),
  );
  expect(queries.length).toBeGreaterThan(20);
  // Once as a parameter, and once in the request.
  const careless = queries.filter(({ text }) => (text.match(/\bsignal\b/g) ?? []).length < 2);
  expect(careless.map(({ file }) => file).toSorted()).toEqual(WITHOUT_SIGNAL);
});
