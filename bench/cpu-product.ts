import { generateKeyPairSync } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readD1Migrations } from '@cloudflare/vitest-plugin';
import { exportJWK, SignJWT } from 'jose';
import { convertV4MiniflareOptions, Miniflare, Response as FileResponse } from 'miniflare';
import { unstable_readConfig } from 'wrangler';
import { bundleWorker } from '#scripts/bundle.ts';
import { CONFIG, ROOT, WEB_DIST } from '#scripts/place.ts';
import { freePort } from '#scripts/product.ts';
import { startWorkerd } from './lean.ts';

const FILES = join(import.meta.dirname, 'cpu');
export const HOSTED = 'https://project.example';
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
let networks = 0;
/**
 * Each request comes from a different network, because requests from one network are rate-limited.
 */
const nextAddress = (): string => `198.18.${(networks >> 8) & 255}.${networks++ & 255}`;
const quote = (text: string): string => JSON.stringify(text);

/** What the storage did since the last time it was asked. */
/** `calls`: requests of the Worker to its storage, of which `d1Calls` to D1. */
export type Used = {
  calls: number;
  d1Calls: number;
  statements: number;
  kvWrites: number;
  rowsWritten: number;
  rowsByTable: Record<string, number>;
};
export type Sent = { method?: string; headers?: Record<string, string>; body?: unknown };
export type Product = {
  send: (path: string, sent?: Sent) => Promise<{ status: number; text: string }>;
  /** Delivers a batch of the queue. Throws if the Worker does not acknowledge all of it. */
  deliver: (messages: readonly { body: unknown }[]) => Promise<void>;
  /** Runs cron as at the time `at`. */
  cron: (at: number) => Promise<void>;
  /** Runs one statement in the database and returns its rows. */
  sql: (sql: string, ...params: (string | number | null)[]) => Promise<unknown[][]>;
  /** Writes a value to KV, as if an earlier request had. */
  put: (key: string, value: string) => Promise<void>;
  used: () => Promise<Used>;
  /** The CPU time in ms that the Worker has used, once it has come to rest. */
  cpuMs: () => Promise<number>;
  /** An Authorization header of the hosted sign-in. */
  signIn: (userId: string, email: string) => Promise<Record<string, string>>;
};

/**
 * Runs `work` on the deployed bundle with the settings of the free plan: workerd has one process
 * for the Worker alone, and another one for its D1, KV and bucket. `isFloor`: a Worker that does
 * nothing but call D1 takes the bundle's place.
 */
export async function withProduct<T>(
  work: (product: Product) => Promise<T>,
  isFloor = false,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hop-cpu-'));
  const [port, driverPort, storagePort] = [await freePort(), await freePort(), await freePort()];
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' };
  const storage = startStorage(storagePort, JSON.stringify({ keys: [jwk] }));
  const origin = `http://127.0.0.1:${port}`;
  try {
    await storage.ready;
    const sql = sqlOf(storagePort);
    for (const { queries } of await readD1Migrations(join(ROOT, 'migrations')))
      for (const query of queries) await sql(query);
    await sql(
      'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT DEFAULT CURRENT_TIMESTAMP NOT NULL)',
    );
    for (const { name } of await readD1Migrations(join(ROOT, 'migrations')))
      await sql('INSERT INTO d1_migrations (name) VALUES (?1)', name);
    const bundle = isFloor ? [] : await bundleWorker();
    const worker = bundle.find(({ name }) => name.startsWith('index.'));
    writeFileSync(join(folder, 'main.js'), worker?.text ?? readFileSync(join(FILES, 'floor.js')));
    for (const file of readdirSync(FILES)) copyFileSync(join(FILES, file), join(folder, file));
    writeFileSync(
      join(folder, 'config.capnp'),
      configOf({ port, driverPort, storagePort, origin }),
    );
    const child = await startWorkerd(folder, `http://127.0.0.1:${driverPort}/ready`, 'The product');
    try {
      const pid = child.pid ?? 0;
      const drive = async (path: string, json: unknown): Promise<string> => {
        const answer = await fetch(`http://127.0.0.1:${driverPort}${path}`, {
          method: 'POST',
          body: JSON.stringify(json),
        });
        const text = await answer.text();
        if (!answer.ok || !text.includes('"ok"'))
          throw new Error(`${path} answered ${answer.status} ${text}`);
        return text;
      };
      return await work({
        sql,
        cron: async (at) => void (await drive('/cron', { at })),
        deliver: async (messages) => {
          const all = messages.map(({ body }, at) => ({
            id: String(at),
            timestamp: Date.now(),
            attempts: 1,
            body,
          }));
          const text = await drive('/queue', { queue: 'hop-production-clicks', messages: all });
          if (!/"retryMessages":\[\]/.test(text))
            throw new Error(`Messages were not counted: ${text}`);
        },
        send: async (path, { method = 'GET', headers = {}, body } = {}) => {
          const answer = await fetch(origin + path, {
            method,
            redirect: 'manual',
            headers: {
              'User-Agent': BROWSER,
              'CF-Connecting-IP': nextAddress(),
              ...headers,
              ...(body !== undefined && { 'Content-Type': 'application/json' }),
            },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          return { status: answer.status, text: await answer.text() };
        },
        put: async (key, value) =>
          void (await fetch(`http://127.0.0.1:${storagePort}/${encodeURIComponent(key)}`, {
            method: 'PUT',
            headers: { 'Bench-Binding': 'kv' },
            body: value,
          })),
        used: async () => (await ask(storagePort, 'usage', '/')).json(),
        cpuMs: () => restingCpu(pid),
        signIn: async (sub, email) => {
          const token = new SignJWT({
            role: 'authenticated',
            session_id: crypto.randomUUID(),
            email,
          })
            .setProtectedHeader({ alg: 'ES256', kid: 'bench' })
            .setSubject(sub)
            .setIssuer(`${HOSTED}/auth/v1`)
            .setAudience('authenticated')
            .setIssuedAt()
            .setExpirationTime('2h');
          return { Authorization: `Bearer ${await token.sign(keys.privateKey)}` };
        },
      });
    } finally {
      child.kill('SIGKILL');
    }
  } finally {
    await storage.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

function startStorage(port: number, jwks: string): Miniflare {
  return new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      scriptPath: join(FILES, 'bindings.js'),
      compatibilityDate: '2026-10-20',
      port,
      d1Databases: { DB: 'bench' },
      kvNamespaces: { LINKS: 'bench' },
      r2Buckets: { BACKUPS: 'bench' },
      bindings: { JWKS: jwks },
      serviceBindings: { FILES: ({ url }: { url: string }) => builtFile(new URL(url).pathname) },
    }),
  );
}

/** A file of the built site, as the platform's assets serve it. */
function builtFile(pathname: string): FileResponse {
  const file = [`${pathname}index.html`, pathname, `${pathname}.html`]
    .map((name) => join(WEB_DIST, name))
    .find(isFile);
  return file === undefined
    ? new FileResponse(null, { status: 404 })
    : new FileResponse(readFileSync(file));
}
const isFile = (file: string): boolean => extname(file) !== '' && existsSync(file);

const ask = (port: number, binding: string, path: string, body?: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { 'Bench-Binding': binding },
    ...(body !== undefined && { method: 'POST', body }),
  });

const sqlOf =
  (port: number): Product['sql'] =>
  async (sql, ...params) => {
    const answer = await ask(
      port,
      'd1',
      '/query?resultsFormat=ROWS_AND_COLUMNS',
      JSON.stringify({ sql, params }),
    );
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${sql}: ${text}`);
    const [answered]: { results: { rows: unknown[][] } }[] = [JSON.parse(text)].flat();
    return answered?.results.rows ?? [];
  };

/**
 * How long nothing may happen before a process counts as at rest. Longer than the pauses of a
 * request that asks D1 several times.
 */
const REST_MS = 8;
const REST_CHECKS = 2;

/**
 * The CPU time of a process's main thread in ms, once it no longer rises. workerd runs JavaScript,
 * I/O and HTTP on it. The other threads compile and collect garbage, which the platform does not
 * count: its limit is for a thread that holds the isolate's lock.
 */
async function restingCpu(pid: number): Promise<number> {
  let last = '';
  for (let rests = 0; rests < REST_CHECKS;) {
    await sleep(REST_MS);
    // Linux counts it in ns.
    const now = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0] ?? '';
    rests = now === last ? rests + 1 : 0;
    last = now;
  }
  return Number(last) / 1e6;
}

type Ports = { port: number; driverPort: number; storagePort: number; origin: string };

function configOf({ port, driverPort, storagePort, origin }: Ports): string {
  const { vars, compatibility_date, ratelimits = [] } = unstable_readConfig({ config: CONFIG });
  const settings: Record<string, unknown> = {
    ...vars,
    APP_ORIGIN: origin,
    WORKERS_PLAN: 'free',
    BILLING: 'demo',
    SUPABASE_URL: HOSTED,
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_bench',
    AUTH_SECRET: 'a-secret-for-a-benchmark-of-an-hour',
    DATABASE_LIMIT_MB: '500',
    // A window is delivered at once, so every redirect includes the cost of one.
    CLICK_WINDOW_MS: '1',
  };
  const remote = ['d1', 'kv', 'r2', 'queue', 'assets', 'cache', 'network'];
  const bindings = [
    '(name = "LINKS", kvNamespace = "kv")',
    '(name = "BACKUPS", r2Bucket = "r2")',
    '(name = "CLICKS", queue = "queue")',
    '(name = "WEBHOOKS", queue = "queue")',
    '(name = "ASSETS", service = "assets")',
    '(name = "DB", wrapped = (moduleName = "cloudflare-internal:d1-api", innerBindings = [(name = "fetcher", service = "d1")]))',
    ...ratelimits.map(({ name }: { name: string }) => `(name = ${quote(name)}, service = "limit")`),
    ...Object.entries(settings).map(
      ([name, value]) => `(name = ${quote(name)}, text = ${quote(String(value))})`,
    ),
  ];
  const date = `compatibilityDate = ${quote(compatibility_date ?? '')}`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "driver", worker = .driver), (name = "limit", worker = .limit),
    ${remote
      .map(
        (name) =>
          `(name = "${name}", external = (address = "127.0.0.1:${storagePort}", http = (injectRequestHeaders = [(name = "Bench-Binding", value = "${name}")])))`,
      )
      .join(',\n    ')}],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (cfBlobHeader = "MF-CF-Blob"), service = "main"),
    (name = "driver", address = "127.0.0.1:${driverPort}", http = (), service = "driver")]
);
const main :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "main.js")],
  ${date},
  globalOutbound = "network", cacheApiOutbound = "cache",
  bindings = [${bindings.join(', ')}]
);
const driver :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "driver.js")],
  ${date}, compatibilityFlags = ["service_binding_extra_handlers"],
  bindings = [(name = "MAIN", service = "main")]
);
const limit :Workerd.Worker = (modules = [(name = "index.js", esModule = embed "limit.js")], ${date});
`;
}
