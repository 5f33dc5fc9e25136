import { createMessageBatch, env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { FREE_PLAN_BATCH } from '#contract/limits.ts';
import { consumeBatch } from '#worker/clicks/consume-batch.ts';
import { foldWindows } from '#worker/clicks/fold-windows.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/testing/faults.ts';
import { makePerson } from '#worker/testing/make.ts';

/** The free plan allows 50 D1 queries per invocation. */
const MAX_QUERIES = 45;

/** The real bindings, counting the statements of D1 and the values written to KV. */
function counting() {
  const used = { queries: 0, puts: 0 };
  const DB = withMethods(env.DB, { prepare: (query: string) => (used.queries++, env.DB.prepare(query)) });
  const LINKS = withMethods(env.LINKS, {
    put: (...args: Parameters<KVNamespace['put']>) => (used.puts++, env.LINKS.put(...args)),
  });
  return { used, bindings: { DB, LINKS, BILLING: 'demo' } };
}

describe('on the free plan', () => {
  it('no request makes more than 45 queries, and a new link is one write to KV', async () => {
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
    await send('POST /api/shorten/bulk', { longUrls: Array.from({ length: 50 }, (_, i) => `https://example.com/${i}`) });
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
    expect(Object.entries(seen).filter(([, { status }]) => status >= 400 && status !== 404)).toEqual([]);
    expect(seen['POST /api/shorten']?.puts).toBe(1);
    expect(seen['GET /free-plan']).toMatchObject({ status: 302, queries: 0 });
  });

  it.each([1, 3])('a batch of the queue makes no more than 45 queries in delivery %i', async (attempts) => {
    await makeLinks([1]);
    const { used, bindings } = counting();
    const messages = Array.from({ length: FREE_PLAN_BATCH }, (_, i) => ({
      id: String(i),
      timestamp: new Date(),
      attempts,
      body: i === 0 ? 'unreadable' : makeWindow([makeClick(1)], `free-${attempts}-${i}`),
    }));
    await consumeBatch(createMessageBatch('hop-production-clicks', messages), bindings);
    console.log(`queries of a batch in delivery ${attempts}: ${used.queries}`);
    expect(used.queries).toBeGreaterThanOrEqual(attempts === 1 ? 5 : 20);
    expect(used.queries).toBeLessThanOrEqual(MAX_QUERIES);
  });

  it('a click on a link of its own writes at most 14 rows', async () => {
    await makeLinks([2]);
    const { rowsWritten, clicks } = await foldWindows(env.DB, [makeWindow([makeClick(2)], 'free-rows')], Date.now());
    console.log(`rows written by one click alone: ${rowsWritten}`);
    expect(clicks).toBe(1);
    expect(rowsWritten).toBeLessThanOrEqual(14);
  });
});
