import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';

const ads = { ADS_CLIENT: 'ca-pub-1' };
const policyOf = (response: Response): string => response.headers.get('Content-Security-Policy') ?? '';

describe('GET /ads/frame', () => {
  it('[T35] runs the configured network in an opaque origin, with a new nonce each time', async () => {
    const response = await call('/ads/frame', {}, ads);
    expect(response.status).toBe(200);
    expect(policyOf(response)).toMatch(/^sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none';/);
    expect(policyOf(response)).toMatch(/; frame-ancestors 'self'$/);
    expect(policyOf(response)).not.toContain('allow-same-origin');
    expect(policyOf(response)).not.toMatch(/(script|connect|img|frame)-src[^;]*'self'/);
    expect(response.headers.get('Referrer-Policy')).toBe('strict-origin');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(await response.text()).toContain('adsbygoogle.js?client=ca-pub-1"');
    expect(policyOf(await call('/ads/frame', {}, ads))).not.toBe(policyOf(response));
  });

  it('returns 404 without a configured network, and for other paths', async () => {
    expect((await call('/ads/frame', {}, { ADS_CLIENT: '' })).status).toBe(404);
    for (const path of ['/ads', '/ads/', '/ads/other']) expect((await call(path, {}, ads)).status).toBe(404);
  });

  it('escapes a client id that contains markup', async () => {
    const html = await (await call('/ads/frame', {}, { ADS_CLIENT: '"><script>alert(1)</script>' })).text();
    expect(html).not.toContain('<script>');
  });

  it('returns 404 on a separate short host', async () => {
    const separateHosts = { ...ads, APP_ORIGIN: 'https://app.hop.example', SHORT_ORIGIN: 'https://hop.example' };
    expect((await call('https://hop.example/ads/frame', {}, separateHosts)).status).toBe(404);
  });
});
