import { spawn, type SpawnOptions } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
export const BIN = join(ROOT, 'node_modules', '.bin');
export const WEB_DIST = join(ROOT, 'web', 'dist');
export const CONFIG = join(ROOT, 'wrangler.toml');

/**
 * Environment variables with which local commands send no telemetry, print no banner, need no
 * network, ask no questions and record no traces, which takes half the CPU time of a request.
 */
export const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  X_LOCAL_EXPLORER: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  NO_UPDATE_NOTIFIER: '1',
} as const;

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folder of the local D1, KV and queue: STATE_DIR, or the `--persist-to` of the
 * `wrangler dev` that runs this script as its custom build, or wrangler's default.
 */
export function stateDir(env: Variables = process.env): string {
  if (env['STATE_DIR']) return resolve(ROOT, env['STATE_DIR']);
  const given = env['WRANGLER_COMMAND'] === 'dev' ? persistToOf(ancestors()) : undefined;
  return given ?? join(ROOT, '.wrangler', 'state');
}

/** Resolves a path relative to the folder in which npm was called. */
export const typedPath = (path: string): string =>
  resolve(process.env['INIT_CWD'] ?? process.cwd(), path);

type Ancestor = { args: string[]; cwd: string };

/** Returns the nearest `--persist-to` in the command lines of `processes` as an absolute path. */
export function persistToOf(processes: readonly Ancestor[]): string | undefined {
  for (const { args, cwd } of processes) {
    const at = args.findIndex((arg) => arg === '--persist-to' || arg.startsWith('--persist-to='));
    if (at === -1) continue;
    const value =
      args[at] === '--persist-to' ? args[at + 1] : args[at]?.slice('--persist-to='.length);
    if (value) return isAbsolute(value) ? value : resolve(cwd, value);
  }
  return undefined;
}

/**
 * Returns the command lines of our parent processes, nearest first. Empty on systems without /proc.
 */
function ancestors(): Ancestor[] {
  const found: Ancestor[] = [];
  let pid = process.ppid;
  while (pid > 1 && existsSync(`/proc/${pid}/cmdline`) && found.length < 12) {
    try {
      found.push({ args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'), cwd: ROOT });
      pid = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    } catch {
      break;
    }
  }
  return found;
}

/**
 * Runs a program of node_modules/.bin and resolves to its exit code and its output. `quiet` only
 * captures the output, `echo` also prints it. After `timeout` ms, the program and its child
 * processes are killed. `input` is passed to standard input.
 */
export function run(
  program: string,
  args: readonly string[],
  options: Omit<SpawnOptions, 'env'> & {
    env?: Variables;
    quiet?: boolean;
    echo?: boolean;
    input?: string;
  } = {},
): Promise<{ code: number; output: string }> {
  const { quiet, echo, timeout, input, ...rest } = options;
  const printed = quiet || echo ? 'pipe' : 'inherit';
  return new Promise((done, fail) => {
    const child = spawn(isAbsolute(program) ? program : join(BIN, program), args, {
      cwd: ROOT,
      stdio: [input === undefined ? 'ignore' : 'pipe', printed, printed],
      ...rest,
      // A separate process group can be killed as a whole.
      detached: timeout !== undefined,
      env: { ...process.env, ...QUIET, ...rest.env },
    });
    child.stdin?.end(input);
    const kill = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
    const timer = timeout === undefined ? undefined : setTimeout(kill, timeout);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    if (echo) {
      child.stdout?.on('data', (chunk: Buffer) => process.stdout.write(chunk));
      child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk));
    }
    child.on('error', fail);
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ code: code ?? 1, output });
    });
  });
}
