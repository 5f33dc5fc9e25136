import { describe, expect, it } from 'vitest';
import type { ExportedLink } from '#contract/account/account.ts';
import { readImport } from '#web/features/import/formats/read-import.ts';
import { toRequestRows } from '#web/features/import/import-requests.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import {
  check,
  codesOf,
  importRows,
  linksOf as listLinks,
  verdicts,
} from '#worker/testing/import.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const exportOf = async (person: Person, format: string): Promise<string> =>
  (await call(`/api/account/links?format=${format}`, { headers: person.headers })).text();
const linksOf = async (person: Person): Promise<ExportedLink[]> =>
  JSON.parse(await exportOf(person, 'json'));

/** An account whose link has everything that an export has, under codes that start with `name`. */
async function makeExporter(name: string): Promise<Person> {
  const holder = await makeKey({ person: await makePerson({ plan: 'premium' }) });
  const { person } = holder;
  const row = {
    line: 1,
    url: 'https://example.com/first',
    code: `${name}-1`,
    externalId: `${name}-id`,
    clicks: 1234,
    createdAt: '2021-02-03T04:05:06Z',
    title: 'First',
    note: 'A note',
    tags: ['print', 'spring'],
    forwardParams: ['ref'],
    favorite: true,
    archived: true,
    expiresAt: '2099-01-01T00:00:00Z',
    clickLimit: 10,
    clickLimitOpen: true,
    variants: [{ url: 'https://example.com/b', weight: 30 }],
    watch: 'always' as const,
    watchFallback: 'https://example.com/copy',
  };
  await importRows(person, [row]);
  const { id } = await (await send(holder, `GET /links/by-code/${name}-1`)).json<{ id: string }>();
  for (const change of [
    { code: `${name}-2` },
    { url: 'https://example.com/second', title: 'Second', tags: ['print'] },
    { code: `${name}-3`, enabled: false },
  ])
    expect((await send(holder, `PATCH /links/${id}`, { json: change })).status).toBe(200);
  return person;
}

/** What a link keeps. Its counts start again, and the clicks so far are those before the import. */
const kept = ({ status_reason: _reason, clicks, imported, ...link }: ExportedLink) => ({
  ...link,
  clicks: clicks.human + (imported?.clicks ?? 0),
});

describe('an export that is imported into another account', () => {
  it('keeps codes, earlier codes, history, clicks and every setting', async () => {
    const from = await makeExporter('trip');
    const text = (await exportOf(from, 'json')).replaceAll('trip-', 'back-');
    const { rows, losses, format } = await readImport(text);
    expect([format, losses.filter(({ text: loss }) => /code|history/i.test(loss))]).toEqual([
      'hop',
      [],
    ]);
    const to = await makePerson({ plan: 'premium' });
    expect(verdicts(await importRows(to, toRequestRows(rows), { format }))).toEqual(['created']);
    const [back] = await linksOf(to);
    expect(back?.earlier_codes).toEqual(['back-2', 'back-1']);
    expect(back?.history.map(({ short_code, title }) => [short_code, title])).toEqual([
      ['back-1', 'First'],
      ['back-2', 'First'],
      ['back-2', 'Second'],
    ]);
    const renamed = JSON.parse(text).map(kept);
    expect((await linksOf(to)).map(kept)).toEqual(renamed);
    // A printed code leads to the link; it is disabled, as it was.
    expect((await call('/back-1')).status).toBe(410);
    await call('/api/links/back-3', {
      method: 'PATCH',
      json: { enabled: true },
      headers: to.headers,
    });
    const opened = await call('/back-1', { headers: { 'User-Agent': 'Mozilla/5.0 Chrome/140.0' } });
    expect(opened.status).toBe(302);
    expect(opened.headers.get('Location')).toMatch(/^https:\/\/example\.com\/(second|b)$/);
  });

  it('keeps earlier codes and clicks as a table, too', async () => {
    const from = await makeExporter('table');
    const text = (await exportOf(from, 'csv')).replaceAll('table-', 'sheet-');
    const { rows, format } = await readImport(text);
    const to = await makePerson({ plan: 'premium' });
    await importRows(to, toRequestRows(rows), { format });
    const { history: _, ...link } = (await linksOf(to)).map(kept)[0] ?? expect.fail();
    const { history: __, ...before } = JSON.parse(
      (await exportOf(from, 'json')).replaceAll('table-', 'sheet-'),
    ).map(kept)[0];
    expect(link).toEqual(before);
  });

  it('says which earlier codes and external ids it cannot keep, and keeps the others', async () => {
    const [other, me] = [await makePerson(), await makePerson()];
    const url = 'https://example.com/earlier';
    await importRows(other, [{ line: 1, url, code: 'early-taken' }]);
    await importRows(me, [{ line: 1, url: 'https://example.com/id', externalId: 'mine' }]);
    const row = {
      line: 1,
      url,
      code: 'Early',
      externalId: 'mine',
      earlierCodes: ['early', 'early-taken', 'dash.board', 'next', 'early-free'],
    };
    const next = { line: 2, url: `${url}/2`, code: 'next', earlierCodes: ['early-free'] };
    const taken = { ...row, line: 3, code: 'early-taken', earlierCodes: ['dash.board'] };
    const { lines } = await check(me, [row, next, taken]);
    expect(lines[2]).toMatchObject({
      verdict: 'taken',
      lostCodes: ['dash.board'],
      losesExternalId: true,
    });
    expect(lines.slice(0, 2)).toEqual([
      {
        line: 1,
        verdict: 'new',
        code: 'Early',
        lostCodes: ['early-taken', 'dash.board', 'next'],
        losesExternalId: true,
      },
      { line: 2, verdict: 'new', code: 'next', lostCodes: ['early-free'] },
    ]);
    const [one, two] = [
      { line: 4, url: `${url}/4` },
      { line: 5, url: `${url}/5` },
    ] as const;
    const twice = [one, two].map((given) => Object.assign({ externalId: 'twice' }, given));
    const losses = (await check(me, twice)).lines.map((line) => 'losesExternalId' in line);
    expect(losses).toEqual([false, true]);
    const suffixed = [
      { ...one, code: 'early-taken' },
      { ...two, code: 'early-new', earlierCodes: ['early-taken-2'] },
    ];
    expect((await check(me, suffixed)).lines[0]).toMatchObject({ suffixed: 'early-taken-3' });
    await importRows(me, [row, next]);
    const codes = (await linksOf(me)).map((link) => [link.short_code].concat(link.earlier_codes));
    expect(codes.slice(1)).toEqual([['Early', 'early', 'early-free'], ['next']]);
    // The earlier code belongs to the link in any spelling.
    const again = await check(other, [{ line: 1, url: `${url}/3`, code: 'EARLY-free' }]);
    expect(verdicts(again)).toEqual(['taken']);
  });
});

describe('an import of links on other hosts', () => {
  it('keeps the host where the account can create links, and says so before', async () => {
    const person = await makePerson({ plan: 'premium' });
    const other = await makePerson();
    const domain = await makeDomain('go.moved.test-host.com', { owner: person.id });
    const foreign = await makeDomain('go.foreign-import.test-host.com', { owner: other.id });
    const text = `shortLink,domain,key,url
https://go.moved.test-host.com/login,go.moved.test-host.com,login,https://example.com/1
https://go.foreign-import.test-host.com/f1,go.foreign-import.test-host.com,f1,https://example.com/2
https://dub.sh/f2,dub.sh,f2,https://example.com/3
`;
    const { rows, format } = await readImport(text);
    const request = toRequestRows(rows);
    const checked = await check(person, request, format);
    const keys = [`${domain}/login`, 'f1', 'f2'];
    expect(checked.lines.map((line) => 'code' in line && line.code)).toEqual(keys);
    expect(codesOf(await importRows(person, request, { format }))).toEqual(keys);
    expect(verdicts(await check(person, request, format))).toEqual(['exists', 'exists', 'exists']);
    expect(keys.some((key) => key.startsWith(foreign))).toBe(false);
    const links = await listLinks(person);
    expect(links.at(-1)).toMatchObject({ short_code: keys[0], domain: 'go.moved.test-host.com' });
    const [suffixed] = (
      await check(person, [
        { line: 1, url: 'https://example.com/4', code: 'login', domain: 'go.moved.test-host.com' },
      ])
    ).lines;
    expect(suffixed).toMatchObject({ verdict: 'taken', suffixed: `${domain}/login-2` });
  });

  it('keeps domains and earlier codes of an own export', async () => {
    const person = await makePerson({ plan: 'premium' });
    const domain = await makeDomain('go.export.test-host.com', { owner: person.id });
    const change = (code: string, json: object) =>
      call(`/api/links/${encodeURIComponent(code)}`, {
        method: 'PATCH',
        json,
        headers: person.headers,
      });
    await importRows(person, [{ line: 1, url: 'https://example.com/', code: 'first-here' }]);
    await change('first-here', { domain: 'go.export.test-host.com', customCode: 'second' });
    await change(`${domain}/second`, { customCode: 'third' });
    for (const format of ['json', 'csv']) {
      const { rows } = await readImport(await exportOf(person, format));
      expect(toRequestRows(rows)[0]).toMatchObject({
        domain: 'go.export.test-host.com',
        code: expect.stringMatching(/third$/),
        earlierCodes: [`${domain}/second`, 'first-here'],
      });
      const twin = toRequestRows(rows).map((row) =>
        Object.assign({}, row, {
          url: `https://example.com/${format}`,
          code: `third-${format}`,
          earlierCodes: ['second', 'here'].map((code) => `d.another123/${code}-${format}`),
        }),
      );
      await importRows(person, twin);
      const link = (await listLinks(person)).find(({ long_url: url }) => url.endsWith(format));
      expect(link).toMatchObject({
        short_code: `${domain}/third-${format}`,
        earlier_codes: [`${domain}/second-${format}`, `${domain}/here-${format}`],
      });
    }
    const map = await exportOf(person, 'nginx');
    expect(map).toContain('/first-here ');
    expect(map).not.toContain('third');
    expect(await exportOf(person, 'cloudflare')).toMatch(
      /go\.export\.test-host\.com(:\d+)?\/third,/,
    );
  });
});
