import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import {
  check,
  importRows,
  linksOf,
  newImportId,
  usageOf,
  verdicts,
} from '#worker/testing/import.ts';
import { makePerson } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';

let serial = 0;
const newCode = (): string => `kept-${(serial += 1)}`;
const url = (n: number): string => `https://example.com/${n}`;

describe('an import of codes that the account had before', () => {
  it('[T13] an import gives deleted links of the member their codes back, and no others', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const [one, two, held, kept] = [newCode(), newCode(), newCode(), newCode()];
    const rows = [one, two, held, kept].map((code, at) => ({ line: at + 1, url: url(at), code }));
    const first = await importRows(me, rows);
    expect(verdicts(first)).toEqual(rows.map(() => 'created'));
    for (const code of [one, two, held])
      await call(`/api/links/${code}`, { method: 'DELETE', headers: me.headers });
    const hold =
      "INSERT INTO link_holds (link_id, kind, created_at) SELECT id, 'host', 1 FROM links WHERE code = ?1";
    await env.DB.prepare(hold).bind(held).run();
    expect(verdicts(await check(other, rows))).toEqual(rows.map(() => 'taken'));
    expect(verdicts(await check(me, rows))).toEqual(['new', 'new', 'taken', 'exists']);
    const changed = rows.map((row) => Object.assign(row, { title: 'Again' }));
    const answers = await Promise.all([1, 2].map(() => importRows(me, changed)));
    const again = answers.find(({ lines }) => lines[0]?.verdict === 'created');
    expect(again?.lines).toMatchObject([
      { verdict: 'created', code: one },
      { verdict: 'created', code: two },
      { verdict: 'skipped', error: expect.stringContaining('was disabled') },
      { verdict: 'exists', code: kept },
    ]);
    expect(answers.filter(({ lines }) => lines[0]?.verdict === 'exists')).toHaveLength(1);
    expect(await usageOf(me)).toBe(6);
    const titles = new Map((await linksOf(me)).map((link) => [link.short_code, link.title]));
    expect(titles).toEqual(
      new Map([one, two, kept].map((code) => [code, code === kept ? '' : 'Again'])),
    );
    for (const code of [one, two]) expect((await call(`/${code}`)).status).toBe(302);
    expect((await call(`/${held}`)).status).toBe(410);
  });

  it('[T13] [T67] an import leaves a code to another member’s link with a different spelling', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const made = await call('/api/shorten', { json: { longUrl: url(1) }, headers: me.headers });
    const { code } = await made.json<{ code: string }>();
    await call(`/api/links/${code}`, { method: 'DELETE', headers: me.headers });
    const swapped = code.replaceAll(/[a-z]/gi, (letter) =>
      letter < 'a' ? letter.toLowerCase() : letter.toUpperCase(),
    );
    expect(verdicts(await importRows(other, [{ line: 1, url: url(2), code: swapped }]))).toEqual([
      'skipped',
    ]);
    await env.DB.prepare(
      "INSERT INTO links (code, is_alias, target, target_host, user_id, created_at, updated_at) VALUES (?1, 1, ?2, 'example.com', ?3, 1, 1)",
    )
      .bind(swapped, url(2), other.id)
      .run();
    expect(verdicts(await check(me, [{ line: 1, url: url(1), code }]))).toEqual(['taken']);
  });

  it('reads the rows of these links only, however many links there are', async () => {
    const me = await makePerson();
    const row = { line: 1, url: url(1), code: newCode() };
    await importRows(me, [row]);
    await call(`/api/links/${row.code}`, { method: 'DELETE', headers: me.headers });
    await env.DB.prepare(
      `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < 2000)
       INSERT INTO links (code, target, target_host, created_at, updated_at) SELECT 'many-' || i, 'https://example.com/', 'example.com', i, i FROM seq`,
    ).run();
    const counted = countRowsRead(env.DB);
    const json = { format: 'csv', id: newImportId(), collisions: 'skip', rows: [row] };
    const answer = await call(
      '/api/links/import',
      { json, headers: me.headers },
      { DB: counted.db },
    );
    expect(await answer.json()).toMatchObject({ lines: [{ verdict: 'created', code: row.code }] });
    expect(counted.rowsRead()).toBeGreaterThan(0);
    expect(counted.rowsRead()).toBeLessThan(500);
  });

  it('knows a link by its earlier codes', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const [before, after] = [newCode(), newCode()];
    const row = { line: 1, url: url(1), code: before };
    expect(
      (
        await call('/api/shorten', {
          json: { longUrl: url(1), customCode: before },
          headers: me.headers,
        })
      ).status,
    ).toBe(201);
    const renamed = await call(`/api/links/${before}`, {
      method: 'PATCH',
      json: { customCode: after },
      headers: me.headers,
    });
    expect(renamed.status).toBe(200);
    expect((await check(me, [row])).lines).toEqual([{ line: 1, verdict: 'exists', code: after }]);
    expect(verdicts(await check(other, [row]))).toEqual(['taken']);
  });
});
