import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_readConfig } from 'wrangler';
import { bundleWithHashes } from '#scripts/build/bundle.ts';
import { makeSchema } from '#scripts/checks/schema-files.ts';
import { CONFIG } from '#scripts/shared/place.ts';
import { createAccount } from '#worker/auth/accounts/create-account.ts';
import { openDb } from '#worker/db/client.ts';

const HASHERS = 'hashers';
export const PASSWORD = 'correct horse battery';
export const CODE = 'bench';

/**
 * Where the objects run that hash: in the Worker's isolate, in another one of the same process,
 * which has one thread, or in another process.
 */
export type Place = 'isolate' | 'thread' | 'process';
/** `cost` is p of scrypt: a hash takes a fifth of the deployed one's time for each. */
type Options = { place: Place; cost: number; accounts: number; folder: string };
/** `pids` are the processes: the Worker's is the last one. */
type Product = {
  origin: string;
  emails: string[];
  pids: readonly number[];
  dispose: () => Promise<void>;
};
type WorkerOptions = NonNullable<
  Extract<Parameters<typeof convertV4MiniflareOptions>[0], { workers: unknown }>['workers']
>[number];

/** Starts the Worker as it is deployed, with accounts and a link. */
export async function startProduct(options: Options): Promise<Product> {
  const { place, cost, accounts, folder } = options;
  const started: Miniflare[] = [];
  const others = new Set(childrenOf(process.pid));
  const dispose = async (): Promise<void> => {
    await Promise.all(started.map((one) => one.dispose()));
  };
  const start = async (workers: WorkerOptions[]): Promise<Miniflare> => {
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        workers,
        unsafeDevRegistryPath: join(folder, 'registry'),
        // The Worker's log.
        handleStructuredLogs: () => undefined,
      }),
    );
    started.push(miniflare);
    await miniflare.ready;
    return miniflare;
  };
  try {
    const shared = await settings(cost);
    const object = { className: 'PasswordHasher', useSQLite: true };
    const hashers = { ...shared, name: HASHERS, durableObjects: { OBJECTS: object } };
    const elsewhere = place === 'isolate' ? object : { ...object, scriptName: HASHERS };
    const main = { ...shared, name: 'main', durableObjects: { PASSWORD_HASHERS: elsewhere } };
    if (place === 'process') await start([hashers]);
    const product = await start(place === 'thread' ? [main, hashers] : [main]);
    const emails = await fill(product, accounts, cost);
    const pids = childrenOf(process.pid).filter((pid) => !others.has(pid));
    return { origin: new URL(await product.ready).origin, emails, pids, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Returns the child processes, in the order in which they were started. */
const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .flatMap((child) => (child === '' ? [] : [Number(child)])),
  );

async function settings(cost: number) {
  const { compatibility_date, compatibility_flags, vars, ratelimits } = unstable_readConfig({
    config: CONFIG,
  });
  return {
    modules: true as const,
    script: await bundleWithHashes({ ln: 14, p: cost }),
    compatibilityDate: compatibility_date ?? '',
    compatibilityFlags: compatibility_flags,
    d1Databases: { DB: 'main' },
    kvNamespaces: { LINKS: 'links' },
    r2Buckets: { BACKUPS: 'backups' },
    queueProducers: { CLICKS: 'clicks', WEBHOOKS: 'webhooks' },
    email: { send_email: [{ name: 'EMAIL' }] },
    ratelimits: Object.fromEntries(
      ratelimits.map((limit: { name: string }) => [limit.name, limit]),
    ),
    bindings: {
      ...vars,
      APP_ORIGIN: 'http://127.0.0.1',
      AUTH_SECRET: 'the-secret-of-a-bench-with-32-bytes!',
    },
  };
}

/** Creates the tables, a link, and confirmed accounts with the same password. */
async function fill(product: Miniflare, accounts: number, cost: number): Promise<string[]> {
  const d1 = await product.getD1Database('DB', 'main');
  await makeSchema(d1);
  await d1.exec(
    `INSERT INTO links (code, target, target_host, created_at, updated_at) VALUES ('${CODE}', 'https://example.com/', 'example.com', 0, 0)`,
  );
  const emails = Array.from({ length: accounts }, (_, at) => `person-${at}@example.com`);
  const params = { ln: 14, r: 8, p: cost };
  for (const email of emails) {
    const account = { email, password: PASSWORD, confirmed: true, now: Date.now() };
    await createAccount(openDb(d1), account, params);
  }
  return emails;
}
