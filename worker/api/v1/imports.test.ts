import { describe, expect, it } from 'vitest';
import type { ExportedLink } from '#contract/account/account.ts';
import type { ImportCheckResult, ImportResult } from '#contract/v1/v1-import.ts';
import type { V1Count, V1LinkList } from '#contract/v1/v1.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { makePerson } from '#worker/testing/make.ts';

const post = async <T>(holder: KeyHolder, path: string, json: object): Promise<T> => {
  const response = await send(holder, `POST /${path}`, { json });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
};
let serial = 0;
const newId = (): string => `import-by-key-00000${(serial += 1)}`;
const ROWS = [
  {
    url: 'https://example.com/moved',
    code: 'by-key/2020',
    title: 't'.repeat(121),
    createdAt: '2020-01-02T03:04:05Z',
    clicks: 99,
    disabled: true,
    earlierCodes: ['by-key-old'],
  },
  {
    url: 'https://example.com/no-code',
    tags: Array.from({ length: 11 }, (_, at) => `t${at}`),
    createdAt: '1989-12-31T23:59:59Z',
  },
  { url: 'https://example.com/', owner: 'x' },
  { url: 'ftp://example.com/' },
];

describe('an import by key', () => {
  it('checks rows one by one, and says what each loses', async () => {
    const holder = await makeKey({ person: await makePerson({ plan: 'premium' }) });
    const body = await post<ImportCheckResult>(holder, 'imports/check', { rows: ROWS });
    expect(body).toMatchObject({
      quotaRemaining: 1000,
      importAllowance: 10_000,
      results: [
        { verdict: 'new', code: 'by-key/2020', suffixedCode: null, losses: ['title'] },
        { verdict: 'new', code: null, losses: ['tags', 'createdAt'] },
        { verdict: 'rejected', errors: [{ pointer: '/rows/2/owner' }] },
        { verdict: 'rejected', detail: expect.stringContaining('http') },
      ],
    });
    expect((await (await send(holder, 'GET /links/count')).json<V1Count>()).count).toBe(0);
  });

  it('creates links with codes, dates, clicks and states, once, and lists them', async () => {
    const holder = await makeKey({ person: await makePerson({ plan: 'premium' }) });
    const json = { id: newId(), rows: ROWS };
    const body = await post<ImportResult>(holder, 'imports', json);
    expect(body.results.map(({ verdict }) => verdict)).toEqual([
      'created',
      'created',
      'rejected',
      'rejected',
    ]);
    expect(await post<ImportResult>(holder, 'imports', json)).toEqual(body);
    // The same rows further down in the file are known.
    const later = await post<ImportResult>(holder, 'imports', { ...json, offset: 100 });
    expect([later.created, later.results[0]]).toEqual([
      0,
      {
        verdict: 'exists',
        code: 'by-key/2020',
        shortUrl: 'http://localhost:8787/by-key/2020',
      },
    ]);
    const list = await send(holder, `GET /links?import=${json.id}&sort=createdAt`);
    expect((await list.json<V1LinkList>()).data[0]).toMatchObject({
      code: 'by-key/2020',
      earlierCodes: ['by-key-old'],
      status: 'disabled',
      createdAt: '2020-01-02T03:04:05.000Z',
      importedClicks: 99,
    });
    const moved = await post<ImportResult>(holder, 'imports', { ...json, rows: [ROWS[1]] });
    expect(moved.results).toMatchObject([{ verdict: 'exists' }]);
    const checked = await post<ImportCheckResult>(holder, 'imports/check', { rows: ROWS });
    expect(checked.results[0]).toMatchObject({ verdict: 'exists', code: 'by-key/2020' });
    const none = await send(holder, `GET /links/count?import=${newId()}`);
    expect(await none.json()).toEqual({ count: 0 });
  });

  it('skips a taken code, gives another one or adds a number', async () => {
    const [other, holder] = [await makeKey(), await makeKey()];
    const row = { url: 'https://example.com/taken', code: 'key-taken' };
    await post(other, 'imports', { id: newId(), rows: [row] });
    const checked = await post<ImportCheckResult>(holder, 'imports/check', { rows: [row] });
    expect(checked.results).toMatchObject([{ verdict: 'taken', suffixedCode: 'key-taken-2' }]);
    const outcomes = [];
    for (const collisions of [undefined, 'skip', 'suffix'])
      outcomes.push(
        await post<ImportResult>(holder, 'imports', { id: newId(), collisions, rows: [row] }),
      );
    expect(outcomes).toMatchObject([
      { created: 0, results: [{ verdict: 'skipped', code: null }] },
      { created: 0, results: [{ verdict: 'skipped', code: null }] },
      { created: 1, results: [{ verdict: 'created', code: 'key-taken-2' }] },
    ]);
  });

  it('[T41] a key with a code prefix can neither import nor export', async () => {
    const holder = await makeKey({ codePrefix: 'pre-' });
    const answers = [
      await send(holder, 'POST /imports/check', { json: { rows: ROWS } }),
      await send(holder, 'POST /imports', { json: { id: newId(), rows: ROWS } }),
      await send(holder, 'GET /export'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe('GET /export', () => {
  it('exports every link in a chosen format', async () => {
    const holder = await makeKey();
    await send(holder, 'POST /links', {
      json: { url: 'https://example.com/', code: 'key-export' },
    });
    const json = await send(holder, 'GET /export?format=json');
    expect(json.headers.get('Content-Type')).toContain('application/json');
    expect((await json.json<ExportedLink[]>()).map((link) => link.short_code)).toEqual([
      'key-export',
    ]);
    const csv = await send(holder, 'GET /export');
    expect(csv.headers.get('Content-Disposition')).toContain('links.csv');
    expect(await csv.text()).toContain('"key-export"');
    const LIMIT_VISITOR_LINKS = { limit: async () => ({ success: false }) };
    expect((await send(holder, 'GET /export', {}, { LIMIT_VISITOR_LINKS })).status).toBe(429);
  });
});
