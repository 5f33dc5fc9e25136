/**
 * A bare `workerd serve`: its HTTP socket is connected to the Worker directly, and KV and the queue
 * are small in-memory Workers in the same process. It measures the Worker's own CPU and workerd's
 * binding calls, and nothing else.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A Worker to measure. `main`: the path of its bundle. `kv`: the content of its LINKS namespace.
 */
export type Target = {
  name: string;
  main: string;
  vars: Record<string, string>;
  kv: Record<string, string>;
};

const STUBS = join(import.meta.dirname, 'stubs');
const DATE = '2026-10-20';
const quote = (text: string): string => JSON.stringify(text);
const limits = [
  'LIMIT_VISITOR_LINKS',
  'LIMIT_WRITES',
  'LIMIT_AUTH',
  'LIMIT_MISSES',
  'LIMIT_READS',
  'LIMIT_SITES',
];

function configOf(target: Target, port: number, statsPort: number): string {
  const stub = (file: string): string => `(name = "index.js", esModule = embed ${quote(file)})`;
  const worker = (name: string, modules: string): string =>
    `const ${name} :Workerd.Worker = (modules = [${modules}], compatibilityDate = ${quote(DATE)});`;
  const bindings = [
    '(name = "LINKS", kvNamespace = "kv")',
    '(name = "CLICKS", queue = "sink")',
    '(name = "ASSETS", service = "deny")',
    ...limits.map((name) => `(name = ${quote(name)}, service = "sink")`),
    ...Object.entries(target.vars).map(
      ([name, text]) => `(name = ${quote(name)}, text = ${quote(text)})`,
    ),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "kv", worker = .kv), (name = "sink", worker = .sink),
    (name = "deny", worker = .deny), (name = "cache", worker = .cache)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (cfBlobHeader = "MF-CF-Blob"), service = "main"),
    (name = "stats", address = "127.0.0.1:${statsPort}", http = (), service = "sink")]
);
const main :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "main.js")],
  compatibilityDate = ${quote(DATE)},
  globalOutbound = "deny", cacheApiOutbound = "cache",
  bindings = [${bindings.join(', ')}]
);
${worker('kv', `${stub('kv.js')}, (name = "seed", json = embed "seed.json")`)}
${worker('sink', stub('sink.js'))}
${worker('deny', stub('deny.js'))}
${worker('cache', stub('cache.js'))}
`;
}

/**
 * Starts a new process for `target` on `port`, with its queue's counter on `statsPort`. Resolves
 * when it responds.
 */
export async function startLean(
  target: Target,
  folder: string,
  port: number,
  statsPort: number,
): Promise<ChildProcess> {
  const dir = join(folder, target.name);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'seed.json'), JSON.stringify(target.kv));
  // The configuration embeds files from its own folder.
  copyFileSync(target.main, join(dir, 'main.js'));
  for (const file of readdirSync(STUBS)) copyFileSync(join(STUBS, file), join(dir, file));
  writeFileSync(join(dir, 'config.capnp'), configOf(target, port, statsPort));
  return startWorkerd(dir, `http://127.0.0.1:${port}/__ready`, target.name);
}

/**
 * Starts a workerd process with `config.capnp` of the folder `dir`. Resolves when `readyUrl`
 * responds, whatever it says.
 */
export async function startWorkerd(
  dir: string,
  readyUrl: string,
  name: string,
): Promise<ChildProcess> {
  // Miniflare's workerd, which serves the product locally, too.
  const { default: workerd }: { default: string } = createRequire(
    createRequire(import.meta.url).resolve('miniflare'),
  )('workerd');
  const child = spawn(workerd, ['serve', '--experimental', join(dir, 'config.capnp')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) break;
    const up = await fetch(readyUrl, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
    if (up) return child;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`${name} did not start.`);
}
