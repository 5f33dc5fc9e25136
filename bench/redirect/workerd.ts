import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#scripts/local/product.ts';

/** A Worker to measure, with its variables and the content of its LINKS namespace. */
export type Target = {
  script: string;
  vars: Record<string, string>;
  kv: Record<string, string>;
};
export type Running = {
  port: number;
  child: ChildProcess;
  /** By `performance.now()`. */
  startedAt: number;
  messages: () => Promise<number>;
};

const DATE = '2026-10-20';
const quote = (text: string): string => JSON.stringify(text);

/** Compiles a TypeScript file in this folder to JavaScript. */
export const scriptOf = (file: string): string =>
  stripTypeScriptTypes(readFileSync(join(import.meta.dirname, file), 'utf8'));

function configOf({ vars }: Target, port: number, messagesPort: number): string {
  const stub = (entrypoint: string): string => `(name = "stubs", entrypoint = "${entrypoint}")`;
  const bindings = [
    `(name = "LINKS", kvNamespace = ${stub('kv')})`,
    `(name = "CLICKS", queue = ${stub('queue')})`,
    '(name = "ASSETS", service = "stubs")',
    ...Object.entries(vars).map(([name, text]) => `(name = ${quote(name)}, text = ${quote(text)})`),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "stubs", worker = .stubs)],
  sockets = [
    (name = "http", address = "127.0.0.1:${port}", http = (cfBlobHeader = "MF-CF-Blob"), service = "main"),
    (name = "messages", address = "127.0.0.1:${messagesPort}", http = (), service = ${stub('queue')}),
  ]
);
const main :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "main.js")],
  compatibilityDate = ${quote(DATE)},
  globalOutbound = "stubs", cacheApiOutbound = "stubs",
  bindings = [${bindings.join(', ')}]
);
const stubs :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "stubs.js")],
  compatibilityDate = ${quote(DATE)},
  bindings = [(name = "SEED", json = embed "seed.json")]
);
`;
}

/**
 * Starts `workerd serve` for `target` with its storage in the same process, so that only the Worker
 * and workerd's binding calls are measured.
 */
export async function startWorkerd(target: Target, dir: string): Promise<Running> {
  mkdirSync(dir, { recursive: true });
  const [port, messagesPort] = [await freePort(), await freePort()];
  const files = {
    'main.js': target.script,
    'stubs.js': scriptOf('stubs.ts'),
    'seed.json': JSON.stringify(target.kv),
    'config.capnp': configOf(target, port, messagesPort),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  // Miniflare's workerd also serves the product in local development.
  const { default: workerd }: { default: string } = createRequire(
    createRequire(import.meta.url).resolve('miniflare'),
  )('workerd');
  // Compiling the configuration copies the script several times, which the platform does not do.
  const config = join(dir, 'config.bin');
  const compile = ['compile', '--config-only', join(dir, 'config.capnp')];
  writeFileSync(config, execFileSync(workerd, compile, { maxBuffer: 2 ** 26 }));
  const startedAt = performance.now();
  const child = spawn(workerd, ['serve', '--experimental', '--binary', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const messages = async (): Promise<number> =>
    Number(await (await fetch(`http://127.0.0.1:${messagesPort}/`)).text());
  for (let tries = 0; tries < 4_000 && child.exitCode === null; tries++) {
    if ((await messages().catch(() => null)) !== null) return { port, child, startedAt, messages };
    await sleep(5);
  }
  child.kill('SIGKILL');
  throw new Error('workerd did not start.');
}

/** Returns the CPU time of a process in µs, over all threads. Linux counts it in ns. */
export function cpuOf(pid: number): number {
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  return sum / 1_000;
}
