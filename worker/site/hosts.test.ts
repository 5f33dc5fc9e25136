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
    '/favicon.ico',
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

  test('has robots of its own, and takes no writes', async () => {
    expect(await (await call(`${SHORT}/robots.txt`, {}, apart)).text()).toBe('User-agent: *\nDisallow:\n');
    expect((await call(`${SHORT}/api/shorten`, { json: { longUrl: 'https://example.com' } }, apart)).status).toBe(405);
  });

  test('the app host keeps both', async () => {
    expect((await call(`${APP}/api/health`, {}, apart)).status).toBe(200);
    expect((await call(`${APP}/`, {}, apart)).status).toBe(200);
  });

  test('one host for both serves both', async () => {
    for (const short of ['', APP]) {
      expect((await call(`${APP}/`, {}, { ...apart, SHORT_ORIGIN: short })).status).toBe(200);
      expect((await call(`${APP}/api/health`, {}, { ...apart, SHORT_ORIGIN: short })).status).toBe(200);
    }
  });
});

describe('a forged host (threat 32)', () => {
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
