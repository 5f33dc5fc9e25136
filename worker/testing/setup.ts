import { env, reset } from 'cloudflare:test';
import { beforeAll } from 'vitest';
import { limitArguments } from './argument-limit.ts';
import { migrate } from './migrate.ts';
import type { EvaluatedModuleNode, EvaluatedModules } from 'vite/module-runner';

/** At the top level of a compiled module: a variable, an empty collection, or a made object. */
const STATE = /^(?:let |const \w+ = (?:new (?:Map|Set|WeakMap|WeakSet)\(\)|create\w+\())/m;

/**
 * Test files share one workerd per worker of Vitest. Each file gets empty storage, and a new copy
 * of every module that has state or imports one that has. Loading all 400 takes half a second.
 */
resetModulesWithState();

limitArguments(env.DB);

const ATTEMPTS = 20;

beforeAll(async () => {
  await emptyStorage();
  await migrate(env.DB);
});

function resetModulesWithState(): void {
  const { evaluatedModules }: { evaluatedModules: EvaluatedModules } = Reflect.get(
    globalThis,
    '__vitest_worker__',
  );
  const modules = evaluatedModules.idToModuleMap;
  const stale = new Set<EvaluatedModuleNode>();
  const resetWithImporters = (id: string): void => {
    const module = modules.get(id);
    if (module === undefined || stale.has(module) || id.includes('/node_modules/')) return;
    stale.add(module);
    module.promise = undefined;
    module.exports = undefined;
    module.evaluated = false;
    for (const importer of module.importers) resetWithImporters(importer);
  };
  for (const [id, { meta }] of modules)
    if (meta !== undefined && 'code' in meta && STATE.test(meta.code)) resetWithImporters(id);
}

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
