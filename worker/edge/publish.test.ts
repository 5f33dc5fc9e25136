import { env } from 'cloudflare:test';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema-links.ts';
import { drainOutbox } from './drain-outbox.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { change, kvThat, makeLink, NOW, pending, recordOf } from '#worker/testing/outbox.ts';
import { addToOutbox } from './outbox.ts';
import { publishLinks, SETTLE_MS } from './publish.ts';
import { beforeBatch } from '#worker/testing/faults.ts';

const db = openDb(env.DB);

async function makeLinks(prefix: string, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 1; i <= count; i += 1) ids.push(await makeLink(prefix + i));
  return ids;
}

describe('publishLinks', () => {
  it('writes the row of D1 and keeps the outbox row until the change has settled', async () => {
    const id = await makeLink('first');
    await change(id, { target: 'https://example.com/changed' }, NOW);
    expect(await publishLinks(env, [id], NOW)).toEqual({ published: 1, left: 0 });
    expect(await recordOf('first')).toEqual({
      v: 2,
      i: id,
      s: 'a',
      u: 'https://example.com/changed',
      e: 0,
    });
    expect(await pending(id)).toMatchObject({ version: 2, attempts: 0 });
    await env.LINKS.put('first', 'a late write of an older record');
    expect(await drainOutbox(env, NOW + SETTLE_MS)).toMatchObject({ done: { links_published: 1 } });
    expect(await recordOf('first')).toMatchObject({ v: 2 });
    expect(await pending(id)).toBeUndefined();
  });

  it.each([
    ['once for a new link', 'once', 1],
    ['twice for a change', 'twice', 2],
  ])('writes to KV %s, whenever cron runs', async (_, code, puts) => {
    const keys: string[] = [];
    const stores = { ...env, LINKS: kvThat((key) => (keys.push(key), null)) };
    for (const offset of [0, 20_000, 40_000]) {
      const id = await makeLink(code + offset);
      if (puts === 2) await change(id, { target: 'https://example.com/changed' }, NOW);
      await publishLinks(stores, [id], NOW);
      for (const minute of [0, 1, 2, 3]) await drainOutbox(stores, NOW + offset + minute * 60_000);
      expect(keys.splice(0)).toEqual(Array.from({ length: puts }, () => code + offset));
      expect(await pending(id)).toBeUndefined();
    }
  });

  it('ignores a link that its request may still be publishing', async () => {
    await db.delete(link_outbox);
    const id = await makeLink('under-way');
    expect(await drainOutbox(env, NOW + SETTLE_MS - 1)).toMatchObject({
      done: { links_published: 0 },
    });
    expect(await drainOutbox(env, NOW + SETTLE_MS)).toMatchObject({ done: { links_published: 1 } });
    expect(await pending(id)).toBeUndefined();
  });

  it('writes a record of a higher version with the reason for a disabled link', async () => {
    const id = await makeLink('second');
    await change(id, { status: 'disabled', disabled_reason: 'Phishing.' }, NOW);
    await publishLinks(env, [id], NOW);
    expect(await recordOf('second')).toEqual({ v: 2, i: id, s: 'd', u: '', e: 0, r: 'Phishing.' });
  });

  it('a link that KV refuses is left to the outbox job', async () => {
    const id = await makeLink('third');
    const refusing = withMethods(env.LINKS, {
      put: () => Promise.reject(new Error('KV PUT failed: 500')),
    });
    expect(await publishLinks({ ...env, LINKS: refusing }, [id], NOW)).toEqual({
      published: 0,
      left: 1,
    });
    expect(await pending(id)).toMatchObject({ attempts: 1 });
    await publishLinks({ ...env, LINKS: refusing }, [id], NOW + 1);
    expect(await pending(id)).toMatchObject({ attempts: 2, queued_at: NOW });
    expect(await drainOutbox(env, NOW + 29_999)).toMatchObject({ done: { links_published: 0 } });
    await drainOutbox(env, NOW + 30_000);
    expect(await recordOf('third')).toMatchObject({ i: id });
    expect(await pending(id)).toBeUndefined();
  });

  it('continues after a group in which only some writes fail', async () => {
    const ids = await makeLinks('some-', 8);
    const keys: string[] = [];
    const LINKS = kvThat((key) => {
      keys.push(key);
      return key === 'some-2' ? new Error('KV PUT failed: 500') : null;
    });
    expect(await publishLinks({ ...env, LINKS }, ids, NOW)).toEqual({ published: 7, left: 1 });
    // An error other than the limit of one write per second is not tried again.
    expect(keys.filter((key) => key === 'some-2')).toHaveLength(1);
    expect(await recordOf('some-8')).toMatchObject({ v: 1 });
  });

  it('stops writing after a group in which every write fails', async () => {
    const ids = await makeLinks('none-', 8);
    let calls = 0;
    const LINKS = kvThat(() => {
      calls += 1;
      return new Error('KV PUT failed: 500');
    });
    expect(await publishLinks({ ...env, LINKS }, ids, NOW)).toEqual({ published: 0, left: 8 });
    expect(calls).toBe(6);
    for (const id of ids) expect(await pending(id)).toMatchObject({ attempts: 1 });
  });

  it('reports a link as left if its newest version cannot be written', async () => {
    const id = await makeLink('half');
    let calls = 0;
    const LINKS = withMethods(env.LINKS, {
      put: async (key: string, value: string) => {
        if (++calls > 1) throw new Error('KV PUT failed: 500');
        await change(id, { target: 'https://example.com/newer' }, NOW);
        await env.LINKS.put(key, value);
      },
    });
    expect(await publishLinks({ ...env, LINKS }, [id], NOW + SETTLE_MS)).toEqual({
      published: 0,
      left: 1,
    });
    expect(await pending(id)).toMatchObject({ version: 2, attempts: 1 });
  });

  it('a change after the last check keeps its outbox row', async () => {
    const id = await makeLink('late');
    const DB = beforeBatch(env.DB, async () => {
      await change(id, { target: 'https://example.com/late' }, NOW);
    });
    await publishLinks({ ...env, DB }, [id], NOW + SETTLE_MS);
    expect(await pending(id)).toMatchObject({ version: 2 });
  });

  it('counts attempts from 0 again after another change', async () => {
    const id = await makeLink('again');
    const refusing = withMethods(env.LINKS, {
      put: () => Promise.reject(new Error('KV PUT failed: 500')),
    });
    await publishLinks({ ...env, LINKS: refusing }, [id], NOW);
    await change(id, { target: 'https://example.com/again' }, NOW + 1);
    expect(await pending(id)).toMatchObject({ version: 2, attempts: 0, queued_at: NOW + 1 });
  });

  it('the last record is the newest when the link changes between read and write', async () => {
    const id = await makeLink('fourth');
    let first = true;
    const slow = withMethods(env.LINKS, {
      put: async (key: string, value: string) => {
        if (first) {
          first = false;
          await change(id, { target: 'https://example.com/newer' }, NOW);
        }
        await env.LINKS.put(key, value);
      },
    });
    await publishLinks({ ...env, LINKS: slow }, [id], NOW + SETTLE_MS);
    expect(await recordOf('fourth')).toMatchObject({ v: 2, u: 'https://example.com/newer' });
  });

  it('the last record is the new link’s when its code is released meanwhile', async () => {
    const id = await makeLink('seventh');
    await change(id, { status: 'deleted' }, NOW);
    let next = 0;
    const slow = withMethods(env.LINKS, {
      put: async (key: string, value: string) => {
        if (next === 0) {
          await db.run(sql`update links set released_at = ${NOW} where id = ${id}`);
          next = await makeLink('seventh');
          await db.update(links).set({ version: 3 }).where(eq(links.id, next));
          await publishLinks(env, [next], NOW);
        }
        await env.LINKS.put(key, value);
      },
    });
    await publishLinks({ ...env, LINKS: slow }, [id], NOW);
    expect(await recordOf('seventh')).toMatchObject({ v: 3, i: next, s: 'a' });
    expect(await publishLinks(env, [id], NOW)).toEqual({ published: 0, left: 0 });
  });

  it('retries once when KV has already written the key within this second', async () => {
    const [id, busy] = [await makeLink('fifth'), await makeLink('busy')];
    const keys: string[] = [];
    const limited = kvThat((key) => {
      const isFirst = !keys.includes(key);
      keys.push(key);
      if (key === 'busy') return new Error('Too many writes of this key');
      return isFirst ? new Error('KV PUT failed: 429') : null;
    });
    const waits = vi.spyOn(scheduler, 'wait');
    const timers = vi.spyOn(globalThis, 'setTimeout');
    expect(await publishLinks({ ...env, LINKS: limited }, [id, busy], NOW)).toEqual({
      published: 1,
      left: 1,
    });
    // One wait before each second attempt, and none after it.
    expect(waits.mock.calls).toEqual([[1_100], [1_100]]);
    expect(timers.mock.calls.filter(([, ms]) => ms === 5_000)).toHaveLength(4);
    for (const spy of [waits, timers]) spy.mockRestore();
    expect(await recordOf('fifth')).toMatchObject({ i: id });
    expect(keys.filter((key) => key === 'busy')).toHaveLength(2);
  });

  it('publishes nothing for a link that was not inserted or does not exist', async () => {
    await db.batch([addToOutbox(db, eq(links.code, 'nobody'), NOW)]);
    expect(await publishLinks(env, [999_999], NOW)).toEqual({ published: 0, left: 0 });
  });

  it('writes under the keys of the epoch and names a malformed LINKS_EPOCH', async () => {
    const id = await makeLink('epoch');
    expect(await publishLinks({ ...env, LINKS_EPOCH: '2' }, [id], NOW)).toEqual({
      published: 1,
      left: 0,
    });
    expect(await recordOf('epoch')).toBeNull();
    expect(await recordOf('2:epoch')).toMatchObject({ i: id });
    await expect(publishLinks({ ...env, LINKS_EPOCH: 'Two' }, [id], NOW)).rejects.toThrow(
      'LINKS_EPOCH is "Two"',
    );
    const response = await call(
      '/epoch',
      {},
      { LINKS_EPOCH: 'Two', LINK_MEMORY_MS: '0', CLICK_WINDOW_MS: '1' },
    );
    expect(response.headers.get('Location')).toBe('https://example.com/epoch');
  });
});
