import { dayNumber } from '#contract/reports/periods.ts';
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

  it('[T33] the copy in KV expires 48 hours after its day began', async () => {
    const day = dayNumber(Date.now()) + 3;
    const expirations: unknown[] = [];
    const put: KVNamespace['put'] = (_key, _value, options) =>
      Promise.resolve(void expirations.push(options?.expiration));
    const LINKS = withMethods(env.LINKS, { put });
    await ensureDailyKey({ DB: env.DB, LINKS }, day, generateDailyKey());
    expect(expirations).toEqual([(day + 2) * 86_400]);
  });

  it('returns the key although KV fails', async () => {
    const LINKS = withMethods(env.LINKS, { put: () => Promise.reject(new Error('KV is down')) });
    const day = dayNumber(Date.now()) + 2;
    const key = await ensureDailyKey({ DB: env.DB, LINKS }, day, generateDailyKey());
    expect(await ensureDailyKey(env, day, generateDailyKey())).toBe(key);
  });
});
