import { describe, expect, it } from 'vitest';
import { AD_PLACES, PAGES } from '#contract/pages/paths.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';

const NETWORK = /googlesyndication|doubleclick|adtrafficquality|google\.com|ca-pub/;
const ADS = {
  ADS_CLIENT: 'ca-pub-1',
  ADS_SLOT_HOME: '11',
  ADS_SLOT_RESULT: '22',
  ADS_SLOT_ANALYTICS: '33',
};
const embedded = { SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '' };

describe('the ad network', () => {
  it('[A16] no page of the application contains the ad network', async () => {
    for (const pattern of PAGES) {
      const path = pattern.replace(':code', 'abc').replace(':slug', 'hello');
      const response = await call(path, {}, { ...builtAssets, ...embedded, ...ADS });
      expect(response.headers.get('Content-Security-Policy'), path).toContain("default-src 'self'");
      expect(response.headers.get('Content-Security-Policy'), path).not.toMatch(NETWORK);
      expect(await response.text(), path).not.toMatch(NETWORK);
    }
  });

  it('[A16] the ad network runs in a document with an opaque origin', async () => {
    for (const place of AD_PLACES) {
      const response = await call(`/ads/frame/${place}`, {}, ADS);
      expect(response.status).toBe(200);
      const policy = response.headers.get('Content-Security-Policy') ?? '';
      expect(policy).toMatch(/^sandbox /);
      expect(policy).not.toMatch(/allow-same-origin|allow-top-navigation|allow-forms/);
    }
  });
});
