import { parseArgs } from 'node:util';
import {
  COMMON_OPTIONS,
  optionNames,
  UsageError,
  type Argument,
  type Call,
  type Command,
  type Option,
  type Options,
} from './command.ts';

type Read = Pick<Call, 'args' | 'text' | 'choice' | 'number' | 'list' | 'has' | 'flag'>;

/** Reads what follows a command, as its table of arguments and options says. Throws UsageError. */
export function readArguments(command: Command, argv: readonly string[]): Read {
  const options = { ...command.options, ...COMMON_OPTIONS };
  const { values, positionals } = parse(options, argv);
  const list = (name: string): string[] => {
    const given = values[name];
    return [given ?? []].flat().filter((value) => typeof value === 'string');
  };
  const text = (name: string): string | undefined => list(name)[0];
  const has = (name: string): boolean => values[name] === true;
  // Help needs no arguments.
  if (!has('help')) {
    for (const [name, option] of Object.entries(options))
      for (const value of list(name)) checkValue(`--${name}`, option, value);
    checkPositionals(command.args, positionals);
  }
  return {
    args: positionals,
    text,
    list,
    has,
    choice: (name, choices) => choices.find((choice) => choice === text(name)),
    number: (name) => (text(name) === undefined ? undefined : Number(text(name))),
    flag: (name) => (has(name) ? true : has(`no-${name}`) ? false : undefined),
  };
}

function parse(options: Options, argv: readonly string[]) {
  const config = Object.entries(options).flatMap(([name, option]) => {
    const form = {
      type: option.value === undefined ? ('boolean' as const) : ('string' as const),
      multiple: option.isList === true,
      ...(option.short === undefined ? {} : { short: option.short }),
    };
    return optionNames(name, option).map((one) => [one, form] as const);
  });
  try {
    return parseArgs({
      args: joined(options, argv),
      options: Object.fromEntries(config),
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Joins `--sort -clicks` into one word: Node takes a value that starts with a hyphen for an option.
 */
const joined = (options: Options, argv: readonly string[]): string[] =>
  argv.flatMap((word, at) => {
    const isChoice = (name: string, value = ''): boolean =>
      value.startsWith('-') && options[name.slice(2)]?.choices?.includes(value) === true;
    if (at > 0 && isChoice(argv[at - 1] ?? '', word)) return [];
    return isChoice(word, argv[at + 1]) ? [`${word}=${argv[at + 1]}`] : [word];
  });

function checkChoice(name: string, choices: readonly string[] | undefined, value: string): void {
  if (choices !== undefined && !choices.includes(value))
    throw new UsageError(`${name} must be one of ${choices.join(', ')}.`);
}

function checkValue(name: string, { choices, min }: Option, value: string): void {
  checkChoice(name, choices, value);
  if (min !== undefined && !(/^\d{1,9}$/.test(value) && Number(value) >= min))
    throw new UsageError(`${name} must be a whole number of at least ${min}.`);
}

function checkPositionals(args: readonly Argument[], given: readonly string[]): void {
  for (const [index, { name, choices, isOptional }] of args.entries()) {
    const value = given[index];
    if (value === undefined) {
      if (isOptional !== true) throw new UsageError(`${name} is missing.`);
    } else checkChoice(name, choices, value);
  }
  if (given.length > args.length) throw new UsageError(`“${given[args.length]}” is not expected.`);
}
