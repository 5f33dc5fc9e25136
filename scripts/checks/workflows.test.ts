import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

/**
 * Reads a workflow without comments: the lines before the steps of its jobs, and one text per step.
 */
function readWorkflow(file: string): { file: string; outside: string; steps: string[] } {
  const outside: string[] = [];
  const steps: string[][] = [];
  let isInSteps = false;
  for (const line of readText(file).split('\n')) {
    const indent = line.search(/\S/);
    if (indent === -1 || line.trimStart().startsWith('#')) continue;
    if (indent <= 4) isInSteps = line === '    steps:';
    if (!isInSteps) outside.push(line);
    else if (line.startsWith('      - ')) steps.push([line]);
    else steps.at(-1)?.push(line);
  }
  return { file, outside: outside.join('\n'), steps: steps.map((lines) => lines.join('\n')) };
}

const workflows = globSync('.github/workflows/*.{yml,yaml}', { cwd: ROOT }).map((file) =>
  readWorkflow(file),
);
const allSteps = workflows.flatMap(({ steps }) => steps);

describe('the workflows', () => {
  it('the check reads the workflows completely', () => {
    expect(workflows.map(({ file }) => file.replace(/.*\//, '')).toSorted()).toEqual([
      'ci.yml',
      'nightly.yml',
      'production.yml',
      'staging.yml',
    ]);
    for (const { file, steps } of workflows) expect(steps.length, file).toBeGreaterThanOrEqual(4);
  });

  it('[T68] workflows show a secret only to the step that deploys', () => {
    expect(
      workflows.filter(({ outside }) => /\bsecrets\b/.test(outside)).map(({ file }) => file),
    ).toEqual([]);
    const withSecret = allSteps.filter((step) => /\bsecrets\b/.test(step));
    expect(withSecret).toHaveLength(3);
    for (const step of withSecret) {
      expect(step).toMatch(/\brun: npm run deploy -- [^\n|&;]*\n/);
      expect(step).not.toMatch(/\buses:/);
      expect(step.match(/\bsecrets\.\w+/g)).toEqual(['secrets.CLOUDFLARE_API_TOKEN']);
    }
  });

  it('[T68] workflows name actions by their full commit, with the version beside it', () => {
    const uses = allSteps.flatMap((step) =>
      [...step.matchAll(/\buses: *(.*)/g)].map(([, action = '']) => action),
    );
    expect(uses.length).toBeGreaterThanOrEqual(6);
    expect(
      uses.filter((action) => !/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
    ).toEqual([]);
    expect(
      workflows.filter(({ outside }) => /\buses:/.test(outside)).map(({ file }) => file),
    ).toEqual([]);
  });

  it('[T68] no workflow leaves a repository token to the steps after the checkout', () => {
    const checkouts = allSteps.filter((step) => step.includes('actions/checkout@'));
    expect(checkouts).toHaveLength(workflows.length);
    expect(checkouts.filter((step) => !/\bpersist-credentials: false\b/.test(step))).toEqual([]);
    for (const { file, outside } of workflows)
      expect(outside, file).toMatch(/^permissions:\n {2}contents: read$/m);
  });
});
