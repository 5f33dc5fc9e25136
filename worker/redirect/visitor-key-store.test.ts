import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { ensureVisitorKey, freshKey, visitorKeyName } from './visitor-key-store.ts';

test('all isolates get the key of the first, and KV a copy of it', async () => {
  const first = await ensureVisitorKey(env, 20_000, freshKey());
  // The expiry lies in the past for this day: only what is still to come is put.
  const day = Math.floor(Date.now() / 86_400_000);
  const today = await ensureVisitorKey(env, day, freshKey());
  expect(await ensureVisitorKey(env, 20_000, freshKey())).toBe(first);
  expect(await ensureVisitorKey(env, day, freshKey())).toBe(today);
  expect(await env.LINKS.get(visitorKeyName(day))).toBe(today);
});

test('a KV that fails costs nobody the key', async () => {
  const LINKS: Pick<KVNamespace, 'put'> = { put: () => Promise.reject(new Error('KV is down')) };
  const day = Math.floor(Date.now() / 86_400_000) + 1;
  const key = await ensureVisitorKey({ DB: env.DB, LINKS: { ...env.LINKS, ...LINKS } }, day, freshKey());
  expect(await ensureVisitorKey(env, day, freshKey())).toBe(key);
});
