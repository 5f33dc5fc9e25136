import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, ensureCliBuilt } from '#scripts/build/build-cli.ts';

type Result = { code: number; out: string; err: string };
export type Cli = {
  home: string;
  hop: (args: readonly string[], input?: string) => Promise<Result>;
};

/** The command line with an empty home folder: `program`, or the built one. */
export async function makeCli(program = CLI): Promise<Cli> {
  await ensureCliBuilt();
  const home = mkdtempSync(join(tmpdir(), 'hop-cli-'));
  const env = { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
  const hop = (args: readonly string[], input = ''): Promise<Result> =>
    new Promise((done, fail) => {
      const child = spawn(process.execPath, [program, ...args], { env, cwd: home, stdio: 'pipe' });
      let [out, err] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      child.on('error', fail);
      child.on('close', (code) => done({ code: code ?? 1, out, err }));
      child.stdin.end(input);
    });
  return { home, hop };
}
