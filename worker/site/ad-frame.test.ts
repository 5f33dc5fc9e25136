import { describe, expect, it } from 'vitest';
import { AD_PLACES } from '#contract/pages/paths.ts';
import { call } from '#worker/testing/call.ts';

const ADS = {
  ADS_CLIENT: 'ca-pub-1',
  ADS_SLOT_HOME: '11',
  ADS_SLOT_RESULT: '22',
  ADS_SLOT_ANALYTICS: '33',
};
const policyOf = (response: Response): string =>
  response.headers.get('Content-Security-Policy') ?? '';

describe('GET /ads/frame/{place}', () => {
  it('[T35] runs the configured network in an opaque origin, with a new nonce each time', async () => {
    const response = await call('/ads/frame/home', {}, ADS);
    expect(response.status).toBe(200);
    expect(policyOf(response)).toMatch(
      /^sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none';/,
    );
    expect(policyOf(response)).toMatch(
      /; base-uri 'none'; form-action 'none'; frame-ancestors 'self'$/,
    );
    expect(policyOf(response)).not.toContain('allow-same-origin');
    expect(policyOf(response)).not.toMatch(/(script|connect|img|frame)-src[^;]*'self'/);
    expect(response.headers.get('Referrer-Policy')).toBe('strict-origin');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    // A nonce of a stored page would allow an old script.
    expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    expect(response.headers.get('X-Robots-Tag')).toBe('noindex');
    expect(await response.text()).toContain('adsbygoogle.js?client=ca-pub-1"');
    expect(policyOf(await call('/ads/frame/home', {}, ADS))).not.toBe(policyOf(response));
  });

  it('the frame has the client id and the ad unit of its place', async () => {
    const units = await Promise.all(
      AD_PLACES.map(async (place) => {
        const html = await (await call(`/ads/frame/${place}`, {}, ADS)).text();
        return /<ins [^>]*data-ad-client="([^"]*)" data-ad-slot="([^"]*)"/.exec(html)?.slice(1);
      }),
    );
    expect(units).toEqual([
      ['ca-pub-1', '11'],
      ['ca-pub-1', '22'],
      ['ca-pub-1', '33'],
    ]);
  });

  it('returns 404 without a network, without an ad unit, and for other paths', async () => {
    expect((await call('/ads/frame/home', {}, { ...ADS, ADS_CLIENT: '' })).status).toBe(404);
    expect((await call('/ads/frame/home', {}, { ...ADS, ADS_SLOT_HOME: '' })).status).toBe(404);
    expect((await call('/ads/frame/result', {}, { ...ADS, ADS_SLOT_HOME: '' })).status).toBe(200);
    for (const path of ['/ads', '/ads/', '/ads/frame', '/ads/frame/', '/ads/frame/other'])
      expect((await call(path, {}, ADS)).status).toBe(404);
  });

  it('returns 404 for ids that the network does not have', async () => {
    for (const ADS_CLIENT of ['"><script>alert(1)</script>', 'pub-1', 'ca-pub-1\nx', ' ca-pub-1'])
      expect((await call('/ads/frame/home', {}, { ...ADS, ADS_CLIENT })).status).toBe(404);
    for (const ADS_SLOT_HOME of ['"><script>', '12a', ' 12'])
      expect((await call('/ads/frame/home', {}, { ...ADS, ADS_SLOT_HOME })).status).toBe(404);
  });

  it('returns 404 on a separate short host', async () => {
    const separateHosts = {
      ...ADS,
      APP_ORIGIN: 'https://app.hop.example',
      SHORT_ORIGIN: 'https://hop.example',
    };
    expect((await call('https://hop.example/ads/frame/home', {}, separateHosts)).status).toBe(404);
  });
});

describe('GET /ads.txt', () => {
  it('ads.txt names the account at the network, also before it has ad units', async () => {
    const response = await call('/ads.txt', {}, { ADS_CLIENT: 'ca-pub-1234567890123456' });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ]);
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600');
    expect(await response.text()).toBe(
      'google.com, pub-1234567890123456, DIRECT, f08c47fec0942fa0\n',
    );
  });

  it('ads.txt is a 404 that says why without a network', async () => {
    for (const ADS_CLIENT of ['', 'nonsense']) {
      const response = await call('/ads.txt', {}, { ADS_CLIENT });
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('shows no ads of a network');
    }
  });

  it('redirects from a separate short host to the application', async () => {
    const separateHosts = {
      ...ADS,
      APP_ORIGIN: 'https://app.hop.example',
      SHORT_ORIGIN: 'https://hop.example',
    };
    const response = await call('https://hop.example/ads.txt', {}, separateHosts);
    expect([response.status, response.headers.get('Location')]).toEqual([
      302,
      'https://app.hop.example/ads.txt',
    ]);
  });
});
