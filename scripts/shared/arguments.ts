import { parseArgs } from 'node:util';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { BIN, ROOT } from './place.ts';

/** `value` names the value of an option that takes one: N in `--rounds N`. */
type Option = {
  type: 'string' | 'boolean';
  value?: string;
  default?: string | boolean;
  meaning: string;
};
type Options = Readonly<Record<string, Option>>;
type Config<O extends Options> = { args: string[]; options: O; allowPositionals: true };

type Command<O extends Options> = { usage: string; about: string; options: O };

/**
 * Reads the arguments of a command. `--help` prints its text and ends the process; an argument that
 * it does not know ends it with 1.
 *
 *     const { values } = readArguments({
 *       usage: 'npm run bench -- lists [options]',
 *       about: 'Measures the lists of links.',
 *       options: { rounds: { type: 'string', value: 'N', default: '9', meaning: 'rounds' } },
 *     });
 */
export function readArguments<const O extends Options>(
  command: Command<O>,
  args: string[] = process.argv.slice(2),
): ReturnType<typeof parseArgs<Config<O>>> {
  exitOnHelp(() => helpOf(command), args);
  try {
    return parseArgs<Config<O>>({
      args,
      options: command.options,
      allowPositionals: true,
    });
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : String(error)}\n\n${helpOf(command)}`,
    );
    process.exit(1);
  }
}

/** Prints `text()` and ends the process if the arguments ask for help. */
export function exitOnHelp(text: () => string, args = process.argv.slice(2)): void {
  if (!args.includes('--help') && !args.includes('-h')) return;
  console.log(text());
  process.exit(0);
}

function helpOf({ usage, about, options }: Command<Options>): string {
  const rows = Object.entries(options).map(([name, option]) => [
    `--${name}${option.value === undefined ? '' : ` ${option.value}`}`,
    option.meaning + (typeof option.default === 'string' ? ` (default ${option.default})` : ''),
  ]);
  return [about, '', `Usage: ${usage}`, ...(rows.length > 0 ? ['', ...columns(rows)] : [])].join(
    '\n',
  );
}

export function columns(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${second}`);
}

/**
 * A part of a command: a file for Node, or a program of node_modules with its first arguments.
 * `env` adds variables.
 */
export type Part = {
  run: string | readonly [string, ...string[]];
  env?: Readonly<Record<string, string>>;
  about: string;
};
export type Parts = Readonly<Record<string, Part>>;

/** Returns the `--help` text of a command with parts. */
export function helpOfParts(usage: string, about: string, parts: Parts): string {
  const rows = Object.entries(parts).map(([name, part]) => [name, part.about]);
  return [about, '', `Usage: ${usage}`, '', ...columns(rows)].join('\n');
}

export function runPart({ run, env = {} }: Part, args: readonly string[]): Promise<number> {
  const [program, ...first] =
    typeof run === 'string'
      ? [process.execPath, join(ROOT, run)]
      : [join(BIN, run[0]), ...run.slice(1)];
  return new Promise((done, fail) => {
    const child = spawn(program, [...first, ...args], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    child.on('error', fail);
    child.on('close', (code) => done(code ?? 1));
  });
}

/**
 * Runs the part that the first argument names, passes the other arguments on, and exits with its
 * code. Prints the parts if none is named.
 */
export async function runNamedPart(usage: string, about: string, parts: Parts): Promise<never> {
  const [name = '', ...args] = process.argv.slice(2);
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  const help = (): string => helpOfParts(usage, about, parts);
  if (part !== undefined) process.exit(await runPart(part, args));
  exitOnHelp(help);
  console.error(help());
  process.exit(1);
}
