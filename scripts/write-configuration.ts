/** `npm run docs`: writes the generated parts of docs/configuration.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withGeneratedTables } from './configuration.ts';
import { readText } from './markdown.ts';
import { ROOT } from './place.ts';

const PAGE = 'docs/configuration.md';
writeFileSync(join(ROOT, PAGE), withGeneratedTables(readText(PAGE)));
