import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { hop, KEY, ORIGIN } from './testing/hop.ts';

vi.mock('node:stream/consumers', () => ({
  buffer: async () => new TextEncoder().encode('https://example.com/stdin\n'),
}));

const { isTTY } = process.stderr;
afterEach(() => {
  process.stderr.isTTY = isTTY;
  vi.restoreAllMocks();
});
const CLEARED = '\r\u001B[K';
/** What a terminal shows of the progress: the lines without those that clear it, and the last one. */
function watchProgress() {
  process.stderr.isTTY = true;
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  return {
    lines: () => write.mock.calls.flatMap(([line]) => /\d.*/.exec(String(line))?.[0] ?? []),
    last: () => write.mock.lastCall?.[0],
  };
}

const newFile = (text: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'hop-')), 'links.txt');
  writeFileSync(file, text);
  return file;
};
const five = newFile([1, 2, 3, 4, 5].map((n) => `https://example.com/${n}`).join('\n'));

type Part = { id: string; offset: number; collisions: string; rows: { url: string }[] };
type Verdict = 'created' | 'exists' | 'skipped' | 'over_quota' | 'rejected';

/** A server that gives the rows these verdicts, in order; the last one repeats. */
function serverWith(...verdicts: Verdict[]) {
  return (_: string, body: unknown) => {
    const { offset, rows }: Part = Object(body);
    const results = rows.map((_row, at) => {
      const verdict = verdicts[Math.min(offset + at, verdicts.length - 1)] ?? 'created';
      const code = verdict === 'created' || verdict === 'exists' ? `c${offset + at + 1}` : null;
      const shortUrl = code && `${ORIGIN}/${code}`;
      const detail = code === null && verdict !== 'skipped' ? `${verdict}!` : undefined;
      return { verdict, code, shortUrl, losses: [], suffixedCode: null, detail };
    });
    return Response.json({ created: 0, quotaRemaining: 3, importAllowance: 0, results });
  };
}
type Run = Awaited<ReturnType<typeof hop>>;
const partsOf = ({ sent }: Run): Part[] => sent.map(({ body }): Part => Object(body));

it('an import prints each link, and ends with 0 if all are there', async () => {
  const result = await hop(['import', five], serverWith('created', 'exists', 'created'));
  expect(result.sent.map(({ call }) => call)).toEqual(['POST /imports']);
  expect(result.out.split('\n')).toEqual(
    [1, 2, 3, 4, 5].map(
      (n) => `${n === 2 ? 'exists: ' : ''}${ORIGIN}/c${n}\thttps://example.com/${n}`,
    ),
  );
  expect([result.code, result.err]).toEqual([0, '1 link already there.']);
  const asJson = await hop(['import', five, '--json'], serverWith('created', 'exists'));
  expect(JSON.parse(asJson.out)).toMatchObject({ created: 1, exists: 4, failed: 0 });
  expect(asJson.err).toBe('');
});

it('an import says what failed, and goes on', async () => {
  const result = await hop(
    ['import', five],
    serverWith('created', 'rejected', 'skipped', 'created'),
  );
  expect(result.out.split('\n').slice(1, 3)).toEqual([
    'failed: rejected!\thttps://example.com/2',
    'failed: skipped\thttps://example.com/3',
  ]);
  expect([result.code, result.err]).toEqual([1, '3 created, 2 failed.']);
});

const many = newFile(
  Array.from({ length: 250 }, (_, at) => `https://example.com/${at}`).join('\n'),
);

it('sends the parts of a file under one id, also when it is imported again', async () => {
  const progress = watchProgress();
  const parts = partsOf(await hop(['import', many], serverWith('created')));
  expect(progress.lines()).toEqual([100, 200, 250].map((n) => `${n} of 250 links`));
  expect(progress.last()).toBe(CLEARED);
  expect(parts[0]).toMatchObject({
    collisions: 'skip',
    id: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect(parts.map(({ offset, rows }) => [offset, rows.length])).toEqual([
    [0, 100],
    [100, 100],
    [200, 50],
  ]);
  const again = partsOf(await hop(['import', many], serverWith('created')));
  expect(new Set([...parts, ...again].map(({ id }) => id)).size).toBe(1);
  const [other] = partsOf(await hop(['import', five], serverWith('created')));
  expect(other?.id).not.toBe(parts[0]?.id);
});

it('an import stops where the quota ends', async () => {
  const verdicts = Array.from({ length: 150 }, (): Verdict => 'created');
  const result = await hop(
    ['import', many, '--json'],
    serverWith(...verdicts, 'over_quota', 'rejected'),
  );
  expect(result.sent).toHaveLength(2);
  expect(JSON.parse(result.out)).toMatchObject({ created: 150, exists: 0, failed: 100 });
  expect([result.code, result.err]).toEqual([1, '']);
  const { err } = await hop(['import', many], serverWith(...verdicts, 'over_quota', 'rejected'));
  expect(err).toBe('150 created, 100 failed.');
});

it('hop import - reads standard input, and collisions can be chosen', async () => {
  const stdin = await hop(['import', '-', '--collisions', 'suffix'], serverWith('created'));
  expect(partsOf(stdin)).toMatchObject([
    { collisions: 'suffix', rows: [{ url: 'https://example.com/stdin' }] },
  ]);
  const rejected = await hop(['import', '-'], serverWith('rejected'));
  expect([rejected.code, rejected.err]).toEqual([1, '0 created, 1 failed.']);
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
  [
    `https://example.com\n${'hello world\n'.repeat(11)}`,
    'line 11: “hello world” is no web address.\nand 1 more\nNothing was created.',
  ],
  ['url,note\nhttps://example.com,a,b', 'line 2: This line has 3 cells for 2 columns.'],
  ['url,expires\nhttps://example.com,soon', 'line 2: The end date “soon” cannot be read.'],
  ['url,ip\nhttps://example.com,203.0.113.9', 'Field “ip”: not kept (1 link)'],
])('a file with %j is wrong usage and sends nothing', async (text, message) => {
  const { code, err, sent } = await hop(['import', newFile(text)]);
  expect([code, err, sent]).toEqual([2, expect.stringContaining(message), []]);
});

it.each([
  ['url;slug;title\nhttps://example.com/s;T;Grüße', latin1],
  ['Destination,Slug,Title\nhttps://example.com/s,T,Grüße', newFile],
])('reads the table %j as the website does', async (text, write) => {
  const [part] = partsOf(await hop(['import', write(text)], serverWith('created')));
  expect(part?.rows).toEqual([{ url: 'https://example.com/s', code: 'T', title: 'Grüße' }]);
});

it('keeps dates, clicks and states, and leaves out what is deleted', async () => {
  const file = newFile(
    'url,code,created,clicks,status,ip\nhttps://a.example,a,2020-01-01,7,disabled,203.0.113.9\nhttps://b.example,b,,,deleted,',
  );
  const refused = await hop(['import', file]);
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringMatching(/^Field “ip”.+\nDeleted: not imported \(1 link\)$/m),
  ]);
  const [part] = partsOf(await hop(['import', file, '--yes'], serverWith('created')));
  expect(part?.rows).toEqual([
    {
      url: 'https://a.example',
      code: 'a',
      createdAt: '2020-01-01T00:00:00.000Z',
      clicks: 7,
      disabled: true,
    },
  ]);
});

it('a dry run asks the server what an import would do', async () => {
  const result = await hop(['import', five, '--dry-run'], serverWith('created', 'rejected'));
  expect(result.sent.map(({ call }) => call)).toEqual(['POST /imports/check']);
  expect([result.code, result.out]).toEqual([0, '5 links\n1: created\n4: rejected!']);
  const withoutKey = await hop(['import', five, '--dry-run'], undefined, {});
  expect([withoutKey.out, withoutKey.sent]).toEqual(['5 links', []]);
  const lossy = newFile('url,ip\nhttps://example.com,203.0.113.9');
  const { out } = await hop(['import', lossy, '--dry-run'], undefined, {});
  expect(out).toBe('1 link\nField “ip”: not kept (1 link)');
});

it('a dry run names the rows that lose something, in every part', async () => {
  const urls = Array.from({ length: 1001 }, (_, at) => `https://example.com/${at}`);
  const losing = (_: string, body: unknown) => {
    const { offset, rows }: Part = Object(body);
    const losses = rows.map((_row, at) => ([998, 1000].includes(offset + at) ? ['note'] : []));
    return Response.json({
      quotaRemaining: 3,
      results: losses.map((lost) => ({ verdict: 'created', losses: lost })),
    });
  };
  const progress = watchProgress();
  const { out } = await hop(['import', newFile(urls.join('\n')), '--dry-run', '--json'], losing);
  expect(progress.lines()).toEqual(
    ['500', '1,000', '1,001'].map((n) => `${n} of 1,001 rows checked`),
  );
  expect(progress.last()).toBe(CLEARED);
  expect(JSON.parse(out)).toMatchObject({
    links: 1001,
    losses: ['row 999: loses note', 'row 1001: loses note'],
    verdicts: { created: 1001 },
    quotaRemaining: 3,
  });
});

it('an import that loses its connection prints what it has created', async () => {
  const lose = (call: string, body: unknown) => {
    if (Object(body).offset > 0)
      throw new Error('fetch failed', { cause: new Error('ECONNRESET') });
    return serverWith('created')(call, body);
  };
  const { code, out, err } = await hop(['import', many], lose);
  expect([code, out.split('\n').length]).toEqual([1, 100]);
  expect(err).toContain('could not be reached (ECONNRESET).');
  const asJson = await hop(['import', many, '--json'], lose);
  expect(JSON.parse(asJson.out)).toMatchObject({ created: 100, failed: 150 });
});

const KUTT = ['import', '--from', 'kutt', '--address', 'https://kutt.example'];

it('reads a server page by page with its own key', async () => {
  const env = { HOP_URL: ORIGIN, HOP_API_KEY: KEY, HOP_SOURCE_KEY: 'k' };
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const link = (n: number) => ({ address: `c${n}`, target: `https://example.com/${n}` });
  const result = await hop(
    KUTT,
    (call, body, headers) => {
      if (!call.startsWith('GET https://kutt.example/api/v2/links'))
        return serverWith('created')(call, body);
      expect([headers.get('X-API-KEY'), headers.get('Accept')]).toEqual(['k', 'application/json']);
      const skip = Number(new URL(call.slice(4)).searchParams.get('skip'));
      return Response.json({ data: [link(skip)], total: 2 });
    },
    env,
  );
  expect(result.sent.slice(0, 2).map(({ call }) => call)).toEqual([
    'GET https://kutt.example/api/v2/links?limit=50&skip=0',
    'GET https://kutt.example/api/v2/links?limit=50&skip=1',
  ]);
  expect(timeout.mock.calls).toEqual([[30_000], [30_000]]);
  expect(result.sent[0]?.redirect).toBe('manual');
  expect(partsOf(result)[2]?.rows).toMatchObject([{ code: 'c0' }, { code: 'c1' }]);
  expect(result.code).toBe(0);
  const named = KUTT.with(4, 'kutt.example');
  const { sent } = await hop(named, () => Response.json({ data: [] }), env);
  expect(sent[0]?.call).toBe('GET https://kutt.example/api/v2/links?limit=50&skip=0');
  const progress = watchProgress();
  const pages = [Response.json({ data: [link(0)], total: 2 }), new Response('')];
  await hop(KUTT, () => pages.shift() ?? expect.fail(), env);
  expect(progress.lines()).toEqual(['1 of 2 links read']);
  expect(progress.last()).toBe(CLEARED);
});

it.each<[string, () => Response]>([
  [
    'The server does not accept the key in HOP_SOURCE_KEY.',
    () => new Response('', { status: 401 }),
  ],
  [
    'The server does not accept the key in HOP_SOURCE_KEY.',
    () => new Response('', { status: 403 }),
  ],
  ['limit=50&skip=0 answered with status 500.', () => new Response('', { status: 500 })],
  ['https://kutt.example does not answer like Kutt.', () => Response.json({ data: [] })],
  ['https://kutt.example does not answer like Kutt.', () => new Response('<html>')],
  [
    'limit=50&skip=0 could not be reached.',
    () => {
      throw new Error('fetch failed');
    },
  ],
])('an import from a server ends with 1: %s', async (message, reply) => {
  const { code, err } = await hop(KUTT, reply, { HOP_SOURCE_KEY: 'k' });
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
});

it.each([
  [KUTT, {}, 'HOP_SOURCE_KEY'],
  [
    ['import', '--from', 'kutt', '--address', 'http://kutt.example'],
    { HOP_SOURCE_KEY: 'k' },
    'https://',
  ],
  [['import'], {}, 'FILE is missing.'],
])('%j with %j is wrong usage', async (argv, env, message) => {
  const { code, err, sent } = await hop(argv, undefined, env);
  expect([code, err, sent]).toEqual([2, expect.stringContaining(message), []]);
});
