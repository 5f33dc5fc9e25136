import { expect, test } from 'vitest';
import { FORBIDDEN, productionPackages } from './packages.ts';

test('nothing that is deployed or sent to a browser is under GPL, AGPL or LGPL', () => {
  const packages = productionPackages();
  expect(packages.length).toBeGreaterThan(20);
  expect(packages.map(({ name }) => name)).toContain('hono');
  expect(packages.filter(({ licence }) => FORBIDDEN.test(licence))).toEqual([]);
});

test.each(['AGPL-3.0-only', 'GPL-2.0-or-later', 'LGPL-3.0', '(MIT OR GPL-3.0)', 'unknown'])('%s is refused', (licence) => {
  expect(FORBIDDEN.test(licence)).toBe(true);
});

test.each(['MIT', 'Apache-2.0', 'BSD-3-Clause', 'OFL-1.1', 'ISC'])('%s is not', (licence) => {
  expect(FORBIDDEN.test(licence)).toBe(false);
});
