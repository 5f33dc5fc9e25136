import { describe, expect, it } from 'vitest';
import { LINKS_FORMATS } from '#contract/files/links-file.ts';
import { RANGES } from '#contract/reports/ranges.ts';
import { LINK_SORTS, LINK_STATUSES } from '#contract/v1/v1.ts';
import { DIMENSIONS, INTERVALS } from '#contract/v1/v1-analytics.ts';
import { clickGroup } from '#contract/v1/v1-clicks.ts';
import { COMMANDS } from './commands.ts';
import { COMMON_OPTIONS, optionNames } from './command.ts';
import { hop } from './testing/hop.ts';

describe('the table of commands', () => {
  it('shells get a word and what it does per line', async () => {
    const { out } = await hop(['__complete', '=list']);
    expect(out.split('\n')).toEqual([
      'list\tList your links, newest first.',
      expect.stringMatching(/^listen\tSend /),
    ]);
  });

  it.each([
    ['list', 'sort', LINK_SORTS],
    ['list', 'status', LINK_STATUSES],
    ['export', 'format', LINKS_FORMATS],
    ['stats', 'range', RANGES],
    ['stats', 'interval', INTERVALS],
    ['stats', 'dimension', DIMENSIONS],
    ['clicks', 'by', clickGroup.options],
  ])('hop %s --%s takes the values that the API takes', (command, option, values) => {
    expect(COMMANDS[command]?.options[option]?.choices?.toSorted()).toEqual([...values].toSorted());
  });

  it('help names the values of an argument', async () => {
    const { out } = await hop(['completion', '--help']);
    expect(out).toContain('\nSHELL: bash, zsh, fish, powershell\n');
  });

  it.each(Object.entries(COMMANDS))('no option of hop %s has the name of another', (_, command) => {
    const options = Object.entries({ ...command.options, ...COMMON_OPTIONS });
    const names = options.flatMap(([name, option]) => optionNames(name, option));
    const letters = options.flatMap(([, { short }]) => short ?? []);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(letters).size).toBe(letters.length);
  });
});
