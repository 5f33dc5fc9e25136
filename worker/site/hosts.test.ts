import { describe, expect, test } from 'vitest';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';

const APP = 'https://app.hop.example';
const SHORT = 'https://hop.example';
const apart = { ...builtAssets, APP_ORIGIN: APP, SHORT_ORIGIN: SHORT };

describe('a short host of its own (threat 3)', () => {
  test.each([
    '/',
    '/auth',
    '/dashboard',
    '/analytics/abc',
    '/blog/hello',
    '/sitemap.xml',
    '/social.png',
    '/index.html',
    '/.well-known/security.txt',
  ])('sends %s to the app', async (path) => {
    const response = await call(`${SHORT}${path}?next=//evil.example`, {}, apart);
    expect([response.status, response.headers.get('Location')]).toEqual([302, APP + path]);
    expect(await response.text()).toBe('');
  });

  test.each(['/api/health', '/api/me', '/api/auth/v1/settings', '/dev/mailbox', '/assets', '/.well-known/jwks.json'])(
    'has no %s',
    async (path) => {
      const response = await call(SHORT + path, {}, apart);
      expect(response.status).toBe(404);
      expect(response.headers.get('Set-Cookie')).toBeNull();
    },
  );

  test('has the icon that its own small pages name, and links from them to the app', async () => {
    expect((await call(`${SHORT}/favicon.svg`, {}, apart)).status).toBe(200);
    const page = await call(`${SHORT}/nobody-has-this`, { headers: { 'Sec-Fetch-Mode': 'navigate' } }, apart);
    expect(page.status).toBe(404);
    const html = await page.text();
    expect(html).toContain(`href="${APP}/"`);
    expect(html).toContain('<link rel="icon" href="/favicon.svg">');
    expect(page.headers.get('Content-Security-Policy')).toContain("img-src 'self'");
  });

  test('has robots of its own, and takes no writes', async () => {
    expect(await (await call(`${SHORT}/robots.txt`, {}, apart)).text()).toBe('User-agent: *\nDisallow:\n');
    expect((await call(`${SHORT}/api/shorten`, { json: { longUrl: 'https://example.com' } }, apart)).status).toBe(405);
  });

  test('the app host keeps both', async () => {
    expect((await call(`${APP}/api/health`, {}, apart)).status).toBe(200);
    expect((await call(`${APP}/`, {}, apart)).status).toBe(200);
  });

  test('is told from the app by its port where both are one host', async () => {
    const ports = { ...builtAssets, APP_ORIGIN: 'https://hop.example', SHORT_ORIGIN: 'https://hop.example:8443' };
    expect((await call('https://hop.example/api/health', {}, ports)).status).toBe(200);
    expect((await call('https://hop.example:8443/api/health', {}, ports)).status).toBe(404);
  });

  test('one host for both serves both', async () => {
    for (const short of ['', APP]) {
      expect((await call(`${APP}/`, {}, { ...apart, SHORT_ORIGIN: short })).status).toBe(200);
      expect((await call(`${APP}/api/health`, {}, { ...apart, SHORT_ORIGIN: short })).status).toBe(200);
    }
  });
});

describe('a forged host (threat 32)', () => {
  test('never gets into a new short link, wherever its redirect is asked', async () => {
    const overrides = { ...builtAssets, APP_ORIGIN: APP, SHORT_ORIGIN: SHORT };
    const init = {
      json: { longUrl: 'https://example.com/forged' },
      headers: { ...forged, 'CF-Connecting-IP': '2001:db8:77::1' },
    };
    const made = await call('https://evil.example/api/shorten', init, overrides);
    expect(made.status).toBe(201);
    const { shortUrl, code } = await made.json<{ shortUrl: string; code: string }>();
    expect(shortUrl).toBe(`${SHORT}/${code}`);
    const moved = await call(`https://evil.example/${code}`, { headers: forged }, overrides);
    expect([moved.status, moved.headers.get('Location')]).toEqual([302, 'https://example.com/forged']);
    const preview = await call(`https://evil.example/${code}+`, { headers: forged }, overrides);
    expect(await preview.text()).not.toContain('evil.example');
  });

  const forged = {
    Host: 'evil.example',
    'X-Forwarded-Host': 'evil.example',
    'X-Original-URL': '/evil',
    Forwarded: 'host=evil.example',
  };

  test.each([
    '/',
    '/pricing',
    '/blog/none',
    '/robots.txt',
    '/sitemap.xml',
    '/feed.xml',
    '/manifest.webmanifest',
    '/.well-known/security.txt',
    '/index.html',
  ])('never gets into %s', async (path) => {
    for (const origin of ['https://evil.example', 'http://evil.example:8080', APP]) {
      const response = await call(origin + path, { headers: forged }, { ...builtAssets, APP_ORIGIN: APP });
      const told = (await response.text()) + JSON.stringify([...response.headers]);
      expect(told).not.toContain('evil');
    }
  });
});
