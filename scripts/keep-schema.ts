/**
 * `npm run schema:keep` writes the schema of this release, with a row in every table, to
 * scripts/testdata/schemas, before the release is tagged. upgrade.test.ts then upgrades it to every
 * later schema.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationNames, openHead, SCHEMAS, schemaOf } from './schema-files.ts';

const db = openHead();
const items = schemaOf(db);
const lines = items.map(({ sql }) => `${sql};`);
for (const { name, type } of items) {
  if (type !== 'table') continue;
  const columns = db
    .prepare(`SELECT name, type, dflt_value AS preset FROM pragma_table_info('${name}')`)
    .all();
  if (name === 'd1_migrations') {
    for (const migration of migrationNames())
      lines.push(`INSERT INTO d1_migrations (name) VALUES ('${migration}');`);
    continue;
  }
  const values = columns.map(({ name: column, type: kind, preset }) => {
    if (preset !== null) return String(preset);
    return String(kind).toLowerCase() === 'integer' ? '1' : `'${String(column)}'`;
  });
  lines.push(
    `INSERT INTO ${name} (${columns.map((column) => `"${String(column['name'])}"`).join(', ')}) VALUES (${values.join(', ')});`,
  );
}
const file = join(SCHEMAS, migrationNames().at(-1) ?? '');
writeFileSync(file, `${lines.join('\n')}\n`);
console.log(`Wrote ${file}.`);
