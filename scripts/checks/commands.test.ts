import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT, run } from '#scripts/shared/place.ts';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readText('package.json'));

/** The files that Node runs: those of npm scripts and those of the parts of a command. */
const ofScripts = Object.values(scripts).flatMap((line) =>
  [...line.matchAll(/\bnode ((?:scripts|bench)\/\S+\.ts)/g)].map(([, file = '']) => file),
);
const ofParts = ['scripts/test/test.ts', 'scripts/generate/generate.ts', 'bench/run.ts'].flatMap(
  (file) => [...readText(file).matchAll(/\brun: '([\w/.-]+\.ts)'/g)].map(([, part = '']) => part),
);
/** These are parts of `npm run build` without arguments. The gate starts with them. */
const WITHOUT_HELP = new Set(['scripts/build/build-cli.ts', 'scripts/build/build-extension.ts']);
/** These handle the end of the process themselves, or start only as the main module. */
const IN_A_PROCESS = ['scripts/deploy/npm-deploy.ts', 'scripts/deploy/smoke.ts'];
const commands = [...new Set([...ofScripts, ...ofParts, 'scripts/checks/licences.ts'])].filter(
  (file) => !WITHOUT_HELP.has(file),
);
/** The names that may follow `npm run` in documentation. */
const documented = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  ...globSync('docs/*.md', { cwd: ROOT }),
].flatMap((file) =>
  [...readText(file).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => ({ file, name })),
);

const end = (code: number): never => {
  throw new Error(`ended with ${code}`);
};
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
const runNode = (args: readonly string[]) => run(process.execPath, [...args], { quiet: true });

describe('the commands', () => {
  it('package.json has at most 20 scripts', () => {
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(20);
    expect(commands.length).toBeGreaterThan(25);
    expect(commands.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('the documentation names only commands that exist', () => {
    expect(documented.length).toBeGreaterThan(10);
    expect(documented.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('the table of CONTRIBUTING.md lists every command', () => {
    const text = readText('CONTRIBUTING.md');
    const names = Object.keys(scripts).filter((name) => name !== 'prepare:dev');
    const forms = (name: string) => [`npm run ${name}`, `npm ${name}`];
    expect(names.filter((name) => !forms(name).some((form) => text.includes(form)))).toEqual([]);
  });

  // In one process, because each command alone would load the same modules again.
  it.each(commands.filter((file) => !IN_A_PROCESS.includes(file)))(
    'node %s --help prints a short text and does nothing else',
    async (file) => {
      vi.stubGlobal('process', { ...process, argv: [process.execPath, file, '--help'], exit: end });
      const printed = vi.spyOn(console, 'log').mockReturnValue();
      await expect(import(join(ROOT, file))).rejects.toThrow('ended with 0');
      const text = printed.mock.calls.flat().join('\n');
      expect(text).toContain('Usage: ');
      expect(text.length).toBeLessThanOrEqual(2_500);
    },
  );

  it.each(IN_A_PROCESS)('node %s --help prints a short text in a process', async (file) => {
    const { code, output } = await runNode([file, '--help']);
    expect([code, output]).toEqual([0, expect.stringContaining('Usage: ')]);
  });

  it('every command rejects an argument that it does not know', async () => {
    const { code, output } = await runNode(['bench/lists.ts', '--nothing']);
    expect(code).toBe(1);
    expect(output).toContain('Usage: npm run bench -- lists');
  });
});
