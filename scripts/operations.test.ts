import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SIGNAL_TITLES } from '#contract/system.ts';
import { ACCESS } from '#worker/api/access.ts';
import { VARIABLES } from './configuration.ts';
import { readText } from './markdown.ts';
import { openHead } from './schema-files.ts';
import { ROOT } from './place.ts';

const page = readText('docs/operations.md');
/** The commands of the page, without comments. */
const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block
    .split('\n')
    .flatMap((line) => line.replace(/\s+# .*$/, '').split('&&'))
    .map((command) => command.trim())
    .filter((line) => line !== ''),
);
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readText('package.json'));
const wrangler = globSync('node_modules/wrangler/wrangler-dist/cli.js', { cwd: ROOT })
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('');

const OTHER_COMMANDS: ReadonlySet<string> = new Set(['openssl rand -base64 32', 'git pull', 'npm ci']);

/** What is wrong with a command of a program that this page may use; '' if nothing is. */
function faultOf(command: string): string {
  const [program, ...words] = command.split(' ');
  if (program === 'npm' && words[0] === 'run') return scripts[words[1] ?? ''] === undefined ? 'no such script' : '';
  if (program === 'npx') return faultOfWrangler(words);
  if (program === 'curl') return faultOfUrl(words.at(-1) ?? '');
  return OTHER_COMMANDS.has(command) ? '' : 'unknown program';
}

function faultOfWrangler([name, ...words]: string[]): string {
  if (name !== 'wrangler') return 'unknown program';
  const known = [3, 2, 1].some((count) => wrangler.includes(`"wrangler ${words.slice(0, count).join(' ')}"`));
  if (!known) return 'no such command';
  const secret = words[0] === 'secret' ? words[2] : undefined;
  return secret === undefined || VARIABLES.some((variable) => variable.name === secret && 'secret' in variable)
    ? ''
    : 'no such secret';
}

function faultOfUrl(url: string): string {
  const { pathname } = new URL(url);
  return pathname === '/CODE' || `GET ${pathname}` in ACCESS ? '' : 'no such route';
}

describe('docs/operations.md', () => {
  it('has only commands that exist', () => {
    expect(commands.length).toBeGreaterThan(6);
    expect(wrangler.length).toBeGreaterThan(0);
    expect(commands.map((command) => [command, faultOf(command)]).filter(([, fault]) => fault !== '')).toEqual([]);
  });

  it('has only SQL that runs on the schema of this release', () => {
    const statements = commands.flatMap((command) => /--command "([^"]+)"/.exec(command)?.[1] ?? []);
    const db = openHead();
    expect(statements.length).toBeGreaterThan(0);
    for (const sql of statements) expect(db.prepare(sql).all()).toHaveLength(1);
  });

  it('says for every signal what to do', () => {
    const rows = new Set([...page.matchAll(/^\| ([\w ]+) \|/gm)].map(([, first]) => first));
    expect(Object.values(SIGNAL_TITLES).filter((title) => !rows.has(title))).toEqual([]);
  });
});
