import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { columns, exitOnHelp } from './arguments.ts';
import { BIN, ROOT } from './place.ts';

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
