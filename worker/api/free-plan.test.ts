import { createMessageBatch, env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { FREE_PLAN_BATCH } from '#contract/limits.ts';
import { consumeBatch } from '#worker/clicks/queue/consume-batch.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { makeEndpoint } from '#worker/testing/webhooks.ts';
import { makePerson } from '#worker/testing/make.ts';

/** The free plan allows 50 D1 queries per invocation. */
const MAX_QUERIES = 47;

/** Bindings that count the statements of D1 and the values written to KV. */
function counting() {
  const used = { queries: 0, puts: 0 };
  const DB = withMethods(env.DB, {
    prepare: (query: string) => (used.queries++, env.DB.prepare(query)),
  });
  const LINKS = withMethods(env.LINKS, {
    put: (...args: Parameters<KVNamespace['put']>) => (used.puts++, env.LINKS.put(...args)),
  });
  return { used, bindings: { DB, LINKS, BILLING: 'demo' } };
}

describe('on the free plan', () => {
  it('no request makes more than 47 queries, and a new link is one write to KV', async () => {
    const admin = await makePerson({ role: 'admin', plan: 'premium' });
    const leaver = await makePerson();
    const seen: Record<string, { status: number; queries: number; puts: number }> = {};
    const send = async (name: string, json?: unknown, { headers } = admin): Promise<void> => {
      const { used, bindings } = counting();
      const [method = '', path = ''] = name.split(' ');
      const init = { method, headers, ...(json === undefined ? {} : { json }) };
      const response = await call(path, init, bindings);
      await response.text();
      seen[name] = { status: response.status, ...used };
    };
    await send('POST /api/shorten', { longUrl: 'https://example.com/', customCode: 'free-plan' });
    await send('POST /api/shorten/bulk', {
      longUrls: Array.from({ length: 50 }, (_, i) => `https://example.com/${i}`),
    });
    const rows = Array.from({ length: 50 }, (_, i) => ({
      line: i + 1,
      url: `https://example.com/${i}`,
      code: i === 0 ? 'free-plan' : `fp-${i}`,
      tags: ['a'],
    }));
    await send('POST /api/links/import', {
      format: 'csv',
      id: crypto.randomUUID(),
      collisions: 'suffix',
      rows,
    });
    await send('PATCH /api/links/free-plan', { longUrl: 'https://example.com/changed' });
    for (const path of [
      '/free-plan',
      '/unknown-code',
      '/free-plan+',
      '/api/me',
      '/api/my-urls',
      '/api/subscription',
      '/api/analytics/free-plan?range=30d',
      '/api/analytics/free-plan/export?range=30d&format=csv',
      '/api/account/export',
      '/api/account/links.csv',
      '/api/admin?action=stats',
      '/api/admin?action=users',
      '/api/admin?action=urls',
      '/api/admin/reports',
      '/api/admin/blocklist',
      '/blog',
      '/',
    ])
      await send(`GET ${path}`);
    await send('DELETE /api/links/free-plan');
    await send('DELETE /api/account', { confirm: 'delete my account', links: 'remove' }, leaver);
    console.log(
      Object.entries(seen)
        .map(([name, { queries, puts }]) => `${name}: ${queries} queries, ${puts} puts`)
        .join('\n'),
    );
    expect(Object.entries(seen).filter(([, { queries }]) => queries > MAX_QUERIES)).toEqual([]);
    expect(
      Object.entries(seen).filter(([, { status }]) => status >= 400 && status !== 404),
    ).toEqual([]);
    expect(seen['POST /api/shorten']?.puts).toBe(1);
    expect(seen['GET /free-plan']).toMatchObject({ status: 302, queries: 0 });
  });

  it.each([
    { attempts: 1, least: 8 },
    { attempts: 3, least: 35 },
  ])(
    'a batch of the queue makes at most 47 queries in delivery $attempts',
    async ({ attempts, least }) => {
      // This is the most expensive batch: visitors are stored for the day of the clicks, and the
      // link's owner has a webhook for clicks.
      const owner = await makePerson();
      await makeEndpoint(owner);
      const link = attempts * 1000;
      await makeLinks([link], owner.id);
      const click = makeClick(link, { k: 'visitor' });
      const { used, bindings } = counting();
      const messages = Array.from({ length: FREE_PLAN_BATCH }, (_, i) => ({
        id: String(i),
        timestamp: new Date(),
        attempts,
        body: makeWindow([click], `free-${attempts}-${i}`),
      }));
      await consumeBatch(createMessageBatch('hop-production-clicks', messages), bindings, click.t);
      console.log(`queries of a batch in delivery ${attempts}: ${used.queries}`);
      expect(used.queries).toBeGreaterThanOrEqual(least);
      expect(used.queries).toBeLessThanOrEqual(MAX_QUERIES);
    },
  );

  it('a click that is alone on its link writes at most 2 rows', async () => {
    await makeLinks([2]);
    const click = makeClick(2, { k: 'visitor' });
    const { rowsWritten, clicks } = await foldWindows(
      env.DB,
      [makeWindow([click], 'free-rows')],
      click.t,
    );
    console.log(`rows written by one click alone: ${rowsWritten}`);
    expect(clicks).toBe(1);
    expect(rowsWritten).toBeLessThanOrEqual(2);
  });
});
