import { env } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { assetKey } from '#contract/pages/release-assets.ts';
import { call } from '#worker/testing/call.ts';

const NAME = 'index-C3x_9dQw.js';

it('serves a file of another release, with the headers of the present files', async () => {
  await env.LINKS.put(assetKey(NAME), 'export {};');
  const response = await call(`/assets/${NAME}`);
  expect([response.status, await response.text()]).toEqual([200, 'export {};']);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/javascript',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  const head = await call(`/assets/${NAME}`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

it.each(['/assets/gone-aaaaaaaa.js', '/assets/index.js', '/assets/x/index-C3x_9dQw.js'])(
  'answers 404 for %s',
  async (path) => expect((await call(path)).status).toBe(404),
);

it('serves no other value of KV and no type that a page may not load', async () => {
  await env.LINKS.put('system:asset:page-aaaaaaaa.html', '<script>');
  await env.LINKS.put('aaaaaaaa-aaaaaaaa.js', 'a link');
  expect((await call('/assets/page-aaaaaaaa.html')).status).toBe(404);
  expect((await call('/assets/aaaaaaaa-aaaaaaaa.js')).status).toBe(404);
});
