import { afterEach, expect, it, vi } from 'vitest';
import { readArguments, runPart } from './arguments.ts';

const COMMAND = {
  usage: 'npm run example -- [options]',
  about: 'Does nothing.',
  options: {
    rounds: { type: 'string', value: 'N', default: '9', meaning: 'rounds' },
    short: { type: 'boolean', meaning: 'a short form' },
  },
} as const;

function endsWith(args: string[]) {
  const [out, err] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
  for (const print of [out, err]) print.mockReturnValue();
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with ${code}`);
  });
  expect(() => readArguments(COMMAND, args)).toThrow(/^ended with/);
  const code = exit.mock.calls[0]?.[0];
  return { code, out: out.mock.calls.flat().join('\n'), err: err.mock.calls.flat().join('\n') };
}
afterEach(() => vi.restoreAllMocks());

it('options have their defaults, and arguments without a name are kept', () => {
  expect(readArguments(COMMAND, ['a', '--short', 'b'])).toMatchObject({
    values: { rounds: '9', short: true },
    positionals: ['a', 'b'],
  });
  expect(readArguments(COMMAND, ['--rounds', '3']).values).toEqual({ rounds: '3' });
});

it.each([['--help'], ['-h'], ['--rounds', '3', '--help']])('%j prints the help', (...args) => {
  expect(endsWith(args)).toEqual({
    code: 0,
    err: '',
    out: [
      'Does nothing.',
      '',
      'Usage: npm run example -- [options]',
      '',
      '  --rounds N  rounds (default 9)',
      '  --short     a short form',
    ].join('\n'),
  });
});

it.each([[['--nothing']], [['--rounds']], [['--short=yes']]])('%j ends with 1', (args) => {
  const { code, out, err } = endsWith(args);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('Usage: npm run example');
});

it.each([
  ['scripts/shared/place.ts', 0],
  // Without an address.
  ['scripts/deploy/smoke.ts', 1],
])('a part of a command ends with the code of its file: %s', async (run, code) => {
  expect(await runPart({ run, about: '' }, [])).toBe(code);
});
