import { afterEach, expect, it, vi } from 'vitest';
import { hop, KEY, ORIGIN, problem } from './testing/hop.ts';

const LINK = {
  id: '7',
  code: 'sale',
  shortUrl: `${ORIGIN}/sale`,
  url: 'https://example.com/',
  clicks: 3,
  state: 'blocked',
  statusReason: 'Phishing',
  importedClicks: 4,
  tags: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  note: 'Mine',
  expiresAt: '2027-01-01T00:00:00.000Z',
  rules: [],
  variants: [],
  archived: true,
  suggestOnTypo: true,
  forwardParams: ['a', 'b'],
  clickLimit: 9,
  clickLimitUsed: 2,
  clickLimitOpen: true,
  watch: 'on',
  health: null,
  card: { title: 'Spring' },
  externalId: 'x7',
  earlierCodes: [],
};

const { isTTY } = process.stderr;
afterEach(() => {
  process.stderr.isTTY = isTTY;
  vi.restoreAllMocks();
});

it.each<[string, object]>([
  ['--domain go.example.com', { domain: 'go.example.com' }],
  ['--fallback none --watch-fallback none', { fallbackUrl: null, watchFallback: null }],
  ['--fallback https://a.example', { fallbackUrl: 'https://a.example' }],
  ['--click-limit none --starts never', { clickLimit: null, startsAt: null }],
  ['--click-limit 5 --click-limit-open', { clickLimit: 5, clickLimitOpen: true }],
  ['--redirect-status 301 --no-password', { redirectStatus: 301, password: null }],
  ['--rules [{"a":1}] --variants []', { rules: [{ a: 1 }], variants: [] }],
  ['--forward none --no-suggest', { forwardParams: 'none', suggestOnTypo: false }],
  ['--add-tag a --add-tag b --add-tag c --remove-tag a --remove-tag b', { tags: ['c'] }],
  ['--note N --watch always --archived', { note: 'N', watch: 'always', archived: true }],
])('hop update sale %s sends the values of the API', async (line, body) => {
  const { sent } = await hop(['update', 'sale', ...line.split(' ')], () => Response.json(LINK));
  expect(sent.at(-1)).toMatchObject({ call: 'PATCH /links/7', body });
});

it.each(['shorten https://a.example', 'get sale', 'update sale --enable', 'edit sale'])(
  'hop %s --json prints the link as the API does',
  async (line) => {
    const env = { HOP_URL: ORIGIN, HOP_API_KEY: KEY, VISUAL: 'true' };
    const { out } = await hop([...line.split(' '), '--json'], () => Response.json(LINK), env);
    expect(JSON.parse(out)).toEqual(LINK);
  },
);

it('hop list --count counts the links in a state of health', async () => {
  const count = ['list', '--count', '--health', 'dead', '--json'];
  const { out, sent } = await hop(count, () => Response.json({ count: 12 }));
  expect(JSON.parse(out)).toEqual({ count: 12 });
  expect(sent.map(({ call }) => call)).toEqual(['GET /links/count?health=dead']);
});

it('hop get names everything that a link has', async () => {
  const { out } = await hop(['get', 'sale'], () => Response.json(LINK));
  expect(out.replaceAll(/ {2,}/g, ': ').split('\n')).toEqual([
    `Short URL: ${ORIGIN}/sale`,
    'Target: https://example.com/',
    'Status: blocked Phishing',
    'Clicks: 3',
    'Clicks before the import: 4',
    `Created: ${LINK.createdAt}`,
    `Changed: ${LINK.updatedAt}`,
    'Note: Mine',
    `Ends: ${LINK.expiresAt}`,
    'Click limit: 2 of 9 used, open if it cannot be counted',
    'Checks: on',
    'Archived: yes',
    'Forwards: a, b',
    'Suggested on typos: yes',
    'Preview card: Spring',
    'External id: x7',
  ]);
  const unwatched = { ...LINK, watch: 'off', health: { state: 'ok' }, clickLimit: null };
  const { out: less } = await hop(['get', 'sale'], () => Response.json(unwatched));
  expect(less).not.toMatch(/Checks|Click limit/);
});

it('hop list --all reads every page, and a terminal shows how far it is', async () => {
  process.stderr.isTTY = true;
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const data = Array.from({ length: 100 }, () => LINK);
  const pages = [1, 2, 3].map((n) => ({
    data,
    nextCursor: n === 3 ? null : `next${n}`,
    previousCursor: `previous${n}`,
  }));
  const { out, sent } = await hop(['list', '--all', '--json'], () => Response.json(pages.shift()));
  expect(sent.map(({ call }) => call)).toEqual(
    ['', '&cursor=next1', '&cursor=next2'].map((cursor) => `GET /links?limit=100${cursor}`),
  );
  const page = JSON.parse(out);
  expect([page.data.length, page.previousCursor]).toEqual([300, 'previous1']);
  const line = '\r\u001B[K';
  expect(write.mock.calls.map(([text]) => text)).toEqual([
    `${line}100 links`,
    `${line}200 links`,
    `${line}300 links`,
    line,
  ]);
  const failing = [Response.json({ data, nextCursor: 'next' }), problem(500, 'internal', 'No.')];
  await hop(['list', '--all'], () => failing.shift() ?? expect.fail());
  expect(write.mock.lastCall).toEqual([line]);
  process.stderr.isTTY = false;
  write.mockClear();
  await hop(['list'], () => Response.json({ data, nextCursor: null }));
  expect(write).not.toHaveBeenCalled();
});

it('hop list asks for no more links than it prints', async () => {
  const pages = [100, 1].map((length) => ({
    data: Array.from({ length }, () => LINK),
    nextCursor: 'next',
  }));
  const { sent } = await hop(['list', '--limit', '101'], () => Response.json(pages.shift()));
  expect(sent.map(({ call }) => call)).toEqual([
    'GET /links?limit=100',
    'GET /links?limit=1&cursor=next',
  ]);
});

it('numbers of ten digits and rules that are no JSON are wrong usage', async () => {
  expect(await hop(['list', '-n', '1234567890'])).toMatchObject({ code: 2, sent: [] });
  const err = expect.stringContaining('This is no JSON.');
  expect(await hop(['update', 'sale', '--rules', 'x'])).toMatchObject({ code: 2, err, sent: [] });
});
