import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { machine, newPlatform } from '#scripts/deploy/testing/machine.ts';
import { ROOT, run } from '#scripts/shared/place.ts';

const OLD = readFileSync(join(ROOT, 'scripts/checks/testdata/before-1.0.0.sql'), 'utf8');
const SENTENCE =
  'was made by a version of Hop before 1.0.0, which this version cannot upgrade. Nothing was changed.';
const state = mkdtempSync(join(tmpdir(), 'hop-before-'));
afterAll(() => rmSync(state, { recursive: true, force: true, maxRetries: 5 }));

it('preparing a local start names the folder with an older database and leaves it', async () => {
  const folder = join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, '0123.sqlite');
  const db = new DatabaseSync(file);
  db.exec(OLD);
  db.close();
  const before = readFileSync(file);
  const { code, output } = await run(process.execPath, ['scripts/local/prepare.ts'], {
    quiet: true,
    env: { STATE_DIR: state, WRANGLER_COMMAND: 'dev' },
  });
  expect(output).toContain(`The local database in ${state} ${SENTENCE}`);
  expect(output).toContain(`rm -r ${state}`);
  expect(code).toBe(1);
  expect(readFileSync(file).equals(before)).toBe(true);
});

it('a deployment stops before it changes anything of an older database', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  await owner.deploy();
  const db = platform.account.database('hop-production');
  db.exec(`DROP TABLE d1_migrations; DROP TABLE links; ${OLD}`);
  const versions = platform.account.names();
  await expect(owner.upgrade()).rejects.toThrow(`The database hop-production ${SENTENCE}`);
  await expect(owner.upgrade()).rejects.toThrow('npm run destroy -- --env NAME');
  expect(platform.account.names()).toEqual(versions);
  expect(db.prepare('SELECT max(name) AS name FROM d1_migrations').get()?.['name']).toMatch(
    /^0026/,
  );
});
