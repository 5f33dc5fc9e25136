import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';

const page = (path: string, overrides: Partial<Env> = {}) =>
  call(path, { headers: { 'Sec-Fetch-Mode': 'navigate' } }, { ...builtAssets, ...overrides });

describe('files at the root that need no posts', () => {
  it('[T2] serves robots.txt, llms.txt, security.txt and the manifest', async () => {
    expect(await (await page('/llms.txt')).text()).toBe('http://localhost:8787/docs/api');
    expect(await (await page('/robots.txt')).text()).toBe(
      'User-agent: *\nAllow: /api/blog\nAllow: /api/card-pictures/\nDisallow: /api/\n\nSitemap: http://localhost:8787/sitemap.xml\n',
    );
    const security = await (
      await page('/.well-known/security.txt', { ABUSE_EMAIL: 'abuse@hop.example' })
    ).text();
    expect(security).toContain('Contact: mailto:abuse@hop.example\n');
    const unset = await page('/.well-known/security.txt', { ABUSE_EMAIL: '' });
    expect((await unset.text()).match(/^Contact: .*/gm)).toEqual([
      'Contact: http://localhost:8787/report',
    ]);
    expect(security).toContain('\nCanonical: http://localhost:8787/.well-known/security.txt\n');
    const expires = Date.parse(/Expires: (.*)/.exec(security)?.[1] ?? '');
    expect([expires % DAY_MS, Math.ceil((expires - Date.now()) / DAY_MS)]).toEqual([0, 180]);
    expect(await (await page('/manifest.webmanifest')).json()).toMatchObject({
      id: '/',
      name: 'Hop',
      scope: '/',
      start_url: '/',
      icons: expect.arrayContaining([expect.objectContaining({ purpose: 'maskable' })]),
      share_target: {
        action: '/',
        method: 'GET',
        params: { title: 'title', text: 'text', url: 'url' },
      },
      shortcuts: [{ name: 'New link' }, { name: 'My URLs' }, { name: 'Analytics' }],
    });
  });

  it('npm asks for the clients again, and the service worker loads nothing', async () => {
    const ASSETS = { ...builtAssets.ASSETS, fetch: async () => new Response('file') };
    for (const path of ['hop.tgz', 'hop.py', 'hop-chromium.zip', 'hop-firefox.zip'])
      expect((await page(`/cli/${path}`, { ASSETS })).headers.get('Cache-Control')).toBe(
        'no-cache',
      );
    const worker = await page('/sw.js', { ASSETS });
    expect(worker.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; connect-src 'self'",
    );
  });

  it('serves icons from the build, and 404 without HTML for missing files', async () => {
    const icon = await page('/favicon.svg');
    expect([icon.status, Object.fromEntries(icon.headers)]).toMatchObject([
      200,
      {
        etag: '"icon"',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=86400',
      },
    ]);
    const robots = await page('/robots.txt');
    expect(robots.headers.get('Cache-Control')).toBe('public, max-age=86400');
    for (const path of [
      '/social.png',
      '/.well-known/nothing',
      '/assets',
      '/assets/gone.js',
      '/cdn-cgi/x',
    ]) {
      const response = await page(path);
      expect([path, response.status, response.headers.get('Content-Type')]).toEqual([
        path,
        404,
        'text/plain; charset=utf-8',
      ]);
    }
    const index = await page('/index.html');
    expect([index.status, index.headers.get('Location')]).toEqual([302, 'http://localhost:8787/']);
    expect(index.headers.get('Cache-Control')).toBe('no-store');
  });
});
