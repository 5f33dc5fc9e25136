import { expect, test } from 'vitest';
import { PAGES } from '#contract/paths.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';

const NETWORK = /googlesyndication|doubleclick|adtrafficquality|google\.com|ca-pub/;
const embedded = { SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '' };

test('[A16] no document with a member in reach lets the ad network in', async () => {
  for (const pattern of PAGES) {
    const path = pattern.replace(':code', 'abc').replace(':slug', 'hello');
    const response = await call(path, {}, { ...builtAssets, ...embedded, ADS_CLIENT: 'ca-pub-1' });
    expect(response.headers.get('Content-Security-Policy'), path).toContain("default-src 'self'");
    expect(response.headers.get('Content-Security-Policy'), path).not.toMatch(NETWORK);
    expect(await response.text(), path).not.toMatch(NETWORK);
  }
});

test('[A16] the document of the ad network has no origin, wherever it is opened', async () => {
  const response = await call('/ads/frame', {}, { ADS_CLIENT: 'ca-pub-1' });
  expect(response.status).toBe(200);
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  expect(policy).toMatch(/^sandbox /);
  expect(policy).not.toMatch(/allow-same-origin|allow-top-navigation|allow-forms/);
});
