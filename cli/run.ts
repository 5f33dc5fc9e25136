import { parseArgs } from 'node:util';
import { loginCommand, logoutCommand } from './account.ts';
import { createClient, RequestFailed } from './client.ts';
import { COMMON_OPTIONS, NotLoggedIn, PartlyFailed, UsageError, type Command } from './command.ts';
import { completionScript } from './completion.ts';
import { importCommand } from './import.ts';
import {
  listCommand,
  removeCommand,
  shortenCommand,
  statsCommand,
  updateCommand,
} from './links.ts';
import { readCliSettings } from './settings.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const EXIT = { ok: 0, failed: 1, usage: 2, key: 3 } as const;
/** Problems that a different key would solve. */
const KEY_PROBLEMS: ReadonlySet<string> = new Set(['unauthenticated', 'insufficient_scope']);

const completionCommand: Command = {
  args: ['SHELL'],
  summary: 'Print a completion script for bash, zsh or fish.',
  options: {},
  run: async ({ args: [shell = ''] }) => console.log(completionScript(shell, COMMANDS)),
};

const COMMANDS: Readonly<Record<string, Command>> = {
  login: loginCommand,
  logout: logoutCommand,
  shorten: shortenCommand,
  list: listCommand,
  stats: statsCommand,
  update: updateCommand,
  delete: removeCommand,
  import: importCommand,
  completion: completionCommand,
};

/**
 * Runs the command line and returns the exit code. Results go to standard output, everything else
 * to standard error.
 */
export async function run(
  argv: readonly string[],
  env: Variables,
  version: string,
): Promise<number> {
  const [name = '', ...rest] = argv;
  if (name === '--version') return say(version);
  if (name === '' || name === '--help' || name === '-h' || name === 'help') {
    const code = say(help());
    return name === '' ? EXIT.usage : code;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (command === undefined) throw new UsageError(`There is no command “${name}”.`);
    return await runCommand(name, command, rest, env);
  } catch (error) {
    return fail(error, command === undefined ? '' : `${name} `, rest.includes('--json'));
  }
}

async function runCommand(
  name: string,
  command: Command,
  argv: readonly string[],
  env: Variables,
): Promise<number> {
  const { values, positionals } = parse(command, argv);
  if (values['help'] === true) return say(helpOf(name, command));
  if (positionals.length < command.args.length)
    throw new UsageError(`${command.args[positionals.length]} is missing.`);
  if (positionals.length > command.args.length)
    throw new UsageError(`“${positionals[command.args.length]}” is not expected.`);
  await command.run({
    args: positionals,
    env,
    has: (option) => values[option] === true,
    text: (option) => {
      const value = values[option];
      return typeof value === 'string' ? value : undefined;
    },
    client: () => {
      const settings = readCliSettings(env);
      if (settings === null)
        throw new NotLoggedIn('Log in first: hop login --server https://hop.example');
      return createClient(settings.origin, settings.key);
    },
    print: (json, lines) =>
      void say(values['json'] === true ? JSON.stringify(json, null, 2) : lines.join('\n')),
  });
  return EXIT.ok;
}

function parse(command: Command, argv: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(([name, { value, short }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function say(text: string): number {
  console.log(text);
  return EXIT.ok;
}

function fail(error: unknown, command: string, asJson: boolean): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\nSee: hop ${command}--help`);
    return EXIT.usage;
  }
  const isKnown =
    error instanceof RequestFailed || error instanceof NotLoggedIn || error instanceof PartlyFailed;
  if (!isKnown) throw error;
  const problem = error instanceof RequestFailed ? error.problem : null;
  if (!(error instanceof PartlyFailed && asJson))
    console.error(asJson ? JSON.stringify(problem ?? { detail: error.message }) : error.message);
  return error instanceof NotLoggedIn || (problem !== null && KEY_PROBLEMS.has(problem.code))
    ? EXIT.key
    : EXIT.failed;
}

const usageOf = (name: string, { args }: Command): string => ['hop', name, ...args].join(' ');

function help(): string {
  const rows = Object.entries(COMMANDS).map(
    ([name, command]) => `  ${usageOf(name, command).padEnd(24)}${command.summary}`,
  );
  return [
    'Short links from the command line.',
    '',
    ...rows,
    '',
    'Options of a command: hop COMMAND --help. With --json, every command prints JSON.',
    'HOP_URL and HOP_API_KEY are used instead of what `hop login` has stored.',
    'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the key is missing or not sufficient.',
  ].join('\n');
}

function helpOf(name: string, command: Command): string {
  const rows = Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(
    ([option, { value, short, text }]) => {
      const names = `${short === undefined ? '    ' : `-${short}, `}--${option}${value === undefined ? '' : ` ${value}`}`;
      return `  ${names.padEnd(26)}${text}`;
    },
  );
  return [`${usageOf(name, command)} [options]`, '', command.summary, '', ...rows].join('\n');
}
