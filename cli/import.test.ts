import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { hop, ORIGIN, problem } from './testing/hop.ts';

vi.mock('node:stream/consumers', () => ({
  buffer: async () => new TextEncoder().encode('https://example.com/stdin\n'),
}));

type Outcome = 'ok' | 'quota_reached' | 'invalid_target' | 'unauthenticated' | 'forbidden';

const newFile = (text: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'hop-')), 'links.txt');
  writeFileSync(file, text);
  return file;
};
const five = newFile([1, 2, 3, 4, 5].map((n) => `https://example.com/${n}`).join('\n'));

/** A server on which creating links has the given outcomes, in order; the last one repeats. */
function serverWith(linksPerBulkRequest: number, ...outcomes: Outcome[]) {
  let made = 0;
  const create = () => {
    const code = outcomes[Math.min(made, outcomes.length - 1)] ?? 'ok';
    made += 1;
    return code === 'ok'
      ? { ok: true, link: { id: `${made}`, code: `c${made}`, shortUrl: `${ORIGIN}/c${made}` } }
      : { ok: false, code, title: code, detail: `${code}!`, status: 403 };
  };
  return (call: string, body: unknown) => {
    if (call === 'GET /me') return Response.json({ limits: { linksPerBulkRequest } });
    if (call === 'POST /links/bulk')
      return Response.json({
        results: z
          .object({ links: z.array(z.unknown()) })
          .parse(body)
          .links.map(create),
      });
    const line = create();
    return line.link === undefined
      ? problem(403, line.code, line.detail)
      : Response.json(line.link, { status: 201 });
  };
}

const callsOf = ({ sent }: Awaited<ReturnType<typeof hop>>) =>
  sent.map(({ call }) => call.replace(/^\w+ /, ''));
const keysOf = ({ sent }: Awaited<ReturnType<typeof hop>>) =>
  sent.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);

it.each<[string, number, Outcome[], string[]]>([
  ['of the quota one by one', 0, ['ok', 'ok', 'quota_reached'], ['/links', '/links', '/links']],
  ['of the quota in bulk', 2, ['ok', 'ok', 'quota_reached'], ['/links/bulk', '/links/bulk']],
  [
    'of the quota within a bulk request',
    4,
    ['ok', 'quota_reached', 'ok', 'quota_reached'],
    ['/links/bulk'],
  ],
  ['of the key one by one', 0, ['ok', 'ok', 'unauthenticated'], ['/links', '/links', '/links']],
  ['of its rights one by one', 0, ['ok', 'ok', 'forbidden'], ['/links', '/links', '/links']],
])('an import stops at the end %s', async (_, size, outcomes, calls) => {
  const result = await hop(['import', five, '--json'], serverWith(size, ...outcomes));
  expect(callsOf(result)).toEqual(['/me', ...calls]);
  expect(JSON.parse(result.out)).toMatchObject({ created: 2, failed: 3 });
  expect([result.code, result.err]).toEqual([1, '']);
});

it.each([0, 2])('an invalid line does not stop an import in bulk requests of %i', async (size) => {
  const result = await hop(['import', five], serverWith(size, 'ok', 'invalid_target', 'ok'));
  expect(result.out.split('\n')).toEqual([
    `${ORIGIN}/c1\thttps://example.com/1`,
    'failed: invalid_target!\thttps://example.com/2',
    ...[3, 4, 5].map((n) => `${ORIGIN}/c${n}\thttps://example.com/${n}`),
  ]);
  expect([result.code, result.err]).toEqual([1, '4 created, 1 failed.']);
});

it('an import that creates every link ends with 0', async () => {
  const result = await hop(['import', five], serverWith(5, 'ok'));
  expect([result.code, result.err, callsOf(result)]).toEqual([0, '', ['/me', '/links/bulk']]);
});

it.each([0, 2])('repeating an import in bulk requests of %i repeats its keys', async (size) => {
  const twice = newFile('https://example.com/1\nhttps://example.com/2\n'.repeat(2));
  const first = keysOf(await hop(['import', twice], serverWith(size, 'ok')));
  expect(keysOf(await hop(['import', twice], serverWith(size, 'ok')))).toEqual(first);
  // A file may create two links to the same address.
  expect(new Set(first).size).toBe(size === 0 ? 4 : 2);
  const other = newFile('https://example.com/3\nhttps://example.com/4');
  expect(first).not.toContain(keysOf(await hop(['import', other], serverWith(size, 'ok')))[0]);
});

it('hop import - reads standard input', async () => {
  const { sent } = await hop(['import', '-'], serverWith(0, 'ok'));
  expect(sent.at(-1)?.body).toEqual({ url: 'https://example.com/stdin' });
});

const latin1 = (text: string): string => {
  const file = newFile('');
  writeFileSync(file, text, 'latin1');
  return file;
};

it.each([
  ['', 'This file is empty.'],
  ['# only a comment', 'There is no web address in this file.'],
  ['[null]', 'There is no web address in this file.'],
  ['https://example.com/\nhello world', 'line 2: “hello world” is no web address.'],
  ['url,note\nhttps://example.com,a,b', 'line 2: This line has 3 cells for 2 columns.'],
  ['url,expires\nhttps://example.com,soon', 'line 2: The end date “soon” cannot be read.'],
  ['url,disabled\nhttps://example.com,yes', 'Some of these links are disabled or locked.'],
  ['url,password\nhttps://example.com,x', 'Some of these links are disabled or locked.'],
  ['url,max_visits\nhttps://example.com,9', 'Limit of clicks: Hop has none'],
  ['url,created\nhttps://example.com,2020-01-01', 'Creation date: these links get the day'],
  ['url,ip\nhttps://example.com,203.0.113.9', 'Field “ip”: not kept (1 link)'],
  [
    '"short_url","long_url","unique_visitors"\r\n"https://h.example/a","https://a.example","1"',
    'an export',
  ],
])('a file with %j is wrong usage and sends nothing', async (text, message) => {
  const { code, err, sent } = await hop(['import', newFile(text)]);
  expect([code, err, sent]).toEqual([2, expect.stringContaining(message), []]);
});

it.each([
  ['url;slug;title\nhttps://example.com/s;T;Grüße', latin1],
  ['Destination,Slug,Title\nhttps://example.com/s,T,Grüße', newFile],
])('reads the table %j as the website does', async (text, write) => {
  const { sent } = await hop(['import', write(text)], serverWith(0, 'ok'));
  expect(sent.at(-1)?.body).toEqual({ url: 'https://example.com/s', code: 'T', title: 'Grüße' });
});

it('a dry run says what would be lost, and sends nothing', async () => {
  const file = newFile('url,clicks\nhttps://example.com/,7');
  const { code, out, sent } = await hop(['import', file, '--dry-run']);
  expect([code, out, sent]).toEqual([0, '1 link\nClicks so far: not kept (1 link)', []]);
  const done = await hop(['import', file, '--yes'], serverWith(0, 'ok'));
  expect([done.code, done.sent.at(-1)?.body]).toEqual([0, { url: 'https://example.com/' }]);
});

it('an import that loses its connection prints what it has created', async () => {
  const lose = (call: string, body: unknown) => {
    if (JSON.stringify(body)?.includes('/3')) throw new Error('fetch failed');
    return serverWith(2, 'ok')(call, body);
  };
  const { code, out, err } = await hop(['import', five], lose);
  expect([code, out, err]).toEqual([
    1,
    `${ORIGIN}/c1\thttps://example.com/1\n${ORIGIN}/c2\thttps://example.com/2`,
    expect.stringContaining('could not be reached'),
  ]);
  const asJson = await hop(['import', five, '--json'], lose);
  expect(JSON.parse(asJson.out)).toMatchObject({ created: 2, failed: 3 });
});

it.each([0, 5])('says which links an earlier run has created, in bulks of %i', async (size) => {
  const { code, err } = await hop(['import', five], (call, body) => {
    const { status, body: content } = serverWith(size, 'ok')(call, body);
    return new Response(content, { status, headers: { 'Idempotency-Replayed': 'true' } });
  });
  expect([code, err]).toEqual([0, expect.stringContaining('5 links created by an earlier run.')]);
  const again = async () => keysOf(await hop(['import', five, '--again'], serverWith(size, 'ok')));
  expect((await again())[0]).not.toBe((await again())[0]);
});
