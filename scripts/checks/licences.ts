import { readArguments } from '#scripts/shared/arguments.ts';
import { FORBIDDEN, productionPackages } from './packages.ts';

readArguments({
  usage: 'node scripts/checks/licences.ts',
  about: `Lists the licence of every package that is deployed or sent to a browser, and of their dependencies.
Fails on GPL, AGPL and LGPL.`,
  options: {},
});

const packages = productionPackages();
for (const { name, version, licence } of packages)
  console.log(`${licence.padEnd(14)} ${name}@${version}`);
const forbidden = packages.filter(({ licence }) => FORBIDDEN.test(licence));
if (forbidden.length > 0) {
  console.error(
    `\nNot allowed in this product: ${forbidden.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`,
  );
  process.exitCode = 1;
}
