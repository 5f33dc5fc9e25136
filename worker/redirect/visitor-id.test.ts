import { dayNumber } from '#contract/reports/periods.ts';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import type { PendingClick } from './click-event.ts';
import { dailyKeyName } from './daily-key.ts';
import { assignVisitorIds } from './visitor-id.ts';
import { d1Down } from '#worker/testing/faults.ts';

const TODAY = dayNumber(Date.now());
const click = (
  over: Partial<PendingClick['event']> = {},
  address = '203.0.113.5',
): PendingClick => ({
  event: { l: 1, t: TODAY * DAY_MS, ua: 'A', r: '', c: '', g: '', y: '', k: '', ...over },
  address,
});

/** The id as docs/decisions.md#d20 defines it, computed the plain way. */
async function expectedId(rawKey: Uint8Array, agent: string, text: string): Promise<string> {
  const digest = await hmac(await hmac(rawKey, agent), text);
  return btoa(String.fromCharCode(...digest.slice(0, 12)));
}

async function hmac(rawKey: Uint8Array, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', rawKey, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)));
}

async function storeKey(day: number, fill: number): Promise<Uint8Array> {
  const raw = new Uint8Array(32).fill(fill);
  await env.LINKS.put(dailyKeyName(day), btoa(String.fromCharCode(...raw)));
  return raw;
}

describe('assignVisitorIds', () => {
  it('assigns the HMAC of network, link and user agent to each of many clicks', async () => {
    const day = TODAY + 3;
    const raw = await storeKey(day, 9);
    const clicks = Array.from({ length: 100 }, (_, i) =>
      click({ l: i, t: day * DAY_MS + i, ua: `Agent ${i} ${'x'.repeat(i * 4)}` }, `203.0.113.${i}`),
    );
    await assignVisitorIds(clicks, env);
    for (const [i, { event, address }] of clicks.entries()) {
      expect(event.k).toBe(await expectedId(raw, event.ua, `203.0.113.${i}\n${i}`));
      expect(address).toBe('');
    }
  });

  it('uses the /64 of an IPv6 address', async () => {
    const raw = await storeKey(TODAY + 4, 1);
    const clicks = [click({ t: (TODAY + 4) * DAY_MS }, '2001:db8:1:2:3:4:5:6')];
    await assignVisitorIds(clicks, env);
    expect(clicks[0]?.event.k).toBe(await expectedId(raw, 'A', '2001:db8:1:2::/64\n1'));
  });

  it('uses the key of each click’s own UTC day', async () => {
    const [before, after] = [await storeKey(TODAY + 5, 2), await storeKey(TODAY + 6, 3)];
    const midnight = (TODAY + 6) * DAY_MS;
    const clicks = [click({ t: midnight - 1 }), click({ t: midnight }), click({ t: midnight - 1 })];
    await assignVisitorIds(clicks, env);
    const [old, fresh] = [
      await expectedId(before, 'A', '203.0.113.5\n1'),
      await expectedId(after, 'A', '203.0.113.5\n1'),
    ];
    expect(clicks.map(({ event }) => event.k)).toEqual([old, fresh, old]);
  });

  it('[T33] no key older than yesterday’s stays in memory', async () => {
    const first = TODAY + 20;
    const idOf = async (day: number): Promise<string> => {
      const one = click({ t: day * DAY_MS });
      await assignVisitorIds([one], env);
      return one.event.k;
    };
    for (const day of [first, first + 1, first + 2]) {
      await storeKey(day, 5);
      await idOf(day);
    }
    const newKey = await storeKey(first, 6);
    await storeKey(first + 1, 6);
    const newId = await expectedId(newKey, 'A', '203.0.113.5\n1');
    expect(await idOf(first + 1)).not.toBe(newId);
    expect(await idOf(first)).toBe(newId);
  });

  it('an address that is not ASCII gets an id', async () => {
    const raw = await storeKey(TODAY + 7, 4);
    const t = (TODAY + 7) * DAY_MS;
    const clicks = [click({ t }, 'ü€'), click({ t })];
    await assignVisitorIds(clicks, env);
    expect(clicks[1]?.event.k).toBe(await expectedId(raw, 'A', '203.0.113.5\n1'));
  });

  it('assigns none to a click without an address', async () => {
    const clicks = [click(), click({}, ''), click()];
    await assignVisitorIds(clicks, env);
    const ids = clicks.map(({ event }) => event.k);
    expect(ids[0]).toMatch(/^[\w+/]{16}$/);
    expect(ids).toEqual([ids[0], '', ids[0]]);
  });

  it('assigns none, and still erases the address, if no key can be read', async () => {
    const fail = () => Promise.reject(new Error('down'));
    const one = click({ t: (TODAY + 40) * DAY_MS });
    await assignVisitorIds([one], {
      DB: d1Down(env.DB),
      LINKS: withMethods(env.LINKS, { get: fail }),
    });
    expect(one).toMatchObject({ event: { k: '' }, address: '' });
  });
});
