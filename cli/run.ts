import { createClient, RequestFailed } from './client.ts';
import { NotLoggedIn, PartlyFailed, UsageError, type Call } from './command.ts';
import { COMMANDS } from './commands.ts';
import { candidatesFor, COMPLETE } from './completion.ts';
import { helpOf, helpOfAll } from './help.ts';
import { readArguments } from './read-arguments.ts';
import { readCliSettings } from './settings.ts';

const EXIT = { ok: 0, failed: 1, usage: 2, key: 3 } as const;
/** Problems that a different key would solve. */
const KEY_PROBLEMS: ReadonlySet<string> = new Set(['unauthenticated', 'insufficient_scope']);

/**
 * Runs the command line and returns the exit code. Results go to standard output, everything else
 * to standard error.
 */
export async function run(
  argv: readonly string[],
  env: Call['env'],
  version: string,
): Promise<number> {
  const isJson = argv.includes('--json');
  const print: Call['print'] = (json, lines) =>
    console.log(isJson ? JSON.stringify(json, null, 2) : lines.join('\n'));
  const printLine: Call['printLine'] = (line) => void (isJson || console.log(line));
  const at = argv.findIndex((word) => word !== '--json');
  const [name, rest] = [argv[at] ?? '', argv.toSpliced(at, 1)];
  if (name === COMPLETE) {
    const [current = '', ...before] = rest;
    const found = candidatesFor(COMMANDS, current.slice(1), before);
    const lines = found.map((candidate) => candidate.filter((part) => part !== '').join('\t'));
    if (lines.length > 0) console.log(lines.join('\n'));
    return EXIT.ok;
  }
  if (name === '') {
    print(COMMANDS, [helpOfAll(COMMANDS)]);
    return EXIT.usage;
  }
  if (name === '--version' || name === '-v') print({ version }, [version]);
  else if (name === '--help' || name === '-h') print(COMMANDS, [helpOfAll(COMMANDS)]);
  else
    try {
      await runCommand(name, rest, { env, print, printLine });
    } catch (error) {
      return fail(error, Object.hasOwn(COMMANDS, name) ? `${name} ` : '', isJson);
    }
  return EXIT.ok;
}

async function runCommand(
  name: string,
  argv: readonly string[],
  { env, print, printLine }: Pick<Call, 'env' | 'print' | 'printLine'>,
): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`There is no command “${name}”.`);
  const read = readArguments(command, argv);
  if (read.has('help')) return print(command, [helpOf(name, command)]);
  const settings = () => {
    const found = readCliSettings(env);
    if (found === null)
      throw new NotLoggedIn('Log in first: hop login --server https://hop.example');
    return found;
  };
  await command.run({
    ...read,
    env,
    client: () => createClient(settings().origin, settings().key),
    origin: () => settings().origin,
    print,
    printLine,
  });
}

function fail(error: unknown, command: string, isJson: boolean): number {
  const isUsage = error instanceof UsageError;
  const isKnown =
    isUsage ||
    error instanceof RequestFailed ||
    error instanceof NotLoggedIn ||
    error instanceof PartlyFailed;
  if (!isKnown) throw error;
  const problem = error instanceof RequestFailed ? error.problem : null;
  if (!isJson)
    console.error(isUsage ? `${error.message}\nSee: hop ${command}--help` : error.message);
  else if (!(error instanceof PartlyFailed))
    console.error(
      JSON.stringify(problem ?? { code: isUsage ? 'usage' : 'failed', detail: error.message }),
    );
  if (isUsage) return EXIT.usage;
  return error instanceof NotLoggedIn || (problem !== null && KEY_PROBLEMS.has(problem.code))
    ? EXIT.key
    : EXIT.failed;
}
