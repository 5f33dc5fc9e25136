import { env } from 'cloudflare:test';
import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema.ts';
import { emptyOutbox } from './drain-outbox.ts';
import { decodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/testing/faults.ts';
import { noteForPublishing, noteIdsForPublishing } from './outbox.ts';
import { publishLinks, SETTLE_MS } from './publish.ts';

const db = openDb(env.DB);
const NOW = 1_800_000_000_000;

async function makeLink(code: string): Promise<number> {
  const insert = db
    .insert(links)
    .values({ code, target: `https://example.com/${code}`, target_host: 'example.com', created_at: NOW, updated_at: NOW })
    .returning({ id: links.id });
  const [[row]] = await db.batch([insert, noteForPublishing(db, eq(links.code, code), NOW)]);
  return row?.id ?? 0;
}

async function change(id: number, set: Record<string, unknown>, now: number): Promise<void> {
  await db.batch([
    db
      .update(links)
      .set({ ...set, version: sql`version + 1` })
      .where(eq(links.id, id)),
    noteIdsForPublishing(db, [id], now),
  ]);
}

const copyOf = async (code: string) => decodeEdgeRecord((await env.LINKS.get(code)) ?? '');
const pending = (id: number) => db.select().from(link_outbox).where(eq(link_outbox.link_id, id)).get();

it('puts what D1 holds, and keeps the row until the change has settled', async () => {
  const id = await makeLink('first');
  expect(await publishLinks(env, [id], NOW)).toEqual({ published: 1, left: 0 });
  expect(await copyOf('first')).toEqual({ v: 1, i: id, s: 'a', u: 'https://example.com/first', e: 0 });
  expect(await pending(id)).toMatchObject({ version: 1, attempts: 0 });
  await env.LINKS.put('first', 'a late write of an older copy');
  expect(await emptyOutbox(env, NOW + SETTLE_MS)).toBe('1 put, 0 left');
  expect(await copyOf('first')).toMatchObject({ v: 1 });
  expect(await pending(id)).toBeUndefined();
});

it('disables by a record of a higher version, with its reason', async () => {
  const id = await makeLink('second');
  await change(id, { status: 'disabled', disabled_reason: 'Phishing.' }, NOW);
  await publishLinks(env, [id], NOW);
  expect(await copyOf('second')).toEqual({ v: 2, i: id, s: 'd', u: '', e: 0, r: 'Phishing.' });
});

it('leaves to cron what KV refuses', async () => {
  const id = await makeLink('third');
  const refusing = withMethods(env.LINKS, { put: () => Promise.reject(new Error('KV PUT failed: 500')) });
  expect(await publishLinks({ ...env, LINKS: refusing }, [id], NOW)).toEqual({ published: 0, left: 1 });
  expect(await pending(id)).toMatchObject({ attempts: 1 });
  expect(await emptyOutbox(env, NOW + 29_000)).toBe('nothing pending');
  await emptyOutbox(env, NOW + 31_000);
  expect(await copyOf('third')).toMatchObject({ i: id });
  expect(await pending(id)).toBeDefined();
});

it('ends with the newest copy when the link changes between the read and the put', async () => {
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
  expect(await copyOf('fourth')).toMatchObject({ v: 2, u: 'https://example.com/newer' });
});

it('tries once more when KV says that the key was written within this second', async () => {
  const id = await makeLink('fifth');
  let calls = 0;
  const limited = withMethods(env.LINKS, {
    put: (key: string, value: string) =>
      ++calls === 1 ? Promise.reject(new Error('KV PUT failed: 429 Too Many Requests')) : env.LINKS.put(key, value),
  });
  expect(await publishLinks({ ...env, LINKS: limited }, [id], NOW)).toEqual({ published: 1, left: 0 });
  expect(await copyOf('fifth')).toMatchObject({ i: id });
});

it('notes nothing for a link that was not inserted, and publishes nothing unknown', async () => {
  await db.batch([noteForPublishing(db, eq(links.code, 'nobody'), NOW)]);
  expect(await publishLinks(env, [999_999], NOW)).toEqual({ published: 0, left: 0 });
});

it('puts under the keys of the epoch, and says what is wrong with one that is malformed', async () => {
  const id = await makeLink('epoch');
  expect(await publishLinks({ ...env, LINKS_EPOCH: '2' }, [id], NOW)).toEqual({ published: 1, left: 0 });
  expect(await copyOf('epoch')).toBeNull();
  expect(await copyOf('2:epoch')).toMatchObject({ i: id });
  await expect(publishLinks({ ...env, LINKS_EPOCH: 'Two' }, [id], NOW)).rejects.toThrow('LINKS_EPOCH is "Two"');
  const response = await call('/epoch', {}, { LINKS_EPOCH: 'Two', LINK_MEMORY_MS: '0', CLICK_WINDOW_MS: '1' });
  expect(response.headers.get('Location')).toBe('https://example.com/epoch');
});
