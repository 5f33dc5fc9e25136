import { COMMON_OPTIONS, type Command, type Commands, type Option } from './command.ts';

const usageOf = (name: string, { args }: Command): string =>
  ['hop', name, ...args.map((arg) => (arg.isOptional === true ? `[${arg.name}]` : arg.name))].join(
    ' ',
  );

export function helpOfAll(commands: Commands): string {
  return [
    'Short links from the command line.',
    '',
    ...columns(
      Object.entries(commands).map(([name, command]) => [usageOf(name, command), command.summary]),
    ),
    '',
    'hop help COMMAND shows the options of a command. With --json, every command prints JSON.',
    'HOP_URL and HOP_API_KEY are used instead of what `hop login` has stored.',
    'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the key is missing or not sufficient.',
  ].join('\n');
}

export function helpOf(name: string, command: Command): string {
  const { options, summary, examples = [], args } = command;
  const choices = args.flatMap((arg) =>
    arg.choices === undefined ? [] : [`${arg.name}: ${arg.choices.join(', ')}`],
  );
  return [
    `${usageOf(name, command)} [options]`,
    '',
    summary,
    ...choices,
    '',
    ...columns(
      Object.entries({ ...options, ...COMMON_OPTIONS }).map(([option, about]) => [
        formOf(option, about),
        optionText(about),
      ]),
    ),
    ...(examples.length === 0 ? [] : ['', ...examples.map((line) => `  $ ${line}`)]),
  ].join('\n');
}

function formOf(name: string, { value, short, isNegatable }: Option): string {
  const start = short === undefined ? '    ' : `-${short}, `;
  return `${start}--${isNegatable === true ? '[no-]' : ''}${name}${value === undefined ? '' : ` ${value}`}`;
}

/** The text of an option with its choices, as help and completion show it. */
export const optionText = ({ text, choices, isList }: Option): string =>
  text +
  (choices === undefined ? '' : `: ${choices.join(', ')}`) +
  (isList === true ? '; may be repeated' : '');

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
}
