import { join } from 'node:path';
import { readD1Migrations } from '@cloudflare/vitest-plugin';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_readConfig } from 'wrangler';
import { CONFIG, ROOT } from '#scripts/place.ts';

/** Runs the statements of one call of D1, one by itself or several as a batch. In Node, a proxy of D1 would need three calls. */
const SCRIPT = `export default {
  async fetch(request, env) {
    const statements = (await request.json()).map(({ query, params }) => env.DB.prepare(query).bind(...params));
    try {
      return Response.json(statements.length === 1 ? [await statements[0].all()] : await env.DB.batch(statements));
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
};`;

export type Statement = { query: string; params: readonly unknown[] };
export type Result = { results: Record<string, unknown>[]; meta: D1Meta & Record<string, unknown> };
export type LocalStorage = {
  /** Runs statements in D1, several as one atomic batch. */
  run: (statements: readonly Statement[]) => Promise<Result[]>;
  links: {
    get: (key: string) => Promise<string | null>;
    put: (key: string, value: string) => Promise<void>;
    delete: (key: string) => Promise<void>;
  };
  vars: Record<string, string>;
};

/** Runs `work` with an empty, migrated D1 and an empty KV in memory, and the variables of wrangler.toml. */
export async function withLocalStorage<T>(work: (storage: LocalStorage) => Promise<T>): Promise<T> {
  const { compatibility_date, vars } = unstable_readConfig({ config: CONFIG });
  const options = convertV4MiniflareOptions({
    modules: true,
    script: SCRIPT,
    compatibilityDate: compatibility_date ?? '',
    d1Databases: { DB: 'simulated' },
    kvNamespaces: { LINKS: 'simulated' },
  });
  const miniflare = new Miniflare(options);
  try {
    const run = async (statements: readonly Statement[]): Promise<Result[]> => {
      const response = await miniflare.dispatchFetch('http://storage/', { method: 'POST', body: JSON.stringify(statements) });
      if (!response.ok) throw new Error(`D1 failed: ${await response.text()}`);
      return JSON.parse(await response.text());
    };
    const migrations = await readD1Migrations(join(ROOT, 'migrations'));
    for (const { queries } of migrations) for (const query of queries) await run([{ query, params: [] }]);
    const kv = await miniflare.getKVNamespace('LINKS');
    const links = {
      get: (key: string) => kv.get(key, 'text'),
      put: (key: string, value: string) => kv.put(key, value),
      delete: (key: string) => kv.delete(key),
    };
    const texts = Object.entries(vars).map(([name, value]) => [name, String(value)]);
    return await work({ run, links, vars: Object.fromEntries(texts) });
  } finally {
    await miniflare.dispose();
  }
}
