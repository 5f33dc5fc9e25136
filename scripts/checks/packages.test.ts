import { expect, it } from 'vitest';
import { FORBIDDEN, productionPackages } from './packages.ts';

it('[T39] finds no deployed package under GPL, AGPL or LGPL', () => {
  const packages = productionPackages();
  expect(packages.length).toBeGreaterThan(20);
  expect(packages.map(({ name }) => name)).toContain('hono');
  expect(packages.filter(({ licence }) => FORBIDDEN.test(licence))).toEqual([]);
});

it.each(['AGPL-3.0-only', 'GPL-2.0-or-later', 'LGPL-3.0', '(MIT OR GPL-3.0)', 'unknown'])(
  'forbids %s',
  (licence) => {
    expect(FORBIDDEN.test(licence)).toBe(true);
  },
);

it.each(['MIT', 'Apache-2.0', 'BSD-3-Clause', 'OFL-1.1', 'ISC'])('allows %s', (licence) => {
  expect(FORBIDDEN.test(licence)).toBe(false);
});
