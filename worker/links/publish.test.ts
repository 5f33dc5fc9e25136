import { env } from 'cloudflare:test';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema.ts';
import { drainOutbox } from './drain-outbox.ts';
import { decodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/testing/faults.ts';
import { addToOutbox, addIdsToOutbox } from './outbox.ts';
import { publishLinks, SETTLE_MS } from './publish.ts';

const db = openDb(env.DB);
const NOW = 1_800_000_000_000;

async function makeLink(code: string): Promise<number> {
  const insert = db
    .insert(links)
    .values({ code, target: `https://example.com/${code}`, target_host: 'example.com', created_at: NOW, updated_at: NOW })
    .returning({ id: links.id });
  const [[row]] = await db.batch([insert, addToOutbox(db, eq(links.code, code), NOW)]);
  return row?.id ?? 0;
}

async function change(id: number, set: Record<string, unknown>, now: number): Promise<void> {
  await db.batch([
    db
      .update(links)
      .set({ ...set, version: sql`version + 1` })
      .where(eq(links.id, id)),
    addIdsToOutbox(db, [id], now),
  ]);
}

const recordOf = async (code: string) => decodeEdgeRecord((await env.LINKS.get(code)) ?? '');
const pending = (id: number) => db.select().from(link_outbox).where(eq(link_outbox.link_id, id)).get();

describe('publishLinks', () => {
  it('writes the row of D1 and keeps the outbox row until the change has settled', async () => {
    const id = await makeLink('first');
    expect(await publishLinks(env, [id], NOW)).toEqual({ published: 1, left: 0 });
    expect(await recordOf('first')).toEqual({ v: 1, i: id, s: 'a', u: 'https://example.com/first', e: 0 });
    expect(await pending(id)).toMatchObject({ version: 1, attempts: 0 });
    await env.LINKS.put('first', 'a late write of an older record');
    expect(await drainOutbox(env, NOW + SETTLE_MS)).toBe('1 put, 0 left');
    expect(await recordOf('first')).toMatchObject({ v: 1 });
    expect(await pending(id)).toBeUndefined();
  });

  it('writes a record of a higher version with the reason for a disabled link', async () => {
    const id = await makeLink('second');
    await change(id, { status: 'disabled', disabled_reason: 'Phishing.' }, NOW);
    await publishLinks(env, [id], NOW);
    expect(await recordOf('second')).toEqual({ v: 2, i: id, s: 'd', u: '', e: 0, r: 'Phishing.' });
  });

  it('leaves a link that KV refuses to the outbox job', async () => {
    const id = await makeLink('third');
    const refusing = withMethods(env.LINKS, { put: () => Promise.reject(new Error('KV PUT failed: 500')) });
    expect(await publishLinks({ ...env, LINKS: refusing }, [id], NOW)).toEqual({ published: 0, left: 1 });
    expect(await pending(id)).toMatchObject({ attempts: 1 });
    expect(await drainOutbox(env, NOW + 29_000)).toBe('nothing pending');
    await drainOutbox(env, NOW + 31_000);
    expect(await recordOf('third')).toMatchObject({ i: id });
    expect(await pending(id)).toBeDefined();
  });

  it('counts attempts from 0 again after another change', async () => {
    const id = await makeLink('again');
    const refusing = withMethods(env.LINKS, { put: () => Promise.reject(new Error('KV PUT failed: 500')) });
    await publishLinks({ ...env, LINKS: refusing }, [id], NOW);
    await change(id, { target: 'https://example.com/again' }, NOW + 1);
    expect(await pending(id)).toMatchObject({ version: 2, attempts: 0, queued_at: NOW + 1 });
  });

  it('ends with the newest record when the link changes between read and write', async () => {
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

  it('retries once when KV has already written the key within this second', async () => {
    const id = await makeLink('fifth');
    let calls = 0;
    const limited = withMethods(env.LINKS, {
      put: (key: string, value: string) =>
        ++calls === 1 ? Promise.reject(new Error('KV PUT failed: 429 Too Many Requests')) : env.LINKS.put(key, value),
    });
    expect(await publishLinks({ ...env, LINKS: limited }, [id], NOW)).toEqual({ published: 1, left: 0 });
    expect(await recordOf('fifth')).toMatchObject({ i: id });
  });

  it('publishes nothing for a link that was not inserted or does not exist', async () => {
    await db.batch([addToOutbox(db, eq(links.code, 'nobody'), NOW)]);
    expect(await publishLinks(env, [999_999], NOW)).toEqual({ published: 0, left: 0 });
  });

  it('writes under the keys of the epoch and names a malformed LINKS_EPOCH', async () => {
    const id = await makeLink('epoch');
    expect(await publishLinks({ ...env, LINKS_EPOCH: '2' }, [id], NOW)).toEqual({ published: 1, left: 0 });
    expect(await recordOf('epoch')).toBeNull();
    expect(await recordOf('2:epoch')).toMatchObject({ i: id });
    await expect(publishLinks({ ...env, LINKS_EPOCH: 'Two' }, [id], NOW)).rejects.toThrow('LINKS_EPOCH is "Two"');
    const response = await call('/epoch', {}, { LINKS_EPOCH: 'Two', LINK_MEMORY_MS: '0', CLICK_WINDOW_MS: '1' });
    expect(response.headers.get('Location')).toBe('https://example.com/epoch');
  });
});
