import { dayNumber } from '#contract/periods.ts';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { withMethods } from '#worker/db/with-methods.ts';
import { dailyKeyName, ensureDailyKey, generateDailyKey } from './daily-key.ts';

describe('ensureDailyKey', () => {
  it('every isolate gets the key of the first, and KV gets a copy', async () => {
    const today = dayNumber(Date.now());
    const first = await ensureDailyKey(env, today, generateDailyKey());
    expect(await ensureDailyKey(env, today, generateDailyKey())).toBe(first);
    expect(await env.LINKS.get(dailyKeyName(today))).toBe(first);
    expect(await ensureDailyKey(env, today + 1, generateDailyKey())).not.toBe(first);
  });

  it('returns the key although KV fails', async () => {
    const LINKS = withMethods(env.LINKS, { put: () => Promise.reject(new Error('KV is down')) });
    const day = dayNumber(Date.now()) + 2;
    const key = await ensureDailyKey({ DB: env.DB, LINKS }, day, generateDailyKey());
    expect(await ensureDailyKey(env, day, generateDailyKey())).toBe(key);
  });
});
