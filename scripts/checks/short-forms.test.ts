import { describe, expect, it } from 'vitest';
import { run } from '#scripts/shared/place.ts';

/** Documented commands that take too long for the gate, and what the gate runs of them. */
const SHORT_FORMS = [
  'bench/redirect.ts --short',
  'bench/cold-start.ts --short',
  'bench/ingest.ts --short',
  'bench/lists.ts --short',
  'bench/load.ts --short',
  'bench/simulate.ts --short',
  'scripts/test/kill.ts 1',
  'scripts/checks/licences.ts',
];

describe('the short form of a command', () => {
  // They mostly wait for their servers.
  it.concurrent.each(SHORT_FORMS)('node %s runs', async (command) => {
    const { code, output } = await run(process.execPath, command.split(' '), { quiet: true });
    expect(code, output).toBe(0);
  });
});
