import { describe, expect, it } from 'vitest';
import { run } from '#scripts/shared/place.ts';

/** Documented commands that take too long for the gate, and what the gate runs of them. */
const SHORT_FORMS = [
  'bench/redirect.ts --short',
  'bench/cold-start.ts --short',
  'bench/ingest.ts --short',
  'bench/lists.ts --short',
  'bench/restore.ts --short',
  'bench/simulate.ts --short',
  'scripts/checks/licences.ts',
];
/** These start the product, which must answer within a time. */
const WITH_PRODUCT = [
  'bench/load.ts --short',
  'bench/sign-ins.ts --short',
  'scripts/test/kill.ts 1',
  'e2e/film.ts --short',
];

async function expectToRun(command: string): Promise<void> {
  const { code, output } = await run(process.execPath, command.split(' '), { quiet: true });
  expect(code, output).toBe(0);
}

describe('the short form of a command', () => {
  it.concurrent.each(SHORT_FORMS)('node %s runs', expectToRun);

  it.each(WITH_PRODUCT)('node %s runs', expectToRun);
});
