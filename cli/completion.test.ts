import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Commands } from './command.ts';
import { candidatesFor, COMPLETION_SCRIPTS } from './completion.ts';

const run = async (): Promise<void> => undefined;
const COMMANDS: Commands = {
  list: {
    args: [],
    summary: 'List.',
    options: {
      sort: { value: 'ORDER', short: 's', text: 'the order', choices: ['-code', 'code'] },
      name: { value: 'NAME', text: 'a name', isList: true },
      hidden: { text: 'hide it', isNegatable: true },
    },
    run,
  },
  load: {
    args: [{ name: 'FILE' }, { name: 'FORM', choices: ['csv', 'json'] }],
    summary: 'Load.',
    options: { as: { value: 'NAME', text: 'its name' } },
    run,
  },
};
/** The words that complete a line; the last one is incomplete. */
const wordsAfter = (line: string): string[] => {
  const words = line.split(' ');
  return candidatesFor(COMMANDS, words.at(-1) ?? '', words.slice(0, -1)).map(([word]) => word);
};

describe('candidatesFor', () => {
  it.each([
    ['', ['list', 'load', '--help', '--version']],
    ['lo', ['load']],
    ['list --', ['--sort', '--name', '--hidden', '--no-hidden', '--json', '--help']],
    ['list --n', ['--name', '--no-hidden']],
    ['list --sort ', ['-code', 'code']],
    ['list -s -', ['-code']],
    ['list --sort=c', ['--sort=code']],
    ['list --sort code --so', ['--sort']],
    ['list --name ', []],
    ['list ', []],
    ['load ', []],
    ['load a.csv ', ['csv', 'json']],
    ['load --json a.csv j', ['json']],
    ['load --as x a.csv j', ['json']],
    ['load --as x ', []],
    ['nothing ', []],
  ])('completes “%s” to %j', (line, words) => {
    expect(wordsAfter(line)).toEqual(words);
  });

  it.each([
    [['hop', 'li'], '__complete =li'],
    [['hop', 'list', '--sort', '=', '-c'], '__complete =-c list --sort'],
    [['hop', 'list', '--sort', '='], '__complete = list --sort'],
    [['hop', 'list', '--sort=c', ''], '__complete = list --sort=c'],
  ])('bash asks for the words after %j', (words, asked) => {
    const program = `hop() { printf '%s ' "$@"; printf '\\tText\\n'; }
${COMPLETION_SCRIPTS.bash}
COMP_WORDS=("$@"); COMP_CWORD=${words.length - 1}; _hop; printf '<%s>' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('/bin/bash', ['-c', program, 'bash', ...words]);
    expect(stdout.toString()).toBe(`<${asked} >`);
  });

  it('says what a command and an option do', () => {
    expect(candidatesFor(COMMANDS, 'li', [])).toEqual([['list', 'List.']]);
    expect(candidatesFor(COMMANDS, '--s', ['list'])).toEqual([
      ['--sort', 'the order: -code, code'],
    ]);
    expect(candidatesFor(COMMANDS, '--na', ['list'])).toEqual([
      ['--name', 'a name; may be repeated'],
    ]);
  });
});
