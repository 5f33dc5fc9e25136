import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { ensureDailyKey, generateDailyKey, dailyKeyName } from './daily-key.ts';

test('all isolates get the key of the first, and KV a copy of it', async () => {
  const first = await ensureDailyKey(env, 20_000, generateDailyKey());
  // The expiry lies in the past for this day: only what is still to come is put.
  const day = Math.floor(Date.now() / 86_400_000);
  const today = await ensureDailyKey(env, day, generateDailyKey());
  expect(await ensureDailyKey(env, 20_000, generateDailyKey())).toBe(first);
  expect(await ensureDailyKey(env, day, generateDailyKey())).toBe(today);
  expect(await env.LINKS.get(dailyKeyName(day))).toBe(today);
});

test('a KV that fails costs nobody the key', async () => {
  const LINKS: Pick<KVNamespace, 'put'> = { put: () => Promise.reject(new Error('KV is down')) };
  const day = Math.floor(Date.now() / 86_400_000) + 1;
  const key = await ensureDailyKey({ DB: env.DB, LINKS: { ...env.LINKS, ...LINKS } }, day, generateDailyKey());
  expect(await ensureDailyKey(env, day, generateDailyKey())).toBe(key);
});
