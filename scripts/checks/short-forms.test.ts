import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeReady } from '#scripts/local/ready.ts';
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

describe('the short form of a command', () => {
  it.each(SHORT_FORMS)('node %s runs', (command) => expectToRun(command));

  it('commands that start the product with demo data run', async () => {
    const state = mkdtempSync(join(tmpdir(), 'hop-demo-'));
    await makeReady(state, 'http://localhost:8787');
    for (const command of WITH_DEMO) await expectToRun(command, { HOP_DEMO_STATE: state });
    rmSync(state, { recursive: true, force: true });
  });
});
