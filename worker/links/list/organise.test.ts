import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { LIVE_ORDER_MAX_LINKS } from '#contract/limits.ts';
import type { ListedLink, MyLinksResponse } from '#contract/links/links.ts';
import type { Tag, TagsResponse } from '#contract/links/tags.ts';
import type { V1Link, V1LinkList } from '#contract/v1/v1.ts';
import { startOfDay } from '#contract/reports/periods.ts';
import { call } from '#worker/testing/call.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { beforeBatch } from '#worker/testing/faults.ts';
import { openDb } from '#worker/db/client.ts';
import { indexAllWords, indexWords } from '#worker/links/words/index-words.ts';
import { rankLinks } from './rank-links.ts';
import { textOfWords, toWords, wordsOfLink, WORDS_PER_LINK } from '#worker/links/words/words.ts';

let serial = 0;

async function create(person: Person, longUrl = 'https://example.com/'): Promise<string> {
  const customCode = `org-${++serial}`;
  const response = await call('/api/shorten', {
    json: { longUrl, customCode },
    headers: person.headers,
  });
  expect(response.status).toBe(201);
  return customCode;
}
const patch = async (person: Person, code: string, json: object): Promise<Response> =>
  call(`/api/links/${code}`, { method: 'PATCH', json, headers: person.headers });
const find = async (person: Person, query: Record<string, string>): Promise<string[]> => {
  const response = await call(`/api/my-urls?${new URLSearchParams(query).toString()}`, {
    headers: person.headers,
  });
  expect(response.status).toBe(200);
  return (await response.json<MyLinksResponse>()).urls.map((link) => link.short_code);
};
const api = (person: Person, route: string, json?: object): Promise<Response> => {
  const [method = '', path = ''] = route.split(' ');
  return call(`/api${path}`, {
    method,
    ...(json === undefined ? {} : { json }),
    headers: person.headers,
  });
};
const tagsOf = async (person: Person): Promise<Tag[]> =>
  (await (await api(person, 'GET /tags')).json<TagsResponse>()).tags;

describe('title, note, favorites and the archive', () => {
  it('title, note, favorite and archive change without a new version of the redirect', async () => {
    const me = await makePerson();
    const code = await create(me);
    const version = () =>
      env.DB.prepare('SELECT version FROM links WHERE code = ?1').bind(code).first('version');
    const before = await version();
    const response = await patch(me, code, {
      title: '  Spring \n sale ',
      note: 'One\r\ntwo',
      favorite: true,
      archived: true,
    });
    expect(await response.json()).toMatchObject({
      title: 'Spring sale',
      note: 'One\ntwo',
      favorite: true,
      archived: true,
      tags: [],
    });
    expect(await version()).toBe(before);
    expect((await call(`/${code}`)).status).toBe(302);
    const other = await create(me);
    expect(await find(me, {})).toEqual([other]);
    expect(await find(me, { status: 'archived' })).toEqual([code]);
    expect(await find(me, { status: 'archived', favorite: '1' })).toEqual([code]);
    await patch(me, code, { archived: false });
    expect(await find(me, { favorite: '1' })).toEqual([code]);
  });

  it('titles, notes and tags are validated, and links of others are not changed', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const code = await create(me);
    for (const change of [
      { title: 'x'.repeat(121) },
      { note: 'x'.repeat(2001) },
      { note: 'a\u0000b' },
      { tags: ['a,b'] },
      { tags: [' '] },
    ])
      expect((await patch(me, code, change)).status, JSON.stringify(change)).toBe(400);
    expect((await patch(other, code, { title: 'Mine' })).status).toBe(404);
    expect((await patch(other, code, { tags: ['mine'] })).status).toBe(404);
    expect((await (await patch(me, code, { favorite: true })).json<ListedLink>()).title).toBe('');
  });
});

describe('tags', () => {
  it('tags are created with the first link that has them, and found without case', async () => {
    const me = await makePerson();
    const [one, two] = [await create(me), await create(me)];
    const row = await (
      await patch(me, one, { tags: ['Launch', 'docs', 'Été'] })
    ).json<ListedLink>();
    expect(row.tags.map(({ name }) => name)).toEqual(['docs', 'Launch', 'Été']);
    expect(new Set(row.tags.map(({ color }) => color)).size).toBe(3);
    await patch(me, two, { tags: ['LAUNCH', 'été'] });
    expect(await tagsOf(me)).toHaveLength(3);
    expect(await find(me, { tag: 'ÉTÉ' })).toEqual([two, one]);
    expect((await api(me, 'POST /tags', { name: 'ÉtÉ' })).status).toBe(409);
    const launch = row.tags.find(({ name }) => name === 'Launch');
    expect((await api(me, `PATCH /tags/${launch?.id}`, { name: 'ÉTÉ' })).status).toBe(409);
    expect(await find(me, { tag: 'launch' })).toEqual([two, one]);
    expect(await find(me, { tag: 'launch', q: 'doc' })).toEqual([one]);
    await patch(me, one, { tags: [] });
    expect(await find(me, { tag: 'launch' })).toEqual([two]);
    expect(await find(me, { tag: 'unknown' })).toEqual([]);
  });

  it('tags can be renamed, merged and deleted, by their owner only', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const [one, two] = [await create(me), await create(me)];
    await patch(me, one, { tags: ['a', 'b'] });
    await patch(me, two, { tags: ['b'] });
    const [a, b] = await tagsOf(me);
    expect((await api(me, `PATCH /tags/${a?.id}`, { name: 'B' })).status).toBe(409);
    expect(
      await (await api(me, `PATCH /tags/${a?.id}`, { name: 'Alpha', color: 'red' })).json(),
    ).toEqual({
      id: a?.id,
      name: 'Alpha',
      color: 'red',
    });
    for (const [route, json] of [
      [`PATCH /tags/${a?.id}`, { name: 'theirs' }],
      [`POST /tags/${a?.id}/merge`, { into: b?.id }],
      [`DELETE /tags/${a?.id}`, undefined],
    ] as const)
      expect((await api(other, route, json)).status, route).toBe(404);
    expect(await find(me, { tag: 'alpha' })).toEqual([one]);
    expect((await api(me, `POST /tags/${b?.id}/merge`, { into: b?.id })).status).toBe(404);
    expect((await api(me, `POST /tags/${b?.id}/merge`, { into: a?.id })).status).toBe(200);
    expect(await find(me, { tag: 'alpha' })).toEqual([two, one]);
    expect((await tagsOf(me)).map(({ name }) => name)).toEqual(['Alpha']);
    expect((await api(me, `DELETE /tags/${a?.id}`)).status).toBe(200);
    expect(await tagsOf(me)).toEqual([]);
    expect(
      await env.DB.prepare('SELECT count(*) AS n FROM link_tags WHERE tag_id = ?1')
        .bind(a?.id)
        .first('n'),
    ).toBe(0);
  });

  it('tags are limited to 100 in an account and 10 on a link', async () => {
    const me = await makePerson();
    const code = await create(me);
    const names = (from: number, n: number) =>
      Array.from({ length: n }, (_, i) => `tag ${from + i}`);
    for (let from = 0; from < 100; from += 10)
      expect((await patch(me, code, { tags: names(from, 10) })).status).toBe(200);
    expect((await patch(me, code, { tags: ['one more'] })).status).toBe(409);
    expect((await api(me, 'POST /tags', { name: 'one more' })).status).toBe(409);
    expect((await patch(me, code, { tags: names(0, 11) })).status).toBe(400);
    expect(await tagsOf(me)).toHaveLength(100);
  });
});

describe('search', () => {
  it('search finds words in code, title, target, note and tag, and no former ones', async () => {
    const me = await makePerson();
    const code = await create(
      me,
      'https://www.Shop.example.com/caf%C3%A9/Summer+sale?ref=mail#top',
    );
    await patch(me, code, {
      title: 'Zürich fair',
      note: 'printed on 大阪 posters',
      tags: ['Q3 Campaign'],
    });
    await create(me, 'https://example.org/other');
    for (const q of [
      code,
      `http://localhost:8787/${code}`,
      'zuri',
      'ZÜRICH',
      'cafe',
      'summer sal',
      'shop',
      'ref mail',
      'post',
      '大阪',
      'q3',
      'camp zurich',
      'hop exam',
    ])
      expect(await find(me, { q }), q).toEqual([code]);
    for (const q of ['urich', 'umme', 'zurich other', 'https', '!!!'])
      expect(await find(me, { q }), q).toEqual([]);
    await patch(me, code, { longUrl: 'https://example.net/', title: '' });
    expect(await find(me, { q: 'cafe' })).toEqual([]);
    expect(await find(me, { q: 'net' })).toEqual([code]);
    await api(me, `DELETE /links/${code}`);
    const rows = 'SELECT count(*) AS n FROM link_words WHERE user_id = ?1 AND word LIKE ?2';
    expect(await env.DB.prepare(rows).bind(me.id, 'net%').first('n')).toBe(0);
  });

  it('search finds a code by its middle', () => {
    const words = wordsOfLink({
      code: '191Gq4m',
      title: '',
      target: 'https://a.example/',
      targetHost: 'a.example',
      note: '',
    });
    const finds = (text: string) =>
      toWords(text).every((word) => textOfWords(words).includes(` ${word}`));
    expect(['gq4m', '1gq', 'GQ4', 'q4m', 'amp', '4m'].map(finds)).toEqual([
      ...Array.from({ length: 5 }, () => true),
      false,
    ]);
  });

  it('search finds links from before there were words once a job has visited them', async () => {
    const me = await makePerson();
    const code = await create(me, 'https://example.com/needle');
    await env.DB.batch([
      env.DB.prepare('DELETE FROM link_words WHERE user_id = ?1').bind(me.id),
      env.DB.prepare('UPDATE links SET words = NULL WHERE user_id = ?1').bind(me.id),
    ]);
    expect(await find(me, { q: 'needle' })).toEqual([]);
    await indexAllWords(env, Date.now());
    expect(await find(me, { q: 'needle' })).toEqual([code]);
  });

  it('search finds the last title of a link that changes while it is indexed', async () => {
    const me = await makePerson();
    const code = await create(me);
    const change = (title: string, words: string) =>
      env.DB.prepare('UPDATE links SET title = ?2, words = ?3 WHERE code = ?1')
        .bind(code, title, words)
        .run();
    await change('first', ' stale');
    const id = await env.DB.prepare('SELECT id FROM links WHERE code = ?1')
      .bind(code)
      .first<number>('id');
    const racing = beforeBatch(env.DB, async (nth) => {
      if (nth === 1) await change('second', ' fresh');
    });
    expect(await indexWords(openDb(racing), [id ?? 0])).toBe(1);
    expect(await find(me, { q: 'second' })).toEqual([code]);
    expect(await find(me, { q: 'first' })).toEqual([]);
  });

  it('search keeps a bounded number of words of a link', () => {
    const note = Array.from({ length: 300 }, (_, i) => `word${i}`).join(' ');
    const words = wordsOfLink({
      code: 'abc',
      title: 'Title',
      target: 'https://example.com/path',
      targetHost: 'example.com',
      note,
    });
    expect(words).toHaveLength(WORDS_PER_LINK + 4);
    expect(words.slice(0, 4)).toEqual(['abc', 'title', 'example', 'com']);
    expect(words.slice(-4)).toEqual(['xample', 'ample', 'mple', 'ple']);
    const long = { code: 'a'.repeat(20), title: '', note: '', target: 'https://b.example/' };
    const host = Array.from('bcdefg', (letter) => letter.repeat(20)).join('.');
    expect(wordsOfLink({ ...long, targetHost: host })).toHaveLength(7 + 24);
    expect(toWords('x'.repeat(50))).toEqual(['x'.repeat(24)]);
  });
});

describe('order by clicks', () => {
  const count = (code: string, human: number, at: number) =>
    env.DB.prepare(
      `INSERT INTO link_totals (link_id, human, last_at) SELECT id, ?2, ?3 FROM links WHERE code = ?1
       ON CONFLICT DO UPDATE SET human = excluded.human, last_at = excluded.last_at`,
    ).bind(code, human, at);
  // Hours of one day, whichever day it is: the first run of a day counts the links of all accounts.
  let hour = startOfDay(Date.now()) + DAY_MS;
  const runJob = (DB = env.DB) => rankLinks({ DB }, (hour += HOUR_MS));
  const rowsReadByJob = async (): Promise<number> => {
    const counted = countRowsRead(env.DB);
    await runJob(counted.db);
    return counted.rowsRead();
  };

  it('order by clicks is current in most accounts, and costs no written row', async () => {
    const me = await makePerson();
    const [few, many, none] = [await create(me), await create(me), await create(me)];
    await env.DB.batch([count(few, 2, 20), count(many, 9, 10)]);
    expect(await find(me, { sort: '-clicks' })).toEqual([many, few, none]);
    expect(await find(me, { sort: '-last_click' })).toEqual([few, many, none]);
    expect(await find(me, { sort: 'code' })).toEqual([few, many, none]);
    expect(await find(me, { sort: '-code', min_clicks: '2', max_clicks: '2' })).toEqual([few]);
    expect(await runJob()).toMatchObject({ done: { links_ranked: 0 } });
    await makeLinks(
      Array.from({ length: 200 }, (_, i) => 900_000 + i),
      'another',
    );
    await count(none, 3, 30).run();
    await runJob();
    expect(await rowsReadByJob()).toBeLessThan(15);
  });

  it('order by clicks follows the last job in an account with more than 2,000 links', async () => {
    const me = await makePerson();
    await env.DB.prepare(
      `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < ?2)
       INSERT INTO links (code, target, target_host, user_id, created_at, updated_at)
       SELECT 'large-' || i, 'https://example.com/', 'example.com', ?1, i, i FROM seq`,
    )
      .bind(me.id, LIVE_ORDER_MAX_LINKS + 1)
      .run();
    await env.DB.batch([count('large-1', 2, 20), count('large-2', 9, 10)]);
    // Nothing is ranked yet, and some of so many links are not the whole list.
    expect((await find(me, { sort: '-clicks' }))[0]).toBe(`large-${LIVE_ORDER_MAX_LINKS + 1}`);
    expect(await runJob()).toMatchObject({ done: { links_ranked: 2 } });
    expect((await find(me, { sort: '-clicks' })).slice(0, 2)).toEqual(['large-2', 'large-1']);
    // The job knows the account before its list was ever shown, but not its figures.
    const list = await call('/api/my-urls', { headers: me.headers });
    expect(await list.json()).toMatchObject({
      totals: { links: LIVE_ORDER_MAX_LINKS + 1, clicks: 11, active: 2 },
    });
    await count('large-1', 12, 30).run();
    expect(await find(me, { sort: 'clicks', min_clicks: '1' })).toEqual(['large-1', 'large-2']);
    // Only the links of that account are read.
    const read = await rowsReadByJob();
    console.log(
      `rows read to rank ${LIVE_ORDER_MAX_LINKS + 1} links of which three have clicks: ${read}`,
    );
    expect(read).toBeLessThan(5 * LIVE_ORDER_MAX_LINKS);
    expect(await find(me, { sort: 'clicks', min_clicks: '1' })).toEqual(['large-2', 'large-1']);
  });

  it('order by clicks includes, a day later, an account that grew by claims', async () => {
    const me = await makePerson();
    await env.DB.prepare(
      `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < ?2)
       INSERT INTO links (code, target, target_host, user_id, created_at, updated_at)
       SELECT 'grown-' || i, 'https://example.com/', 'example.com', ?1, i, i FROM seq`,
    )
      .bind('nobody', LIVE_ORDER_MAX_LINKS + 1)
      .run();
    await runJob();
    // Links that change hands keep their ids, which the job has seen.
    await env.DB.prepare("UPDATE links SET user_id = ?1 WHERE user_id = 'nobody'")
      .bind(me.id)
      .run();
    await env.DB.prepare("DELETE FROM account_totals WHERE user_id = 'nobody'").run();
    await count('grown-1', 5, 20).run();
    // A request has counted fewer links before.
    await env.DB.prepare('INSERT INTO account_totals VALUES (?1, 1500, 0, 0, 0)').bind(me.id).run();
    expect(await runJob()).toMatchObject({ done: { links_ranked: 0 } });
    hour += DAY_MS;
    expect(await runJob()).toMatchObject({ done: { links_ranked: 1 } });
  });
});

describe('the public API', () => {
  it('writes, returns and filters by title, note, tags, favorite and archived', async () => {
    const holder = await makeKey();
    const created = await send(holder, 'POST /links', {
      json: { url: 'https://example.com/v1', title: 'T', note: 'N', tags: ['x', 'Y'] },
    });
    const link = await created.json<V1Link>();
    expect(link).toMatchObject({
      title: 'T',
      note: 'N',
      tags: ['x', 'Y'],
      favorite: false,
      archived: false,
    });
    const bulk = {
      links: [
        { url: 'https://example.com/1', tags: ['y'] },
        { url: 'https://example.com/2', title: 'Two' },
      ],
    };
    expect(await (await send(holder, 'POST /links/bulk', { json: bulk })).json()).toMatchObject({
      results: [{ link: { tags: ['Y'] } }, { link: { title: 'Two', tags: [] } }],
    });
    const list = async (query: string) =>
      (await (await send(holder, `GET /links?${query}`)).json<V1LinkList>()).data;
    expect((await list('tag=y&sort=createdAt')).map(({ url }) => url)).toEqual([
      'https://example.com/v1',
      'https://example.com/1',
    ]);
    const changed = await send(holder, `PATCH /links/${link.id}`, {
      json: { favorite: true, archived: true, tags: ['x'] },
    });
    expect(await changed.json()).toMatchObject({
      favorite: true,
      archived: true,
      tags: ['x'],
      title: 'T',
    });
    expect((await list('archived=true&favorite=true')).map(({ id }) => id)).toEqual([link.id]);
    expect(await list('q=two')).toHaveLength(1);
    expect(
      (await send(holder, 'POST /links', { json: { url: 'https://example.com', tags: ['a,b'] } }))
        .status,
    ).toBe(400);
  });
});
