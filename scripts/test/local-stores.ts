import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG, run } from '#scripts/shared/place.ts';

/** Runs statements on the local database of a state folder. */
export async function executeLocally(state: string, statements: readonly string[]): Promise<void> {
  const file = join(state, 'statements.sql');
  writeFileSync(file, statements.map((statement) => `${statement};`).join('\n'));
  await wrangler(['d1', 'execute', 'DB', ...placeOf(state), '--file', file, '--yes']);
}

/** Writes edge records to the local KV of a state folder. */
export async function putLocally(
  state: string,
  records: readonly { key: string; value: string }[],
): Promise<void> {
  const file = join(state, 'records.json');
  writeFileSync(file, JSON.stringify(records));
  await wrangler(['kv', 'bulk', 'put', file, '--binding', 'LINKS', ...placeOf(state)]);
}

const placeOf = (state: string): string[] => ['--local', '--persist-to', state, '--config', CONFIG];

async function wrangler(args: string[]): Promise<void> {
  const { code, output } = await run('wrangler', args, { quiet: true });
  if (code !== 0) throw new Error(`wrangler ${args[0]} failed:\n${output}`);
}
