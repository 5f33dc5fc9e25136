import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { LinkCard, LinkCardResponse } from '#contract/links/link-card.ts';
import type { LinkHistory } from '#contract/links/links.ts';
import { PLANS } from '#contract/site.ts';
import { DAY_MS } from '#contract/time.ts';
import { deleteAccount } from '#worker/account/delete-account.ts';
import { openDb } from '#worker/db/client.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { decodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { CARD_PICTURE, dataUrl, jpegOf, pngOf, webpOf } from '#worker/testing/card-pictures.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { publicIdOf } from '#worker/testing/link-ids.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { deliveriesOf, makeEndpoint } from '#worker/testing/webhooks.ts';
import { setCard } from './change-card.ts';
import { deleteUnusedPictures } from './delete-unused-pictures.ts';
import { readPicture } from './picture.ts';

async function makeLink(person: Person): Promise<string> {
  const made = await call('/api/shorten', {
    json: { longUrl: 'https://example.com/x' },
    headers: person.headers,
  });
  return (await made.json<{ code: string }>()).code;
}

const ask = (person: Person, method: string, code: string, json?: unknown) =>
  call(`/api/links/${code}/card`, {
    method,
    headers: person.headers,
    ...(json === undefined ? {} : { json }),
  });

async function cardOf(person: Person, code: string): Promise<LinkCard | null> {
  return (await (await ask(person, 'GET', code)).json<LinkCardResponse>()).card;
}

const recordOf = async (code: string) => decodeEdgeRecord((await env.LINKS.get(code)) ?? '');
const pictures = async () =>
  (await env.BACKUPS.list({ prefix: 'cards/' })).objects.map(({ key }) => key);
const idOf = async (code: string) =>
  (await env.DB.prepare('SELECT id FROM links WHERE code = ?').bind(code).first<number>('id')) ?? 0;

describe('the card of a link', () => {
  it('PUT sets it, keeps the picture it leaves out, and DELETE removes it', async () => {
    const me = await makePerson();
    const code = await makeLink(me);
    expect(await cardOf(me, code)).toBeNull();
    const input = { title: '  A  title ', description: 'A text.', image: CARD_PICTURE };
    const set = await ask(me, 'PUT', code, input);
    expect(set.status).toBe(200);
    const { card } = await set.json<LinkCardResponse>();
    expect(card).toMatchObject({ title: 'A title', description: 'A text.' });
    expect(card?.image).toMatch(/\/api\/card-pictures\/[0-9a-f]{64}\.png$/);
    expect(await cardOf(me, code)).toEqual(card);
    expect((await recordOf(code))?.k).toBe(1);

    await ask(me, 'PUT', code, { title: 'Another' });
    const changed = await cardOf(me, code);
    expect(changed).toMatchObject({ title: 'Another', description: '', image: card?.image });
    await ask(me, 'PUT', code, { title: 'Another', image: null });
    expect((await cardOf(me, code))?.image).toBeNull();

    expect((await ask(me, 'DELETE', code)).status).toBe(200);
    expect(await cardOf(me, code)).toBeNull();
    expect(await recordOf(code)).toMatchObject({ s: 'a', u: 'https://example.com/x' });
    expect((await recordOf(code))?.k).toBeUndefined();
    expect((await ask(me, 'DELETE', code)).status).toBe(200);
  });

  it('the history says when the card changed', async () => {
    const me = await makePerson();
    const code = await makeLink(me);
    const endpoint = await makeEndpoint(me);
    await ask(me, 'PUT', code, { title: 'A title' });
    const events = await deliveriesOf(endpoint);
    expect(events.map(({ data }) => JSON.parse(data).changed)).toEqual([['card']]);
    const response = await call(`/api/links/${code}/history`, { headers: me.headers });
    const { changes } = await response.json<LinkHistory>();
    const updatedAt = (await cardOf(me, code))?.updatedAt;
    expect(changes.map(({ before, after }) => [before.card_at, after.card_at])).toEqual([
      [null, updatedAt],
    ]);
  });

  it('[T10] only the owner reads, sets and removes it', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const code = await makeLink(me);
    await ask(me, 'PUT', code, { title: 'Mine' });
    const before = await pictures();
    const image = dataUrl('image/png', [...pngOf(1200, 630), 3]);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const json = method === 'PUT' ? { title: 'Taken', image } : undefined;
      expect((await ask(other, method, code, json)).status, method).toBe(404);
    }
    expect((await cardOf(me, code))?.title).toBe('Mine');
    expect(await pictures()).toEqual(before);
  });

  it('a plan has a number of links with a card, which changes do not use', async () => {
    const me = await makePerson();
    await env.DB.prepare(
      `INSERT INTO links (code, target, target_host, user_id, card_at, created_at, updated_at)
        SELECT 'full-' || value, 'https://example.com/', 'example.com', ?1, 1, 1, 1 FROM json_each(?2)`,
    )
      .bind(me.id, JSON.stringify(Array.from({ length: PLANS.free.cards }, (_, at) => at)))
      .run();
    const code = await makeLink(me);
    const refused = await ask(me, 'PUT', code, { title: 'One more' });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error: expect.stringContaining('10 links') });
    expect((await recordOf(code))?.k).toBeUndefined();
    expect((await ask(me, 'PUT', 'full-1', { title: 'A change' })).status).toBe(200);
    expect((await ask(me, 'DELETE', 'full-2')).status).toBe(200);
    expect((await ask(me, 'PUT', code, { title: 'One more' })).status).toBe(200);
    const next = await makeLink(me);
    expect((await ask(me, 'PUT', next, { title: 'Too many' })).status).toBe(409);
    await call('/api/links/full-3', { method: 'DELETE', headers: me.headers });
    expect((await ask(me, 'PUT', next, { title: 'In place of a deleted one' })).status).toBe(200);
  });

  it('a link on hold keeps its card, one that its owner has disabled does not', async () => {
    const me = await makePerson();
    const code = await makeLink(me);
    const disable = env.DB.prepare(
      "UPDATE links SET status = 'disabled', disabled_by = ?2 WHERE code = ?1",
    );
    for (const [by, status] of [
      ['admin', 403],
      ['owner', 200],
    ] as const) {
      await disable.bind(code, by).run();
      expect((await ask(me, 'PUT', code, { title: 'A title' })).status).toBe(status);
    }
  });

  it('an account that is deleted leaves no card, on kept links neither', async () => {
    const me = await makePerson();
    const codes = [await makeLink(me), await makeLink(me)];
    for (const code of codes) await ask(me, 'PUT', code, { title: code });
    const count = () => env.DB.prepare('SELECT count(*) AS n FROM link_cards').first<number>('n');
    const before = (await count()) ?? 0;
    await deleteAccount(openDb(env.DB), {
      user: me,
      links: 'keep',
      label: 'deleted:someone',
      secret: env.AUTH_SECRET ?? '',
      now: Date.now(),
    });
    expect(await count()).toBe(before - 2);
  });
});

describe('a change of a card', () => {
  it('a change starts over twice while its link is changed meanwhile', async () => {
    const me = await makePerson();
    const code = await makeLink(me);
    const change = async (disturbances: number) => {
      let left = disturbances;
      const raise = env.DB.prepare('UPDATE links SET version = version + 1 WHERE code = ?');
      const db = openDb(
        aroundD1(env.DB, async (name, run) => {
          if (name === 'd1.batch' && left > 0) {
            left -= 1;
            await raise.bind(code).run();
          }
          return run();
        }),
      );
      const actor = { userId: me.id, keyName: null };
      return setCard(db, env, { title: 'A' }, { actor, ref: { code }, now: Date.now() });
    };
    expect(await change(3)).toMatchObject({ ok: false, reason: 'changed_meanwhile' });
    expect(await change(2)).toMatchObject({ ok: true, card: { title: 'A' } });
  });

  it('a change has the limits of a minute and of a day, like those of its link', async () => {
    const me = await makePerson();
    const code = await makeLink(me);
    const put = async () => {
      const response = await ask(me, 'PUT', code, { title: 'A' });
      return [response.status, (await response.json<{ error?: string }>()).error];
    };
    const set = env.DB.prepare('UPDATE links SET changes_until = ?2 WHERE code = ?1');
    await set.bind(code, Date.now() + DAY_MS).run();
    expect(await put()).toEqual([429, expect.stringContaining('times a minute')]);
    await set.bind(code, 0).run();
    const day = Math.floor(Date.now() / DAY_MS);
    await env.DB.prepare('INSERT INTO counters (key, count, expires_at) VALUES (?, ?, ?)')
      .bind(`account:${me.id}:link-changes:${day}`, PLANS.free.linkChanges, Date.now() + DAY_MS)
      .run();
    expect(await put()).toEqual([429, expect.stringContaining('changes of links a day')]);
    expect(await cardOf(me, code)).toBeNull();
  });
});

describe('the card of a link in the public API', () => {
  it('a card is set, read and removed by keys with the scope for it', async () => {
    const holder = await makeKey();
    const code = await makeLink(holder.person);
    const path = `/links/${await publicIdOf(await idOf(code))}/card`;
    expect((await send(holder, `GET ${path}`)).status).toBe(404);
    const json = { title: 'A title', image: CARD_PICTURE };
    const set = await send(holder, `PUT ${path}`, { json });
    expect(set.status).toBe(200);
    const card = await set.json();
    expect(await (await send(holder, `GET ${path}`)).json()).toEqual(card);
    const list = await send(holder, 'GET /links');
    expect(await list.json()).toMatchObject({ data: [{ code, card }] });
    const reader = await makeKey({ person: holder.person, scopes: ['links:read'] });
    expect((await send(reader, `PUT ${path}`, { json })).status).toBe(403);
    const log = await env.DB.prepare(
      "SELECT after FROM admin_log WHERE subject = ? AND action = 'change_link'",
    )
      .bind(`link:${code}`)
      .first<string>('after');
    expect(JSON.parse(log ?? '')).toMatchObject({ changed: ['card'] });
    expect((await send(holder, `DELETE ${path}`)).status).toBe(204);
    expect(await cardOf(holder.person, code)).toBeNull();
  });
});

describe('readPicture', () => {
  const isRead = async (type: string, bytes: number[]) =>
    (await readPicture(dataUrl(type, bytes))) !== null;
  const jpeg = jpegOf(1200, 630);

  it('reads the size of a JPEG from any frame header, and from no other segment', async () => {
    const read = [];
    for (let marker = 0xbf; marker <= 0xd0; marker += 1)
      if (await isRead('image/jpeg', jpeg.with(13, marker))) read.push(marker - 0xc0);
    expect(read).toEqual([0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15]);
    expect(await isRead('image/jpeg', jpeg.with(12, 0xfe))).toBe(false);
  });

  it('reads the bits of a WebP file that are its size, and no others', async () => {
    const webp = (...size: Parameters<typeof webpOf>) => isRead('image/webp', webpOf(...size));
    expect(await webp(' ', 1200 + 0x4000, 630 + 0x8000)).toBe(true);
    expect(await webp('X', 1200 + 0x10000, 630)).toBe(false);
    expect(await webp('X', 1200, 630 + 0x10000)).toBe(false);
  });

  it.each([
    ['image/png', pngOf(1200, 630).slice(0, 23)],
    ['image/jpeg', jpeg.slice(0, 20)],
    ['image/webp', webpOf(' ', 1200, 630).slice(0, 29)],
    ['image/webp', webpOf('X', 1200, 630).slice(0, 29)],
  ])('reads no %s whose header ends early', async (type, bytes) => {
    expect(await isRead(type, bytes)).toBe(false);
  });
});

describe('the picture of a card', () => {
  it.each([
    ['JPEG', 'image/jpeg', jpegOf(1200, 630)],
    ['PNG', 'image/png', pngOf(1200, 630)],
    ['WebP', 'image/webp', webpOf(' ', 1200, 630)],
    ['lossless WebP', 'image/webp', webpOf('L', 1200, 630)],
    ['extended WebP', 'image/webp', webpOf('X', 1200, 630)],
  ])('[T45] %s is stored and served as it is', async (_name, type, bytes) => {
    const me = await makePerson();
    const code = await makeLink(me);
    const image = dataUrl(type, bytes, 300 * 1024);
    expect((await ask(me, 'PUT', code, { title: 'A title', image })).status).toBe(200);
    const address = (await cardOf(me, code))?.image ?? '';
    const served = await call(new URL(address).pathname);
    expect(served.status).toBe(200);
    const sent = await served.arrayBuffer();
    expect(dataUrl(type, Array.from(new Uint8Array(sent)))).toBe(image);
    const headers = Object.fromEntries(served.headers);
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers['content-security-policy']).toContain('sandbox');
  });

  it.each([
    ['another size', dataUrl('image/png', pngOf(1200, 629))],
    ['a size that is turned', dataUrl('image/jpeg', jpegOf(630, 1200))],
    ['another type inside', dataUrl('image/png', jpegOf(1200, 630))],
    ['a script', dataUrl('image/png', [...Buffer.from('<svg onload="alert(1)"/>')])],
    ['SVG', dataUrl('image/svg+xml', [...Buffer.from('<svg/>')])],
    ['GIF', dataUrl('image/gif', [...Buffer.from('GIF89a')])],
    ['a file without an end', dataUrl('image/jpeg', [0xff, 0xd8, 0xff, 0xe1, 0, 0])],
    ['too many bytes', dataUrl('image/png', pngOf(1200, 630), 300 * 1024 + 1)],
    ['an address', 'https://example.com/picture.png'],
    ['text that is not base64', 'data:image/png;base64,%%%'],
    ['broken base64', 'data:image/png;base64,A'],
  ])('[T45] %s is rejected, and nothing is stored', async (_name, image) => {
    const me = await makePerson();
    const code = await makeLink(me);
    const before = await pictures();
    const response = await ask(me, 'PUT', code, { title: 'A title', image });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ field: 'image' });
    expect(await cardOf(me, code)).toBeNull();
    expect(await pictures()).toEqual(before);
  });

  it('nothing else in the bucket has an address', async () => {
    await env.BACKUPS.put('copies/2026-01-01/manifest.json', '{}');
    for (const name of ['..%2Fcopies%2F2026-01-01%2Fmanifest.json', 'manifest.json', 'x.png'])
      expect((await call(`/api/card-pictures/${name}`)).status, name).toBe(404);
    const hash = 'a'.repeat(64);
    expect((await call(`/api/card-pictures/${hash}.png`)).status).toBe(404);
  });

  it('a picture is stored again that the job has deleted before the card names it', async () => {
    const me = await makePerson();
    const code = await makeLink(me);
    let stored = 0;
    // What is stored first is gone at once.
    const put = async (key: string, bytes: Uint8Array, options: R2PutOptions) =>
      (stored += 1) === 1 ? null : env.BACKUPS.put(key, bytes, options);
    const bucket = { BACKUPS: withMethods(env.BACKUPS, { put }) };
    const input = { title: 'A title', image: dataUrl('image/png', [...pngOf(1200, 630), 4]) };
    const actor = { userId: me.id, keyName: null };
    await setCard(openDb(env.DB), bucket, input, { actor, ref: { code }, now: Date.now() });
    const address = (await cardOf(me, code))?.image ?? '';
    expect((await call(new URL(address).pathname)).status).toBe(200);
  });

  it('a job deletes pictures that no card has for a day', async () => {
    const me = await makePerson();
    const [code, other] = [await makeLink(me), await makeLink(me)];
    const used = dataUrl('image/png', [...pngOf(1200, 630), 1]);
    await ask(me, 'PUT', code, { title: 'A title', image: used });
    const kept = new URL((await cardOf(me, code))?.image ?? '').pathname;
    await ask(me, 'PUT', other, {
      title: 'A title',
      image: dataUrl('image/png', [...pngOf(1200, 630), 2]),
    });
    const replaced = new URL((await cardOf(me, other))?.image ?? '').pathname;
    await ask(me, 'DELETE', other);
    const object = await env.BACKUPS.head(replaced.replace('/api/card-pictures', 'cards'));
    const uploaded = object?.uploaded.getTime() ?? 0;
    await deleteUnusedPictures(env, uploaded + DAY_MS);
    expect((await call(replaced)).status).toBe(200);
    await deleteUnusedPictures(env, uploaded + 2 * DAY_MS);
    expect((await call(replaced)).status).toBe(404);
    expect((await call(kept)).status).toBe(200);
  });
});
