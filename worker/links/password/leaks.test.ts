import { env } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { CreatedSharedReport } from '#contract/reports/shared-reports.ts';
import type { V1Link } from '#contract/v1/v1.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';

const SECRET = 'secret.example';
const FORM = 'application/x-www-form-urlencoded';

const everything = async (response: Response): Promise<string> =>
  (await response.text()) + JSON.stringify([...response.headers]);

it('[T73] no answer to a stranger says where a link with a password leads', async () => {
  const holder = await makeKey({ person: await makePerson({ plan: 'premium' }) });
  const stranger = await makeKey();
  const { headers } = holder.person;
  const code = `Former-${crypto.randomUUID().slice(0, 8)}`;
  const json = {
    url: `https://${SECRET}/page`,
    code,
    password: 'open sesame',
    fallbackUrl: `https://${SECRET}/after`,
    rules: [{ if: { country: ['BR'] }, to: `https://${SECRET}/br` }],
    variants: [{ url: `https://${SECRET}/b`, weight: 20 }],
    tags: ['leaks'],
  };
  const created = await send(holder, 'POST /links', { json });
  const { id } = await created.json<V1Link>();
  const renamed = `New-${code}`;
  await send(holder, `PATCH /links/${id}`, { json: { code: renamed } });
  const row = await env.DB.prepare('SELECT id FROM links WHERE code = ?').bind(renamed).first('id');
  const yesterday = Date.now() - 24 * 3_600_000;
  const clicks = Array.from({ length: 9 }, (_, at) =>
    makeClick(Number(row), { t: yesterday + at }),
  );
  await foldWindows(env.DB, [makeWindow(clicks)], Date.now());

  const asked: [string, RequestInit & { json?: object }][] = [renamed, code].flatMap((of) => [
    [`/${of}`, { headers: { Accept: 'application/json' } }],
    [`/${of}+`, { headers: { Accept: 'application/json' } }],
    [`/${of}`, { headers: { Accept: 'text/html' } }],
    [`/${of}+`, { headers: { Accept: 'text/html' } }],
    [`/${of}/`, { headers: { Accept: 'text/html' } }],
    [`/${of}?a=1`, { headers: { Accept: 'text/html' } }],
    [`/${of}/x`, { headers: { Accept: 'text/html' } }],
    [`/${of}`, { method: 'HEAD' }],
    [`/${of}`, { method: 'OPTIONS' }],
    [`/${of}`, { method: 'POST' }],
    [`/${of}`, { method: 'POST', headers: { 'Content-Type': FORM } }],
    [`/${of}`, { method: 'POST', headers: { 'Content-Type': FORM }, body: 'password=x' }],
    [`/${of}`, { method: 'PUT', body: 'password=open%20sesame' }],
    [`/${of}`, { headers: { 'User-Agent': 'Twitterbot/1.0' } }],
    [`/${of}`, { headers: { 'Sec-Purpose': 'prefetch' } }],
    [`/${of.toUpperCase()}`, { headers: { Accept: 'text/html' } }],
    [`/api/qr/${of}`, {}],
    [`/report?link=${of}`, { headers: { Accept: 'text/html' } }],
    [
      '/api/reports',
      { json: { link: of, category: 'spam', details: 'It is spam, I think.', email: '' } },
    ],
    [`/api/links/${of}`, { headers: stranger.person.headers }],
    [`/api/links/${of}/history`, { headers: stranger.person.headers }],
  ]);
  const open = new Set<number>();
  for (const [path, init] of asked) {
    const response = await call(path, init, { LINK_MEMORY_MS: '0' });
    open.add(response.status);
    expect(response.headers.has('Location'), `${init.method} ${path}`).toBe(false);
    expect(await everything(response), `${init.method} ${path}`).not.toContain(SECRET);
  }
  // The page that asks, a wrong password, unknown codes and other methods.
  for (const status of [200, 403, 404, 405]) expect([...open]).toContain(status);
  for (const path of [`GET /links/${id}`, `GET /links/${id}/history`, `GET /links?q=${SECRET}`])
    expect(await everything(await send(stranger, path)), path).not.toContain(SECRET);

  const tags = await call('/api/tags', { headers });
  const [tag] = (await tags.json<{ tags: { id: number }[] }>()).tags;
  const parts = ['shortUrls', 'destinations', 'links', 'variants', 'countries'];
  const rest = { title: 'T', parts, period: '30d', expiresAt: null, password: null };
  for (const subject of [{ code: renamed }, { tagId: tag?.id }]) {
    const shared = await call('/api/shared-reports', { json: { ...rest, ...subject }, headers });
    const { address } = await shared.json<CreatedSharedReport>();
    const secret = new URL(address).hash.slice(1);
    const opened = await call('/api/shared-report', { json: { secret } });
    const text = await everything(opened);
    expect(opened.status).toBe(200);
    expect(text).toContain(renamed);
    expect(text).not.toContain(SECRET);
  }
});
