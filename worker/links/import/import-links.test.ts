import { createHash } from 'node:crypto';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { ExportedLink } from '#contract/account/account.ts';
import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import type { MyLinksResponse } from '#contract/links/links.ts';
import { call } from '#worker/testing/call.ts';
import {
  check,
  codesOf,
  importRows,
  linksOf,
  newImportId,
  postLinks,
  usageOf,
  verdicts,
} from '#worker/testing/import.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

let serial = 0;
const newCode = (): string => `imp-${(serial += 1)}`;
const url = (n: number): string => `https://example.com/${n}`;

describe('POST /api/links/import', () => {
  it('creates links with their codes, dates, texts, tags and former clicks', async () => {
    const me = await makePerson({ usage: 3 });
    const code = newCode();
    const row = {
      line: 2,
      url: 'example.com/spring',
      code,
      title: `  A title\n${'x'.repeat(200)}`,
      note: 'Old\r\nnote',
      tags: ['Spring', 'spring', 'a,b', ''],
      createdAt: '2019-05-01T10:00:00+02:00',
      expiresAt: '2199-01-01T00:00:00Z',
      forwardParams: ['ref'],
      clicks: 12_345,
      sourceId: `bit.ly/${code}`,
    };
    const later = { line: 3, url: url(1), createdAt: '2999-01-01T00:00:00Z', archived: true };
    const paused = {
      line: 4,
      url: url(2),
      code: newCode(),
      favorite: true,
      disabled: true,
      createdAt: '1999-01-01T00:00:00Z',
    };
    const body = await importRows(me, [row, later, paused], { format: 'bitly' });
    expect(verdicts(body)).toEqual(['created', 'created', 'created']);
    expect(body.usage).toEqual({ current_usage: 6, monthly_limit: 25 });
    const [link, ...others] = await linksOf(me);
    // The archived one is not in the list.
    expect(others).toMatchObject([
      { favorite: true, status: 'disabled', status_reason: 'You disabled this link.' },
    ]);
    expect((await call(`/${paused.code}`)).status).toBe(410);
    expect(link).toMatchObject({
      short_code: code,
      long_url: 'https://example.com/spring',
      created_at: '2019-05-01T08:00:00.000Z',
      expires_at: '2199-01-01T00:00:00.000Z',
      note: 'Old\nnote',
      forward_params: ['ref'],
      click_count: 0,
      tags: [{ name: 'Spring' }, { name: 'a b' }].toSorted((a, b) => a.name.localeCompare(b.name)),
    });
    expect(link?.title).toBe(`A title ${'x'.repeat(112)}`);
    const archived = await env.DB.prepare(
      'SELECT created_at, updated_at FROM links WHERE user_id = ?1 AND archived = 1',
    )
      .bind(me.id)
      .first();
    expect(archived?.['created_at']).toBe(archived?.['updated_at']);
    expect((await call(`/${code}?ref=a&utm_term=b`)).headers.get('Location')).toBe(
      'https://example.com/spring?ref=a',
    );
    // Nobody can make a link look old to those who are asked to trust it.
    expect(await (await call(`/${code}+`)).text()).not.toContain('2019');
    const report = await (
      await call(`/api/analytics/${code}`, { headers: me.headers })
    ).json<AnalyticsResponse>();
    expect(report).toMatchObject({
      lifetime: { totalClicks: 0 },
      imported: { clicks: 12_345, from: 'Bitly' },
    });
    expect(
      (await (await call('/api/my-urls?q=spring', { headers: me.headers })).json<MyLinksResponse>())
        .urls,
    ).toHaveLength(1);
  });

  it('dates before 1990 are none, and no link is older or newer than its clock allows', async () => {
    const me = await makePerson();
    const history = ['1989-12-31T23:59:59Z', '1990-01-01T00:00:00Z', '2999-01-01T00:00:00Z'].map(
      (until) => ({ until, url: url(9), code: 'before', status: 'active' }) as const,
    );
    const rows = [
      { createdAt: '1989-12-31T23:59:59Z', expiresAt: '1970-01-01T00:00:00Z', history },
      { createdAt: '1990-01-01T00:00:00Z', expiresAt: '1990-01-01T00:00:01Z' },
      { createdAt: '2999-01-01T00:00:00Z' },
      {},
    ].map((row, at) => Object.assign({ line: at + 1, url: url(at) }, row));
    const start = Date.now();
    await importRows(me, rows);
    const { results } = await env.DB.prepare(
      'SELECT created_at, expires_at, updated_at, imported_at FROM links WHERE user_id = ?1 ORDER BY id',
    )
      .bind(me.id)
      .all<Record<string, number>>();
    const now = results[0]?.['imported_at'] ?? 0;
    expect(now).toBeGreaterThanOrEqual(start);
    const oldest = Date.UTC(1990, 0, 1);
    const written = { updated_at: now, imported_at: now };
    expect(results).toEqual([
      { created_at: now, expires_at: oldest, ...written },
      { created_at: oldest, expires_at: oldest + 1000, ...written },
      { created_at: now, expires_at: null, ...written },
      { created_at: now, expires_at: null, ...written },
    ]);
    const changes = env.DB.prepare(
      'SELECT at FROM link_changes WHERE link_id IN (SELECT id FROM links WHERE user_id = ?1)',
    );
    expect((await changes.bind(me.id).all()).results).toEqual([{ at: oldest }]);
  });

  it('answers a repeated request as before and creates nothing, also at the same time', async () => {
    const me = await makePerson();
    const id = newImportId();
    const rows = [
      { line: 1, url: url(1) },
      { line: 2, url: url(1), nth: 2 },
      { line: 3, url: url(2), code: newCode() },
      { line: 4, url: url(2), code: `imp-${serial}` },
    ];
    // Without codes, nothing but the rows themselves keeps a second link from being made.
    const other = await makePerson();
    const race = await Promise.all(
      [1, 2, 3].map(() => importRows(other, rows.slice(0, 2), { id })),
    );
    for (const answer of race) expect(answer.lines).toEqual(race[0]?.lines);
    expect(await usageOf(other)).toBe(2);
    const answers = await Promise.all([1, 2, 3].map(() => importRows(me, rows, { id })));
    const again = await importRows(me, rows, { id });
    for (const answer of answers) expect(answer.lines).toEqual(again.lines);
    expect(verdicts(again)).toEqual(['created', 'created', 'created', 'exists']);
    expect([(await linksOf(me)).length, await usageOf(me)]).toEqual([3, 3]);
    // Another import of the same file, with the rows in another order.
    const moved = rows.map(({ line, ...row }) => Object.assign(row, { line: 10 - line }));
    const second = await importRows(me, moved.toReversed());
    expect(new Set(verdicts(second))).toEqual(new Set(['exists']));
    expect(new Set(codesOf(second))).toEqual(new Set(codesOf(again)));
    expect([(await linksOf(me)).length, await usageOf(me)]).toEqual([3, 3]);
  });

  it('the list can be limited to the links of one import', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const id = newImportId();
    // Whole words, because a random code may begin with any digit.
    const urls = ['apple', 'birch', 'cedar'].map((tree) => `https://example.com/import-${tree}`);
    const rows = urls.map((given, at) => ({ line: at + 1, url: given }));
    await importRows(me, rows.slice(0, 2), { id });
    await importRows(me, rows.slice(1));
    const listed = async (person: Person, query: string) => {
      const response = await call(`/api/my-urls?${query}`, { headers: person.headers });
      return (await response.json<MyLinksResponse>()).urls.map((link) => link.long_url).sort();
    };
    expect(await listed(me, `import=${id}`)).toEqual(urls.slice(0, 2));
    expect(await listed(me, `import=${id}&q=import-birch`)).toEqual([urls[1]]);
    expect(await listed(other, `import=${id}`)).toEqual([]);
  });

  it('knows a row by its id and code, although its target has changed', async () => {
    const me = await makePerson();
    const one = newCode();
    const row = { line: 1, url: url(1), code: one, sourceId: 'a' };
    const first = await importRows(me, [row], { format: 'kutt' });
    const moved = { ...row, url: url(2) };
    expect(codesOf(await importRows(me, [moved], { format: 'kutt' }))).toEqual(codesOf(first));
    // Another code is printed somewhere, so it becomes a link.
    const renamed = { ...moved, code: newCode() };
    expect(verdicts(await importRows(me, [renamed], { format: 'kutt' }))).toEqual(['created']);
    // A deleted link can be imported again.
    await call(`/api/links/${one}`, { method: 'DELETE', headers: me.headers });
    expect(verdicts(await importRows(me, [moved], { format: 'kutt' }))).toEqual(['created']);
  });

  it('creates the links of a second table whose ids are those of the first', async () => {
    const me = await makePerson();
    const first = [1, 2, 3].map((n) => ({ line: n, url: url(n), sourceId: String(n) }));
    const second = first.map((row) => ({ ...row, url: url(10 + row.line), code: newCode() }));
    await importRows(me, first);
    expect(verdicts(await check(me, second))).toEqual(['new', 'new', 'new']);
    expect(codesOf(await importRows(me, second))).toEqual(second.map(({ code }) => code));
    for (const rows of [first, second])
      expect(new Set(verdicts(await importRows(me, rows)))).toEqual(new Set(['exists']));
    const twice = [1, 2].map((line) => ({ line, url: url(30), sourceId: 'twice' }));
    expect(verdicts(await check(me, twice))).toEqual(['new', 'exists']);
    const third = second.map((row) => Object.assign(row, { url: url(20 + row.line) }));
    expect(verdicts(await check(me, third))).toEqual(['taken', 'taken', 'taken']);
  });

  it('knows the rows that an earlier release recorded by their ids alone', async () => {
    const me = await makePerson();
    const row = { line: 1, url: url(1), sourceId: 'b7' };
    const first = await importRows(me, [row], { format: 'sink' });
    const key = createHash('sha256').update(JSON.stringify(['sink', 'id', 'b7']));
    await env.DB.prepare('UPDATE link_imports SET row_key = ?2 WHERE user_id = ?1')
      .bind(me.id, key.digest('base64url').slice(0, 22))
      .run();
    expect(codesOf(await importRows(me, [row], { format: 'sink' }))).toEqual(codesOf(first));
    const other = { ...row, url: url(2) };
    expect(verdicts(await importRows(me, [other], { format: 'sink' }))).toEqual(['created']);
  });

  it('an import keeps a link that has ended, and its end', async () => {
    const me = await makePerson();
    const rows = [
      { line: 1, url: url(1), code: newCode(), expiresAt: '2001-01-01T00:00:00Z' },
      // An edge record that ends at 0 would never end.
      { line: 2, url: url(2), code: newCode(), expiresAt: '1970-01-01T00:00:00Z' },
    ];
    expect(verdicts(await check(me, rows))).toEqual(['new', 'new']);
    expect(verdicts(await importRows(me, rows))).toEqual(['created', 'created']);
    expect((await linksOf(me)).map((link) => link.expires_at)).toEqual([
      '1990-01-01T00:00:00.000Z',
      '2001-01-01T00:00:00.000Z',
    ]);
    for (const { code } of rows) expect((await call(`/${code}`)).status).toBe(410);
    expect(verdicts(await importRows(me, rows))).toEqual(['exists', 'exists']);
  });

  it('skips rows whose code is taken, gives them another one, or adds a number', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const [taken, long] = [newCode(), `imp-${'x'.repeat(16)}`];
    await importRows(other, [
      { line: 1, url: url(1), code: taken },
      { line: 2, url: url(1), code: `${taken}-2` },
      { line: 3, url: url(1), code: long },
    ]);
    const rows = [
      { line: 1, url: url(1), code: taken.toUpperCase() },
      { line: 2, url: url(2), code: taken },
      { line: 3, url: url(3), code: long },
      { line: 4, url: url(4), code: 'pricing' },
      { line: 5, url: url(5), code: 'no.code' },
    ];
    const expected = [`${taken.toUpperCase()}-3`, `${taken}-4`, `${long}-2`, 'pricing-2', null];
    const checked = await check(me, rows);
    expect(
      checked.lines.map((line) => (line.verdict === 'taken' ? line.suffixed : line.verdict)),
    ).toEqual(expected);
    const [lower, upper] = [rows[1], rows[0]].flatMap((row, at) =>
      row === undefined ? [] : [Object.assign({}, row, { line: at + 1 })],
    );
    const reversed = await check(
      me,
      [lower, upper].flatMap((row) => row ?? []),
    );
    expect(reversed.lines).toMatchObject([
      { suffixed: `${taken}-3` },
      { suffixed: `${taken.toUpperCase()}-4` },
    ]);
    const skipped = await importRows(me, rows);
    expect(verdicts(skipped)).toEqual(rows.map(() => 'skipped'));
    expect(skipped.lines).toMatchObject([
      { error: 'Another link has this code.' },
      {},
      {},
      { error: 'This alias is reserved. Choose another one.' },
      { error: expect.stringMatching(/^A code can have/) },
    ]);
    expect(await usageOf(me)).toBe(0);
    const suffixed = codesOf(await importRows(me, rows, { collisions: 'suffix' }));
    expect(suffixed.slice(0, 4)).toEqual(expected.slice(0, 4));
    expect(suffixed[4]).toMatch(/^[0-9A-Za-z]{7}$/);
    const third = await makePerson();
    const fresh = codesOf(await importRows(third, rows, { collisions: 'new_code' }));
    for (const code of fresh) expect(code).toMatch(/^[0-9A-Za-z]{7}$/);
    // They are known by the codes of the file.
    expect(codesOf(await importRows(third, rows))).toEqual(fresh);
  });

  it('[T25] fills the quota to the last link, and imports the rest later', async () => {
    const me = await makePerson({ usage: 22 });
    const rows = Array.from({ length: 5 }, (_, at) => ({ line: at + 1, url: url(at) }));
    const id = newImportId();
    const body = await importRows(me, rows, { id });
    expect(verdicts(body)).toEqual(['created', 'created', 'created', 'over_quota', 'over_quota']);
    expect(body.lines[4]).toMatchObject({ error: "You have used all of this month's links." });
    expect(await usageOf(me)).toBe(25);
    expect((await check(me, rows)).room).toBe(0);
    await env.DB.prepare('UPDATE subscriptions SET current_usage = 0 WHERE user_id = ?1')
      .bind(me.id)
      .run();
    const rest = await importRows(me, rows, { id });
    expect(verdicts(rest)).toEqual(rows.map(() => 'created'));
    expect([codesOf(rest).slice(0, 3), await usageOf(me)]).toEqual([codesOf(body).slice(0, 3), 2]);
  });

  it('rejects what the link policy does not allow, row by row', async () => {
    await env.DB.prepare(
      "INSERT INTO blocklist (kind, value, created_at) VALUES ('host', 'bad-import.example.org', 1)",
    ).run();
    const me = await makePerson();
    const rows = [
      { line: 1, url: 'javascript:alert(1)' },
      { line: 2, url: 'https://x.bad-import.example.org/' },
      { line: 3, url: 'https://localhost/' },
      { line: 4, url: url(1) },
    ];
    const expected = ['rejected', 'rejected', 'rejected'];
    expect(verdicts(await check(me, rows))).toEqual([...expected, 'new']);
    const body = await importRows(me, rows);
    expect(verdicts(body)).toEqual([...expected, 'created']);
    for (const line of body.lines) if ('error' in line) expect(line.error).toMatch(/\.$/);
    expect(await usageOf(me)).toBe(1);
  });

  it('checks 500 rows and imports 100 in one request, on every plan', async () => {
    const rows = (n: number) =>
      Array.from({ length: n }, (_, at) => ({ line: at + 1, url: url(at) }));
    const [free, premium] = [await makePerson(), await makePerson({ plan: 'premium' })];
    expect((await check(free, rows(500))).lines).toHaveLength(500);
    expect((await check(premium, rows(500))).lines).toHaveLength(500);
    expect((await importRows(premium, rows(100))).usage?.current_usage).toBe(100);
    for (const [path, bad] of [
      ['import/check', { format: 'csv', rows: rows(501) }],
      ['import', { format: 'csv', id: newImportId(), collisions: 'skip', rows: rows(101) }],
      ['import/check', { format: 'csv', rows: [...rows(1), ...rows(1)] }],
      ['import/check', { format: 'unknown', rows: rows(1) }],
      ['import', { format: 'csv', id: 'x', collisions: 'skip', rows: rows(1) }],
    ] as const)
      expect((await postLinks(premium, path, bad)).status).toBe(400);
    const negative = await postLinks(premium, 'import/check', {
      format: 'csv',
      rows: [{ line: 1, url: url(1), clicks: -1 }],
    });
    expect(await negative.json()).toMatchObject({ error: 'rows.0.clicks must be at least 0.' });
  });

  it('an import leaves out tags for which the account has no room', async () => {
    const me = await makePerson();
    await env.DB.prepare(
      `INSERT INTO tags (user_id, name, color, created_at)
        SELECT ?1, 'tag ' || value, 'gray', 1 FROM json_each(?2)`,
    )
      .bind(me.id, JSON.stringify(Array.from({ length: 100 }, (_, at) => at)))
      .run();
    expect(
      verdicts(await importRows(me, [{ line: 1, url: url(1), tags: ['tag 7', 'new'] }])),
    ).toEqual(['created']);
    expect((await linksOf(me))[0]?.tags.map(({ name }) => name)).toEqual(['tag 7']);
  });

  it('adds nothing when an export is imported, and exports what was imported', async () => {
    const me = await makePerson();
    const [kept, taken] = [newCode(), newCode()];
    await importRows(await makePerson(), [{ line: 1, url: url(1), code: taken }]);
    const rows = [
      {
        line: 1,
        url: url(1),
        code: kept,
        clicks: 7,
        sourceId: '1',
        title: '=1+1',
        createdAt: '2020-02-02T00:00:00Z',
      },
      { line: 2, url: url(2), code: taken, sourceId: '2' },
      { line: 3, url: url(3), sourceId: '3' },
    ];
    await importRows(me, rows, { format: 'shlink', collisions: 'suffix' });
    const file = (format: string) =>
      call(`/api/account/links?format=${format}`, { headers: me.headers });
    const exported = await (await file('json')).json<ExportedLink[]>();
    expect(exported.map(({ imported }) => imported)).toEqual([
      { from: 'shlink', clicks: 7 },
      { from: 'shlink', clicks: null },
      { from: 'shlink', clicks: null },
    ]);
    expect(await (await file('csv')).text()).toMatch(/,"shlink","7","imp-12",/);
    const back = exported.map(({ short_code, long_url, created_at }, at) => ({
      line: at + 1,
      url: long_url,
      code: short_code,
      createdAt: created_at,
    }));
    expect(verdicts(await check(me, back, 'hop'))).toEqual(['exists', 'exists', 'exists']);
    expect(verdicts(await importRows(me, back, { format: 'hop' }))).toEqual([
      'exists',
      'exists',
      'exists',
    ]);
    expect(verdicts(await importRows(me, rows, { format: 'shlink' }))).toEqual([
      'exists',
      'exists',
      'exists',
    ]);
    expect([(await linksOf(me)).length, await usageOf(me)]).toEqual([3, 3]);
  });
});
