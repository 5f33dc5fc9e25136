import { readArguments } from '#scripts/shared/arguments.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withGeneratedTables } from './configuration-page.ts';
import { withFormDescriptions } from './deploy-form.ts';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

readArguments({
  usage: 'npm run generate -- docs',
  about: `Writes the generated parts of docs/configuration.md and package.json.`,
  options: {},
});

const PAGE = 'docs/configuration.md';
writeFileSync(join(ROOT, PAGE), withGeneratedTables(readText(PAGE)));
writeFileSync(join(ROOT, 'package.json'), withFormDescriptions(readText('package.json')));
