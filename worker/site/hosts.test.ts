import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';

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
    '/cli',
    '/cli/hop.py',
    '/.well-known/security.txt',
  ])('[T3] redirects %s to the app', async (path) => {
    const response = await call(`${SHORT}${path}?next=//evil.example`, {}, separateHosts);
    expect([response.status, response.headers.get('Location')]).toEqual([302, APP + path]);
    expect(await response.text()).toBe('');
  });

  it.each([
    '/api/health',
    '/api/me',
    '/api/auth/v1/settings',
    '/dev/mailbox',
    '/assets',
    '/.well-known/jwks.json',
  ])('[T3] returns 404 for %s', async (path) => {
    const response = await call(SHORT + path, {}, separateHosts);
    expect(response.status).toBe(404);
    expect(response.headers.get('Set-Cookie')).toBeNull();
  });

  it('the short host serves the icon of its error pages, which link to the app', async () => {
    const ASSETS = { ...builtAssets.ASSETS, fetch: async () => new Response('icon') };
    for (const icon of ['favicon.svg', 'favicon.ico', 'apple-touch-icon.png'])
      expect((await call(`${SHORT}/${icon}`, {}, { ...separateHosts, ASSETS })).status).toBe(200);
    const page = await call(
      `${SHORT}/nobody-has-this`,
      { headers: { 'Sec-Fetch-Mode': 'navigate' } },
      separateHosts,
    );
    expect(page.status).toBe(404);
    const html = await page.text();
    expect(html).toContain(`href="${APP}/"`);
    expect(html).toContain('<link rel="icon" href="/favicon.svg">');
    expect(page.headers.get('Content-Security-Policy')).toContain("img-src 'self'");
  });

  it('[T3] the short host has its own robots.txt and accepts no writes', async () => {
    expect(await (await call(`${SHORT}/robots.txt`, {}, separateHosts)).text()).toBe(
      'User-agent: *\nDisallow:\n',
    );
    expect(
      (
        await call(
          `${SHORT}/api/shorten`,
          { json: { longUrl: 'https://example.com' } },
          separateHosts,
        )
      ).status,
    ).toBe(405);
  });

  it('the short host leaves the app and the API to the app host', async () => {
    expect((await call(`${APP}/api/health`, {}, separateHosts)).status).toBe(200);
    expect((await call(`${APP}/`, {}, separateHosts)).status).toBe(200);
  });

  it('[T3] the port distinguishes the short host if both settings name one host', async () => {
    const ports = {
      ...builtAssets,
      APP_ORIGIN: 'https://hop.example',
      SHORT_ORIGIN: 'https://hop.example:8443',
    };
    expect((await call('https://hop.example/api/health', {}, ports)).status).toBe(200);
    expect((await call('https://hop.example:8443/api/health', {}, ports)).status).toBe(404);
  });

  it('the short host is not separate if SHORT_ORIGIN is empty or equals APP_ORIGIN', async () => {
    for (const short of ['', APP]) {
      expect((await call(`${APP}/`, {}, { ...separateHosts, SHORT_ORIGIN: short })).status).toBe(
        200,
      );
      expect(
        (await call(`${APP}/api/health`, {}, { ...separateHosts, SHORT_ORIGIN: short })).status,
      ).toBe(200);
    }
  });
});

describe('a host that is none of ours', () => {
  const FORGED = [
    'https://evil.example',
    'http://evil.example:8080',
    'https://hop.example.evil.example',
    'https://www.hop.example',
  ];
  const overrides = { ...builtAssets, APP_ORIGIN: APP, SHORT_ORIGIN: SHORT };
  const forged = {
    Host: 'evil.example',
    'X-Forwarded-Host': 'evil.example',
    'X-Original-URL': '/evil',
    Forwarded: 'host=evil.example',
  };
  const PAGES = [
    '/',
    '/pricing',
    '/blog/none',
    '/robots.txt',
    '/sitemap.xml',
    '/feed.xml',
    '/manifest.webmanifest',
    '/index.html',
  ];
  const API = [
    '/api',
    '/api/health',
    '/api/ready',
    '/api/me',
    '/api/v1/links',
    '/api/v1/openapi.json',
    '/api/mcp',
    '/api?x=1',
  ];

  it.each([
    ...PAGES,
    '/.well-known/security.txt',
    '/dev/mailbox',
    '/abcdefg',
    '/abcdefg+',
    '//evil',
    '/qr/abc',
  ])('[T49] a host that is not ours gets a sentence with 421 for %s', async (path) => {
    for (const origin of FORGED) {
      const response = await call(
        origin + path,
        { headers: { ...forged, 'Sec-Fetch-Mode': 'navigate' } },
        overrides,
      );
      expect([response.status, response.headers.get('Content-Type')]).toEqual([
        421,
        'text/plain; charset=utf-8',
      ]);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      const text = await response.text();
      expect(text).toBe('This address does not belong to this site. Check how it is spelled.\n');
      expect(text + JSON.stringify([...response.headers])).not.toContain('evil');
    }
  });

  it.each(API)('[T49] a host that is not ours gets JSON with 421 for %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const response = await call(FORGED[0] + path, { method, headers: forged }, overrides);
      expect(response.status).toBe(421);
      expect(await response.json()).toMatchObject({
        code: 'misdirected',
        requestId: expect.any(String),
      });
    }
  });

  it('[T49] a host that is not ours causes no lookup, and finds no remembered link', async () => {
    const made = await call(
      `${APP}/api/shorten`,
      { json: { longUrl: 'https://example.com/forged' } },
      overrides,
    );
    const { shortUrl, code } = await made.json<{ shortUrl: string; code: string }>();
    expect(shortUrl).toBe(`${SHORT}/${code}`);
    const remembering = { ...overrides, LINK_MEMORY_MS: '5000' };
    expect((await call(`${SHORT}/${code}`, {}, remembering)).status).toBe(302);
    const unused = () => Promise.reject(new Error('This binding must not be used.'));
    const LINKS = withMethods(env.LINKS, { get: unused, getWithMetadata: unused, put: unused });
    const ASSETS = withMethods(env.ASSETS, { fetch: unused });
    const withoutStorage = { ...remembering, DB: UNTOUCHABLE_DB, LINKS, ASSETS };
    // The memory answers without storage.
    expect((await call(`${SHORT}/${code}`, {}, withoutStorage)).status).toBe(302);
    for (const origin of FORGED)
      for (const path of [`/${code}`, `/${code}+`, `/${code}?qr=1`, '/api/health', '/'])
        expect(
          (await call(origin + path, { headers: forged }, withoutStorage)).status,
          origin + path,
        ).toBe(421);
  });

  it('[T49] a host that is not ours tells what to set where APP_ORIGIN is missing', async () => {
    const response = await call('https://somewhere.example/', {}, { APP_ORIGIN: '' });
    expect([response.status, await response.text()]).toEqual([
      421,
      expect.stringContaining('APP_ORIGIN'),
    ]);
  });

  it('[T32] no short URL has a host that another header names', async () => {
    const init = {
      json: { longUrl: 'https://example.com/forged' },
      headers: { ...forged, 'CF-Connecting-IP': '2001:db8:77::1' },
    };
    const made = await call(`${APP}/api/shorten`, init, overrides);
    const { shortUrl, code } = await made.json<{ shortUrl: string; code: string }>();
    expect(shortUrl).toBe(`${SHORT}/${code}`);
    expect(
      await (await call(`${SHORT}/${code}+`, { headers: forged }, overrides)).text(),
    ).not.toContain('evil.example');
  });

  it.each([...PAGES, '/.well-known/security.txt'])(
    '[T32] the response to %s has no forged host',
    async (path) => {
      const response = await call(
        APP + path,
        { headers: forged },
        { ...builtAssets, APP_ORIGIN: APP },
      );
      const text = (await response.text()) + JSON.stringify([...response.headers]);
      expect(text).not.toContain('evil');
    },
  );

  it('a host is served once EXTRA_HOSTS names it, with the deployment’s short URLs', async () => {
    const moved = { ...overrides, SHORT_ORIGIN: '', EXTRA_HOSTS: 'old.example' };
    const made = await call(
      'https://old.example/api/shorten',
      { json: { longUrl: 'https://example.com/moved' } },
      moved,
    );
    const { shortUrl, code } = await made.json<{ shortUrl: string; code: string }>();
    expect(shortUrl).toBe(`${APP}/${code}`);
    const json = { longUrl: 'https://old.example/no-loop' };
    expect((await call(`${APP}/api/shorten`, { json }, moved)).status).toBe(400);
    const redirect = await call(`https://old.example/${code}`, {}, moved);
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([
      302,
      'https://example.com/moved',
    ]);
  });

  it('[T3] an extra host serves short links only, where a separate host is set', async () => {
    const moved = { ...overrides, EXTRA_HOSTS: 'old.example' };
    const made = await call(
      `${APP}/api/shorten`,
      { json: { longUrl: 'https://example.com/moved' } },
      moved,
    );
    const { code } = await made.json<{ code: string }>();
    expect((await call(`https://old.example/${code}`, {}, moved)).status).toBe(302);
    expect((await call('https://old.example/api/health', {}, moved)).status).toBe(404);
    expect(
      (await call('https://old.example/dashboard', {}, { ...builtAssets, ...moved })).status,
    ).not.toBe(200);
  });
});
