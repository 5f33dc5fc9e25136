import { env } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { withMethods } from '#worker/db/with-methods.ts';
import { createLinkMemory } from './link-memory.ts';
import { recordMiss } from './miss-limit.ts';
import { resolveLink } from './resolve-link.ts';

it('while D1 has no room, only a network over its limit hears that it asks too often', async () => {
  const request = new Request('https://hop.example/abc', {
    headers: { 'CF-Connecting-IP': '203.0.113.9' },
  });
  const now = Date.now();
  const resolve = () =>
    resolveLink('abc', {
      request,
      stores: { ...env, LINKS: withMethods(env.LINKS, { get: () => Promise.resolve(null) }) },
      memory: createLinkMemory(),
      readStoredLink: () => Promise.resolve('full'),
      memoryMs: 0,
      now,
      waitUntil: () => undefined,
    });
  expect(await resolve()).toEqual({ kind: 'down' });
  const limiter = { limit: () => Promise.resolve({ success: false }) };
  await recordMiss(request, { LIMIT_MISSES: limiter, LIMIT_SITES: limiter }, now);
  expect(await resolve()).toEqual({ kind: 'limited' });
});
