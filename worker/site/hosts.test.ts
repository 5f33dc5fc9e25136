import { describe, expect, it } from 'vitest';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';

const APP = 'https://app.hop.example';
const SHORT = 'https://hop.example';
const separateHosts = { ...builtAssets, APP_ORIGIN: APP, SHORT_ORIGIN: SHORT };

describe('[T3] a separate short host', () => {
  it.each([
    '/',
    '/auth',
    '/dashboard',
    '/analytics/abc',
    '/blog/hello',
    '/sitemap.xml',
    '/social.png',
    '/index.html',
    '/.well-known/security.txt',
  ])('[T3] redirects %s to the app', async (path) => {
    const response = await call(`${SHORT}${path}?next=//evil.example`, {}, separateHosts);
    expect([response.status, response.headers.get('Location')]).toEqual([302, APP + path]);
    expect(await response.text()).toBe('');
  });

  it.each(['/api/health', '/api/me', '/api/auth/v1/settings', '/dev/mailbox', '/assets', '/.well-known/jwks.json'])(
    '[T3] returns 404 for %s',
    async (path) => {
      const response = await call(SHORT + path, {}, separateHosts);
      expect(response.status).toBe(404);
      expect(response.headers.get('Set-Cookie')).toBeNull();
    },
  );

  it('serves the icon of its error pages, which link to the app', async () => {
    expect((await call(`${SHORT}/favicon.svg`, {}, separateHosts)).status).toBe(200);
    const page = await call(`${SHORT}/nobody-has-this`, { headers: { 'Sec-Fetch-Mode': 'navigate' } }, separateHosts);
    expect(page.status).toBe(404);
    const html = await page.text();
    expect(html).toContain(`href="${APP}/"`);
    expect(html).toContain('<link rel="icon" href="/favicon.svg">');
    expect(page.headers.get('Content-Security-Policy')).toContain("img-src 'self'");
  });

  it('[T3] has its own robots.txt and accepts no writes', async () => {
    expect(await (await call(`${SHORT}/robots.txt`, {}, separateHosts)).text()).toBe('User-agent: *\nDisallow:\n');
    expect((await call(`${SHORT}/api/shorten`, { json: { longUrl: 'https://example.com' } }, separateHosts)).status).toBe(405);
  });

  it('leaves the app and the API to the app host', async () => {
    expect((await call(`${APP}/api/health`, {}, separateHosts)).status).toBe(200);
    expect((await call(`${APP}/`, {}, separateHosts)).status).toBe(200);
  });

  it('[T3] is distinguished by its port if both settings name one host', async () => {
    const ports = { ...builtAssets, APP_ORIGIN: 'https://hop.example', SHORT_ORIGIN: 'https://hop.example:8443' };
    expect((await call('https://hop.example/api/health', {}, ports)).status).toBe(200);
    expect((await call('https://hop.example:8443/api/health', {}, ports)).status).toBe(404);
  });

  it('is not separate if SHORT_ORIGIN is empty or equals APP_ORIGIN', async () => {
    for (const short of ['', APP]) {
      expect((await call(`${APP}/`, {}, { ...separateHosts, SHORT_ORIGIN: short })).status).toBe(200);
      expect((await call(`${APP}/api/health`, {}, { ...separateHosts, SHORT_ORIGIN: short })).status).toBe(200);
    }
  });
});

describe('a forged host', () => {
  it('[T32] is in no short URL, redirect or preview', async () => {
    const overrides = { ...builtAssets, APP_ORIGIN: APP, SHORT_ORIGIN: SHORT };
    const init = {
      json: { longUrl: 'https://example.com/forged' },
      headers: { ...forged, 'CF-Connecting-IP': '2001:db8:77::1' },
    };
    const made = await call('https://evil.example/api/shorten', init, overrides);
    expect(made.status).toBe(201);
    const { shortUrl, code } = await made.json<{ shortUrl: string; code: string }>();
    expect(shortUrl).toBe(`${SHORT}/${code}`);
    const redirect = await call(`https://evil.example/${code}`, { headers: forged }, overrides);
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([302, 'https://example.com/forged']);
    const preview = await call(`https://evil.example/${code}+`, { headers: forged }, overrides);
    expect(await preview.text()).not.toContain('evil.example');
  });

  const forged = {
    Host: 'evil.example',
    'X-Forwarded-Host': 'evil.example',
    'X-Original-URL': '/evil',
    Forwarded: 'host=evil.example',
  };

  it.each([
    '/',
    '/pricing',
    '/blog/none',
    '/robots.txt',
    '/sitemap.xml',
    '/feed.xml',
    '/manifest.webmanifest',
    '/.well-known/security.txt',
    '/index.html',
  ])('[T32] is not in the response to %s', async (path) => {
    for (const origin of ['https://evil.example', 'http://evil.example:8080', APP]) {
      const response = await call(origin + path, { headers: forged }, { ...builtAssets, APP_ORIGIN: APP });
      const text = (await response.text()) + JSON.stringify([...response.headers]);
      expect(text).not.toContain('evil');
    }
  });
});
