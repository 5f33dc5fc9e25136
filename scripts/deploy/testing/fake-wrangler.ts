import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ROOT } from '#scripts/shared/place.ts';
import { migrationFiles } from '#scripts/deploy/facts.ts';
import { classesOf, type WorkerConfig } from '#scripts/deploy/worker-config.ts';
import type { FakeAccount } from './fake-account.ts';

/**
 * Changes the fake account as wrangler's commands would, for tests that deploy many times. One test
 * uses the real wrangler.
 */
export const fakeWrangler =
  (account: FakeAccount) =>
  // Faults reject, like those of the real command.
  async (args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
    const option = (name: string): string | undefined =>
      args[args.indexOf(name) + 1 || args.length];
    const config: WorkerConfig = JSON.parse(readFileSync(option('--config') ?? '', 'utf8'));
    if (args[0] === 'd1') migrate(account, config, args[3]);
    else if (args[0] === 'deploy') {
      const version_id = upload(account, config, option);
      account.deploy(config.name, [{ version_id, percentage: 100 }]);
      consume(account, config);
      const hosts = (config.routes ?? []).map(({ pattern }) => pattern);
      // Without custom domains, wrangler sends no list of them.
      if (hosts.length > 0) account.replaceDomains(config.name, hosts);
      const worker = account.workers.get(config.name);
      if (worker) worker.isOnWorkersDev = config.workers_dev ?? false;
    } else if (args[1] === 'upload') {
      const added = classesOf(config).filter(
        (name) => account.workers.get(config.name)?.classes.has(name) !== true,
      );
      if (added.length > 0) throw new Error(`${added.join()} is not provisioned. [code: 100406]`);
      const entry = {
        type: 'version-upload',
        version_id: upload(account, config, option),
      };
      writeFileSync(
        env['WRANGLER_OUTPUT_FILE_PATH'] ?? '',
        `${JSON.stringify({ type: 'wrangler-session' })}\n${JSON.stringify(entry)}\n`,
      );
    } else if (args[1] === 'deploy') {
      const split = args.flatMap((arg) => /^(\S+)@(\d+)%$/.exec(arg)?.slice(1) ?? []);
      account.deploy(
        config.name,
        split.flatMap((version_id, at) =>
          at % 2 === 0 ? [{ version_id, percentage: Number(split[at + 1]) }] : [],
        ),
      );
    } else throw new Error(`The fake wrangler does not know ${args.join(' ')}`);
    return '';
  };

function consume(account: FakeAccount, config: WorkerConfig): void {
  for (const { queue: wanted, max_concurrency } of config.queues.consumers) {
    const queue = [...account.queues.values()].find(({ name }) => name === wanted);
    if (queue === undefined) throw new Error(`The account has no queue ${wanted}.`);
    const settings = { max_concurrency };
    const known = queue.consumers.find(({ script }) => script === config.name);
    if (known) known['settings'] = settings;
    else
      queue.consumers.push({
        consumer_id: randomUUID(),
        type: 'worker',
        script: config.name,
        settings,
      });
  }
}

// Node 24 has these methods, its types do not have them yet.
declare module 'node:sqlite' {
  interface DatabaseSync {
    serialize(): Uint8Array;
    deserialize(image: Uint8Array): void;
  }
}

function migrate(account: FakeAccount, config: WorkerConfig, wanted: string | undefined): void {
  const id = config.d1_databases.find(({ binding }) => binding === wanted)?.database_id;
  const db = account.databases.get(id ?? '')?.db;
  if (db === undefined) throw new Error('The configuration names no database of the account.');
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_master').get() === undefined;
  if (isEmpty) db.deserialize((migrated ??= migratedImage()));
  else applyMissing(db);
}

/** Applying all migrations takes 40 ms, copying the result less than one. */
let migrated: Uint8Array | undefined;

function migratedImage(): Uint8Array {
  const db = new DatabaseSync(':memory:');
  applyMissing(db);
  return db.serialize();
}

function applyMissing(db: DatabaseSync): void {
  db.exec(
    'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT DEFAULT CURRENT_TIMESTAMP)',
  );
  for (const file of migrationFiles()) {
    if (db.prepare('SELECT 1 FROM d1_migrations WHERE name = ?').get(file)) continue;
    db.exec(readFileSync(join(ROOT, 'migrations', file), 'utf8'));
    db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(file);
  }
}

function upload(
  account: FakeAccount,
  config: WorkerConfig,
  option: (name: string) => string | undefined,
): string {
  if (!account.bindsR2)
    throw new Error('R2 binding error: Please enable R2 through the Dashboard. [code: 10136]');
  const secretsFile = option('--secrets-file');
  const secrets: Record<string, string> =
    secretsFile === undefined ? {} : JSON.parse(readFileSync(secretsFile, 'utf8'));
  const bindings = [
    ...Object.entries(config.vars).map(([name, text]) => ({ type: 'plain_text', name, text })),
    ...Object.entries(secrets).map(([name, text]) => ({ type: 'secret_text', name, text })),
    ...(config.durable_objects?.bindings ?? []).map(({ name, class_name }) => ({
      type: 'durable_object_namespace',
      name,
      class_name,
    })),
    ...config.d1_databases.map(({ binding, database_id = '' }) => ({
      type: 'd1',
      name: binding,
      id: database_id,
    })),
    ...(config.r2_buckets ?? []).map(({ jurisdiction }) => ({
      type: 'r2_bucket',
      name: 'BACKUPS',
      jurisdiction,
    })),
  ];
  const annotations = {
    'workers/tag': option('--tag') ?? '',
    'workers/message': option('--message') ?? '',
  };
  return account.addVersion(config.name, bindings, annotations).id;
}
