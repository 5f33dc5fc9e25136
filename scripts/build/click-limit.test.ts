import { readFileSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { makeSchema } from '#scripts/checks/schema-files.ts';
import { CONFIG } from '#scripts/shared/place.ts';
import { bundleReadable } from './bundle.ts';

/** Two Workers as they are deployed, in two isolates, on the same storage. */
let platform: Miniflare;
beforeAll(async () => {
  const { compatibility_date, compatibility_flags, vars } = unstable_readConfig({ config: CONFIG });
  const worker = {
    modules: true,
    script: readFileSync(await bundleReadable(), 'utf8'),
    compatibilityDate: compatibility_date ?? '',
    compatibilityFlags: compatibility_flags,
    d1Databases: { DB: 'shared' },
    kvNamespaces: { LINKS: 'shared' },
    queueProducers: { CLICKS: 'clicks' },
    bindings: { ...vars, APP_ORIGIN: 'http://localhost' },
  };
  const counter = { className: 'ClickCounter', useSQLite: true };
  platform = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        { ...worker, name: 'one', durableObjects: { CLICK_LIMITS: counter } },
        {
          ...worker,
          name: 'two',
          durableObjects: { CLICK_LIMITS: { ...counter, scriptName: 'one' } },
        },
      ],
    }),
  );
  const db = await platform.getD1Database('DB', 'one');
  await makeSchema(db);
  await db.exec(
    `INSERT INTO links (code, target, target_host, created_at, updated_at, click_limit, limit_open, limit_id) VALUES ('ten', 'https://example.com/', 'example.com', 0, 0, 10, 0, 'name')`,
  );
});
afterAll(() => platform.dispose());

it('a limit of ten makes ten redirects of 100 parallel clicks on two isolates', async () => {
  const workers = [await platform.getWorker('one'), await platform.getWorker('two')];
  const seen = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const response = await workers[at % 2]?.fetch('http://localhost/ten', {
        headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' },
        redirect: 'manual',
      });
      return { worker: at % 2, status: response?.status };
    }),
  );
  const redirects = seen.filter(({ status }) => status === 302);
  // A busy machine may count a click and answer too late, which costs a redirect.
  const late = seen.filter(({ status }) => status === 503);
  expect(redirects.length).toBeLessThanOrEqual(10);
  expect(redirects.length + late.length).toBeGreaterThanOrEqual(10);
  const refused = seen.filter(({ status }) => status === 410);
  expect(new Set(refused.map(({ worker }) => worker))).toEqual(new Set([0, 1]));
  expect(redirects.length + late.length + refused.length).toBe(100);
});
