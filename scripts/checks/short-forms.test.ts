import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEMO_LINKS } from '#scripts/demo/links.ts';
import { DEMO_POSTS } from '#scripts/demo/posts.ts';
import { makeReady } from '#scripts/local/ready.ts';
import { withLocalDatabase } from '#scripts/shared/local-database.ts';
import { ROOT } from '#scripts/shared/place.ts';

/** Documented commands that take too long for the gate, and what the gate runs of them. */
const SHORT_FORMS = [
  'bench/redirect.ts --short',
  'bench/cold-start.ts --short',
  'bench/ingest.ts --short',
  'bench/lists.ts --short',
  'bench/restore.ts --short',
  'bench/simulate.ts --short',
  'bench/sign-ins.ts --short',
  'scripts/checks/licences.ts',
  'scripts/test/kill.ts 1',
];
/** These start the product with demo data. */
const WITH_DEMO = ['bench/load.ts --short', 'e2e/film.ts --short'];

const { argv, env } = process;
afterEach(() => {
  Object.assign(process, { argv, env, exitCode: undefined });
  vi.restoreAllMocks();
});

/** Runs a command in this process: alone, each would load wrangler, Miniflare and Vite again. */
async function expectToRun(command: string, more = {}): Promise<void> {
  const [file = '', ...args] = command.split(' ');
  const print = vi.spyOn(console, 'log').mockReturnValue();
  const complain = vi.spyOn(console, 'error').mockReturnValue();
  Object.assign(process, { argv: [process.execPath, file, ...args], env: { ...env, ...more } });
  await import(join(ROOT, file));
  const output = [...print.mock.calls, ...complain.mock.calls].flat().join('\n');
  expect(process.exitCode ?? 0, output).toBe(0);
}

/** What the demo data say of accounts, ended links and posts. */
const demoFacts = (state: string) =>
  withLocalDatabase(state, (db) =>
    db
      .prepare(
        `SELECT (SELECT group_concat(role || ' ' || plan ORDER BY role)
            FROM users JOIN subscriptions ON user_id = users.id) AS accounts,
          (SELECT current_usage FROM subscriptions WHERE plan = 'free') AS used,
          count(*) AS links, count(expires_at) AS ended, sum(last_at >= expires_at) AS late,
          sum(forward_params <> '') AS forwarding,
          (SELECT count(DISTINCT created_at) FROM posts) AS days
        FROM links LEFT JOIN link_totals ON link_id = links.id`,
      )
      .get(),
  );

describe('the short form of a command', () => {
  it.each(SHORT_FORMS)('node %s runs', (command) => expectToRun(command));

  it('commands that start the product with demo data run', async () => {
    const state = mkdtempSync(join(tmpdir(), 'hop-demo-'));
    await makeReady(state, 'http://localhost:8787');
    expect(demoFacts(state)).toMatchObject({
      accounts: 'admin premium,user free',
      used: 8,
      links: DEMO_LINKS.length,
      ended: DEMO_LINKS.filter(({ endsDaysAgo }) => endsDaysAgo !== undefined).length,
      late: 0,
      forwarding: DEMO_LINKS.filter(({ campaigns }) => campaigns !== undefined).length,
      days: DEMO_POSTS.length,
    });
    for (const command of WITH_DEMO) await expectToRun(command, { HOP_DEMO_STATE: state });
    rmSync(state, { recursive: true, force: true });
  });
});
