import { describe, expect, it, vi } from 'vitest';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

const APP = 'https://app.hop.example';
const SHORT = 'https://hop.example';
const separateHosts = { ...builtAssets, APP_ORIGIN: APP, SHORT_ORIGIN: SHORT };
const SHORT_WINDOW = { CLICK_WINDOW_MS: '1' };

describe('APP_ORIGIN and SHORT_ORIGIN', () => {
  it('[A12] an origin may end with a slash, which no short link and no page repeats', async () => {
    const slashed = { ...builtAssets, APP_ORIGIN: `${APP}/`, SHORT_ORIGIN: `${SHORT}/` };
    const { headers } = await makePerson();
    const made = await call(
      `${APP}/api/shorten`,
      { json: { longUrl: 'https://example.com/', customCode: 'slash-12' }, headers },
      slashed,
    );
    expect(await made.json()).toMatchObject({ shortUrl: `${SHORT}/slash-12` });
    const missing = await (await call(`${SHORT}/nobody-has-this`, {}, slashed)).text();
    expect(missing).toContain(`href="${APP}/"`);
    expect(missing).not.toContain('.example//');
    expect(await (await call(`${APP}/sitemap.xml`, {}, slashed)).text()).not.toContain(
      '.example//',
    );
    expect((await call(`${SHORT}/pricing`, {}, slashed)).headers.get('Location')).toBe(
      `${APP}/pricing`,
    );
  });

  it.each([
    ['APP_ORIGIN', `${APP}/app`],
    ['APP_ORIGIN', `${APP}/?x=1`],
    ['APP_ORIGIN', `${APP}/#top`],
    ['APP_ORIGIN', 'https://admin@app.hop.example'],
    ['APP_ORIGIN', 'app.hop.example'],
    ['APP_ORIGIN', 'ftp://app.hop.example'],
    ['SHORT_ORIGIN', `${SHORT}/s`],
    ['SHORT_ORIGIN', 'javascript://hop.example'],
  ])('[A12] %s = %s fails with a log line, and links still redirect', async (name, value) => {
    const { headers } = await makePerson();
    const code = `bad-${crypto.randomUUID().slice(0, 8)}`;
    const body = { longUrl: 'https://example.com/on', customCode: code };
    expect((await call('/api/shorten', { json: body, headers })).status).toBe(201);
    const wrong = { ...separateHosts, ...SHORT_WINDOW, [name]: value };
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const statuses = [];
    for (const path of ['/api/blogs', '/', `/${code}+`]) {
      statuses.push((await call(APP + path, {}, wrong)).status);
      expect(log.mock.calls.flat().join('\n'), path).toContain(`${name} is`);
      expect(log).toHaveBeenCalledTimes(1);
      log.mockClear();
    }
    log.mockRestore();
    expect(statuses).toEqual([500, 503, 503]);
    const link = await call(`${SHORT}/${code}`, {}, wrong);
    expect([link.status, link.headers.get('Location')]).toEqual([302, 'https://example.com/on']);
  });
});

describe('a separate short host', () => {
  it.each([
    'http://hop.example',
    'https://hop.example:8443',
    'https://hop.example.',
    'http://hop.example:80',
  ])('[A12] a separate short host serves neither the app nor the API as %s', async (origin) => {
    for (const path of ['/api/health', '/api/auth/v1/settings', '/', '/dashboard']) {
      const response = await call(origin + path, {}, separateHosts);
      expect([301, 302, 404], `${path}: ${response.status}`).toContain(response.status);
      const location = response.headers.get('Location');
      if (location !== null) expect([APP + path, SHORT + path]).toContain(location);
    }
  });
});

describe('requests over http to a host that the settings name with https', () => {
  const oneHost = { ...builtAssets, ...SHORT_WINDOW, APP_ORIGIN: SHORT };

  it.each([
    '/',
    '/pricing?plan=premium',
    '/api/health',
    '/some-code?x=1',
    '/some-code+',
    '/robots.txt',
    '//evil.example',
  ])('[A12] redirects GET and HEAD of %s to https', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await call(`http://hop.example${path}`, { method }, oneHost);
      expect([response.status, response.headers.get('Location')]).toEqual([301, SHORT + path]);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
    }
  });

  it('[A12] rejects a write with a message', async () => {
    const body = { email: 'a@example.com', password: 'correct horse' };
    for (const path of ['/api/auth/v1/token?grant_type=password', '/api/shorten', '/some-code']) {
      const response = await call(`http://hop.example${path}`, { json: body }, oneHost);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        code: 'forbidden',
        error: expect.stringContaining('https'),
      });
    }
  });

  it('[A12] redirects each host to itself, and no other host', async () => {
    expect(
      (await call('http://app.hop.example/pricing', {}, separateHosts)).headers.get('Location'),
    ).toBe(`${APP}/pricing`);
    expect((await call('http://hop.example/abc', {}, separateHosts)).headers.get('Location')).toBe(
      `${SHORT}/abc`,
    );
    expect((await call('http://localhost:8787/api/health', {}, separateHosts)).status).toBe(200);
    expect((await call('http://other.example/api/health', {}, separateHosts)).status).toBe(421);
    expect(
      (
        await call(
          'http://hop.example/api/health',
          {},
          { ...builtAssets, APP_ORIGIN: 'http://hop.example' },
        )
      ).status,
    ).toBe(200);
  });
});
