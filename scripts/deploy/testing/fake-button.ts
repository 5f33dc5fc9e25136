import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readBaseConfig, type WorkerConfig } from '#scripts/deploy/worker-config.ts';
import { CONFIG } from '#scripts/shared/place.ts';
import type { FakeAccount } from './fake-account.ts';
import { newFolder } from './machine.ts';

type Form = {
  worker: string;
  database: string;
  namespace: string;
  clicks: string;
  vars?: Record<string, string>;
  secrets?: Record<string, string>;
};

/**
 * Does what the Deploy to Cloudflare form does before the first build
 * (https://developers.cloudflare.com/workers/platform/deploy-buttons/#automatic-resource-provisioning):
 * provisions the resources, writes their names and ids and the variables to the repository's
 * wrangler.toml, and creates a "Hello world" Worker with the secrets
 * (https://github.com/Javis603/token-monitor/issues/67). Returns the repository's configuration.
 */
export function pressButton(account: FakeAccount, form: Form): WorkerConfig {
  const databaseId = randomUUID();
  const namespaceId = randomUUID().replaceAll('-', '');
  account.databases.set(databaseId, {
    name: form.database,
    place: {},
    db: new DatabaseSync(':memory:'),
  });
  account.namespaces.set(namespaceId, form.namespace);
  account.buckets.add('hop-backups');
  for (const name of [form.clicks, 'clicks-dead', 'hop-webhooks'])
    account.queues.set(randomUUID(), { name, consumers: [] });
  const { id } = account.addVersion(
    form.worker,
    Object.entries(form.secrets ?? {}).map(([name, text]) => ({ type: 'secret_text', name, text })),
  );
  account.deploy(form.worker, [{ version_id: id, percentage: 100 }]);
  const worker = account.workers.get(form.worker);
  if (worker) worker.isOnWorkersDev = true;

  const replacements: [string | RegExp, string][] = [
    ['name = "hop"\nmain', `name = "${form.worker}"\nmain`],
    ['id = "hop-links"', `id = "${namespaceId}"`],
    ['database_name = "hop"', `database_name = "${form.database}"`],
    ['00000000-0000-0000-0000-000000000000', databaseId],
    [/queue = "clicks"/g, `queue = "${form.clicks}"`],
    ...Object.entries(form.vars ?? {}).map(([name, value]): [RegExp, string] => [
      new RegExp(`^${name} = .*$`, 'm'),
      `${name} = "${value}"`,
    ]),
  ];
  const file = join(newFolder(), 'wrangler.toml');
  writeFileSync(
    file,
    replacements.reduce((text, [from, to]) => text.replace(from, to), readFileSync(CONFIG, 'utf8')),
  );
  return readBaseConfig(file);
}
