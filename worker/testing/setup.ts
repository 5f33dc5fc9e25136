import { env, reset } from 'cloudflare:test';
import { beforeAll } from 'vitest';
import { limitArguments } from './argument-limit.ts';
import { migrate } from './migrate.ts';

/** See scripts/testing/worker-modules.ts. */
declare global {
  var stateResets: (() => void)[] | undefined;
}

/**
 * Test files share one workerd per worker of Vitest. Each file gets empty storage, and modules whose
 * state is as if they had just been imported.
 */
for (const resetState of globalThis.stateResets ?? []) resetState();

limitArguments(env.DB);

const ATTEMPTS = 20;

beforeAll(async () => {
  await emptyStorage();
  await migrate(env.DB);
});

/**
 * A call from the previous file can keep an old storage object alive through `reset`, so this
 * checks again.
 */
async function emptyStorage(): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await reset();
    if (await isStorageEmpty()) return;
    await scheduler.wait(50);
  }
  throw new Error(`The storage of an earlier test file is still there after ${ATTEMPTS} resets.`);
}

async function isStorageEmpty(): Promise<boolean> {
  const tables = await env.DB.prepare('SELECT count(*) AS n FROM sqlite_master').first<number>('n');
  const { keys } = await env.LINKS.list({ limit: 1 });
  const { objects } = await env.BACKUPS.list({ limit: 1 });
  return tables === 0 && keys.length === 0 && objects.length === 0;
}
