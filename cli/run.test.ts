import { expect, it, vi } from 'vitest';
import { hop, KEY, ORIGIN, problem } from './testing/hop.ts';

const waits = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => Promise.resolve(waits.push(ms)),
}));

const asked = vi.hoisted(() => ({ questions: [] as string[], answer: '' }));
vi.mock('node:readline/promises', () => ({
  createInterface: () => ({
    on: () => undefined,
    close: () => undefined,
    question: (text: string) => (asked.questions.push(text), Promise.resolve(asked.answer)),
  }),
}));

const LINK = {
  id: '7',
  code: 'sale',
  shortUrl: `${ORIGIN}/sale`,
  url: 'https://example.com/',
  clicks: 3,
  status: 'active',
  state: 'scheduled',
  statusReason: null,
  importedClicks: null,
  title: 'Sale',
  note: '',
  tags: ['Spring', 'b'],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  startsAt: '2026-12-01T00:00:00.000Z',
  expiresAt: null,
  fallbackUrl: 'https://example.com/next',
  redirectStatus: 307,
  rules: [
    { if: { device: ['ios'], country: ['BR', 'PT'] }, to: 'https://example.com/ios' },
    { if: { query: ['a=1'] }, to: 'https://example.com/a' },
  ],
  variants: [{ url: 'https://example.com/b', weight: 30 }],
  hasPassword: true,
  clickLimit: 100,
  clickLimitUsed: 7,
  clickLimitOpen: false,
  watch: 'always',
  health: { state: 'ok' },
  watchFallback: 'archive',
  archived: false,
  favorite: true,
  forwardParams: 'none',
  externalId: null,
  earlierCodes: ['old'],
};
const find = 'GET /links/by-code/sale';
const findUrl = 'GET /links/by-code/hop.example%2Fsale';
const TIME = '2099-01-31T12:00:00Z';
const REPORT = {
  range: '30d',
  totals: { clicks: 9, visitors: 8, activeDays: 7 },
  bots: 6,
  dimensions: {
    country: ['DE', 'FR', 'IT', 'ES', '', 'PL'].map((value, at) => ({ value, clicks: 9 - at })),
    browser: [],
  },
};
const ALL = {
  range: '30d',
  links: 2,
  totals: { clicks: 9, visitors: 8, bots: 1 },
  topLinks: [{ linkId: '7', code: 'sale', shortUrl: `${ORIGIN}/sale`, clicks: 9 }],
};
const CLICKS = {
  groupBy: 'link',
  period: { start: '2027-01-01', end: '2027-01-07' },
  totals: { clicks: 9, visitors: 8 },
  data: [
    { value: 'd.abcdefghij/a', shortUrl: 'https://go.co/a', clicks: 7 },
    { value: '', shortUrl: null, clicks: 2 },
  ],
};
const ME = {
  plan: 'free',
  quota: { limit: 25, used: 5, remaining: 20, resetsAt: TIME },
  key: { name: 'A client', scopes: ['links:read'], codePrefix: null, expiresAt: null },
};
const DOMAIN = { name: 'go.example.com', state: 'active', shared: true, fault: null, records: [] };
const server = (call: string) => {
  if (call === 'GET /me') return Response.json(ME);
  if (call === 'GET /domains') return Response.json({ data: [DOMAIN] });
  if (/^(?:POST|PATCH) \/domains/.test(call)) return Response.json(DOMAIN);
  if (call.startsWith('GET /analytics/clicks')) return Response.json(CLICKS);
  if (call.startsWith('GET /analytics')) return Response.json(ALL);
  if (call.startsWith('GET /links/count')) return Response.json({ count: 12 });
  if (call.startsWith('DELETE')) return new Response(null, { status: 204 });
  if (call.includes('/analytics')) return Response.json(REPORT);
  if (call.startsWith('GET /links?'))
    return Response.json({
      data: [LINK],
      nextCursor: /limit=(?:1|100)$/.test(call) ? 'next' : null,
    });
  return Response.json(LINK);
};

it.each<[string, string[], unknown]>([
  ['shorten https://example.com/', ['POST /links'], { url: 'https://example.com/' }],
  [
    `shorten https://example.com/ -a sale --expires ${TIME} --external-id 7`,
    ['POST /links'],
    { url: 'https://example.com/', code: 'sale', expiresAt: TIME, externalId: '7' },
  ],
  [
    'shorten https://example.com/?a=1 --title T --note N -t x -t y --forward a,b --favorite --no-archived --disabled --utm-source mail --utm-term a',
    ['POST /links'],
    {
      url: 'https://example.com/?a=1&utm_source=mail&utm_term=a',
      title: 'T',
      note: 'N',
      forwardParams: ['a', 'b'],
      archived: false,
      favorite: true,
      tags: ['x', 'y'],
      enabled: false,
    },
  ],
  [
    'shorten https://example.com/ --domain go.example.com',
    ['POST /links'],
    { url: 'https://example.com/', domain: 'go.example.com' },
  ],
  ['list --domain go.example.com', ['GET /links?domain=go.example.com&limit=20'], null],
  ['domains', ['GET /domains'], null],
  [
    'domains add go.example.com --confirm',
    ['POST /domains'],
    { name: 'go.example.com', confirmed: true },
  ],
  ['domains check go.example.com', ['POST /domains/go.example.com/check'], null],
  [
    'domains update go.example.com --root https://example.com/ --not-found=',
    ['PATCH /domains/go.example.com'],
    { rootUrl: 'https://example.com/', notFoundUrl: '' },
  ],
  ['domains delete go.example.com --yes', ['DELETE /domains/go.example.com'], null],
  ['whoami', ['GET /me'], null],
  ['get sale', [find], null],
  ['list', ['GET /links?limit=20'], null],
  [
    'list -t Spring --import 5 --host example.com --no-favorite --archived --created-after A --created-before B --last-click-before C --min-clicks 0 --max-clicks 9 --sort -clicks',
    [
      'GET /links?tag=Spring&host=example.com&favorite=false&archived=true&createdAfter=A&createdBefore=B&minClicks=0&maxClicks=9&lastClickBefore=C&import=5&sort=-clicks&limit=20',
    ],
    null,
  ],
  ['list --count -t Spring', ['GET /links/count?tag=Spring'], null],
  ['list -n 101', ['GET /links?limit=100', 'GET /links?limit=100&cursor=next'], null],
  ['stats', ['GET /analytics'], null],
  ['clicks', ['GET /analytics/clicks'], null],
  [
    'clicks --by day --start 2027-01-01 --end 2027-02-01 --country DE --tag a -n 5 -l sale -l hop.example/sale',
    [
      find,
      findUrl,
      'GET /analytics/clicks?groupBy=day&start=2027-01-01&end=2027-02-01&limit=5&tag=a&country=DE&linkIds=7%2C7',
    ],
    null,
  ],
  ['stats --range 7d', ['GET /analytics?range=7d'], null],
  [
    'stats sale -d country -d os --interval month',
    [find, 'GET /links/7/analytics?interval=month&dimensions=country%2Cos'],
    null,
  ],
  ['stats https://hop.example/sale+', [findUrl, 'GET /links/7/analytics'], null],
  ['stats hop.example/sale?qr=1&u=a.b/c', [findUrl, 'GET /links/7/analytics'], null],
  ['get sale%2B', [find], null],
  ['get http://hop.example:8787/a/b#c', ['GET /links/by-code/hop.example%3A8787%2Fa%2Fb'], null],
  ['get http://go/abc', ['GET /links/by-code/http%3A%2F%2Fgo%2Fabc'], null],
  ['get d.abcdefghij/sale', ['GET /links/by-code/d.abcdefghij%2Fsale'], null],
  ['update sale --add-tag c --remove-tag spring', [find, 'PATCH /links/7'], { tags: ['b', 'c'] }],
  ['update sale -t x --add-tag y', [find, 'PATCH /links/7'], { tags: ['x', 'y'] }],
  [
    'update sale --utm-source x --external-id= --forward all',
    [find, 'PATCH /links/7'],
    { url: 'https://example.com/?utm_source=x', externalId: null, forwardParams: 'all' },
  ],
  [
    'list -q spring --status expired -n 3 --cursor next',
    ['GET /links?q=spring&status=expired&cursor=next&limit=3'],
    null,
  ],
  ['stats sale', [find, 'GET /links/7/analytics'], null],
  ['stats hop.example/sale/ -r 7d', [findUrl, 'GET /links/7/analytics?range=7d'], null],
  ['update sale --enable', [find, 'PATCH /links/7'], { enabled: true }],
  ['update sale --disable', [find, 'PATCH /links/7'], { enabled: false }],
  [
    'update sale --to https://example.com/2 --code sold --expires never',
    [find, 'PATCH /links/7'],
    { url: 'https://example.com/2', code: 'sold', expiresAt: null },
  ],
  ['update sale --expires ' + TIME, [find, 'PATCH /links/7'], { expiresAt: TIME }],
  [`delete ${ORIGIN}/sale --yes`, [findUrl, 'DELETE /links/7'], null],
])('hop %s sends exactly what it was told', async (line, calls, body) => {
  const { code, sent } = await hop(line.split(' '), server);
  expect(sent.map(({ call }) => call)).toEqual(calls);
  expect(sent.at(-1)?.body).toEqual(body);
  expect(code).toBe(0);
});

it.each<[string, string]>([
  ['shorten https://example.com/', `${ORIGIN}/sale`],
  [
    'list -n 1',
    `${ORIGIN}/sale  3 clicks  scheduled  https://example.com/\n\nMore: repeat this with --cursor next`,
  ],
  ['list -n 3', `${ORIGIN}/sale  3 clicks  scheduled  https://example.com/`],
  ['update sale --disable', `${ORIGIN}/sale  scheduled  https://example.com/`],
  ['delete sale -y', `Deleted ${ORIGIN}/sale.`],
  ['delete sale -y --json', JSON.stringify({ deleted: 'sale' }, null, 2)],
  [
    'stats sale',
    [
      `${ORIGIN}/sale, 30d`,
      'Clicks       9',
      'Visitors     8',
      'Active days  7',
      'Bots         6 (not counted)',
      '',
      'country',
      'DE       9',
      'FR       8',
      'IT       7',
      'ES       6',
      'unknown  5',
    ].join('\n'),
  ],
  [
    'stats',
    'All links, 30d\nLinks     2\nClicks    9\nVisitors  8\nBots      1 (not counted)\n\nlinks\nhop.example/sale  9',
  ],
  ['clicks', 'Clicks by link, 2027-01-01 to 2027-01-07\nTotal    9\ngo.co/a  7\nunknown  2'],
  ['list --count', '12'],
  [
    'get sale',
    [
      `Short URL        ${ORIGIN}/sale`,
      'Target           https://example.com/',
      'Status           scheduled',
      'Clicks           3',
      'Tags             Spring, b',
      'Created          2026-01-01T00:00:00.000Z',
      'Changed          2026-01-02T00:00:00.000Z',
      'Title            Sale',
      'Starts           2026-12-01T00:00:00.000Z',
      'After its end    https://example.com/next',
      'Redirect status  307',
      'Rule 1           Device: iPhone or iPad. Country: Brazil or Portugal. → https://example.com/ios',
      'Rule 2           Query: a=1. → https://example.com/a',
      'Variant 1        30% → https://example.com/b',
      'Click limit      7 of 100 used',
      'Checks           always ok',
      'If unreachable   archive',
      'Favorite         yes',
      'Password         yes',
      'Earlier codes    old',
    ].join('\n'),
  ],
  [
    'whoami',
    `Server      ${ORIGIN}\nKey         A client\nScopes      links:read\nPlan        free\nLinks left  20 of 25 until ${TIME}`,
  ],
  ['whoami --json', JSON.stringify({ server: ORIGIN, ...ME }, null, 2)],
  ['--json stats sale', JSON.stringify(REPORT, null, 2)],
])('hop %s prints its result and nothing else', async (line, printed) => {
  expect(await hop(line.split(' '), server)).toMatchObject({ code: 0, out: printed, err: '' });
});

it('an empty list says so', async () => {
  const empty = () => Response.json({ data: [], nextCursor: null });
  expect((await hop(['list'], empty)).out).toBe('No links.');
});

it.each<[string[], string]>([
  [['nothing'], 'There is no command “nothing”.\nSee: hop --help'],
  [['toString'], 'There is no command “toString”.\nSee: hop --help'],
  [['shorten'], 'URL is missing.\nSee: hop shorten --help'],
  [['shorten', 'a', 'b'], '“b” is not expected.'],
  [['list', '--colour'], "Unknown option '--colour'"],
  [['list', '--limit'], "'-n, --limit <value>' argument missing"],
  [['list', '--limit', '1.5'], '--limit must be a whole number of at least 1.'],
  [['list', '--limit', '0'], '--limit must be a whole number of at least 1.'],
  [['list', '--sort', '-title'], "Option '--sort' argument is ambiguous."],
  [['get', 'https://hop.example/'], '“https://hop.example/” is neither a code nor a short URL.'],
  [['help', 'nothing'], 'COMMAND must be one of login, '],
  [['list', '--status', 'deleted'], '--status must be one of active, disabled, expired.'],
  [
    ['stats', 'sale', '--range', '1y'],
    '--range must be one of today, 24h, 7d, 30d, 90d, 12m, all.',
  ],
  [['update', 'sale'], 'Nothing to change.'],
  [['update', 'sale', '--enable', '--disable'], 'Choose one of --enable and --disable.'],
  [['completion', 'tcsh'], 'SHELL must be one of bash, zsh, fish, powershell.'],
  [['login', '--server', 'http://hop.example'], '--server must be an https address'],
  [['import', '/nowhere/links.csv'], '/nowhere/links.csv could not be read:'],
])('wrong usage ends with 2 before any request: hop %j', async (argv, message) => {
  const { code, out, err, sent } = await hop(argv);
  expect([code, out, err, sent]).toEqual([2, '', expect.stringContaining(message), []]);
});

it.each([
  ['y', true],
  [' YES ', true],
  ['', false],
  ['n', false],
  ['yesterday', false],
])('hop delete asks first: the answer “%s” deletes: %s', async (answer, deletes) => {
  const { isTTY } = process.stdin;
  process.stdin.isTTY = true;
  Object.assign(asked, { questions: [], answer });
  const { code, out, sent } = await hop(['delete', 'sale'], server);
  process.stdin.isTTY = isTTY;
  expect(asked.questions).toEqual([`Delete ${ORIGIN}/sale? It stops redirecting. [y/N] `]);
  expect(sent.map(({ call }) => call)).toEqual([find, ...(deletes ? ['DELETE /links/7'] : [])]);
  expect([code, out]).toEqual([0, deletes ? `Deleted ${ORIGIN}/sale.` : '']);
});

it('hop delete deletes nothing unasked where nobody can answer', async () => {
  const { code, err, sent } = await hop(['delete', 'sale'], server);
  expect([code, err]).toEqual([2, expect.stringContaining('Add --yes')]);
  expect(sent.map(({ call }) => call)).toEqual([find]);
});

it.each<[string[], number, string]>([
  [['--version'], 0, '1.2.3'],
  [['-v', '--json'], 0, '"version": "1.2.3"'],
  [['help', 'stats'], 0, 'hop stats [CODE] [options]'],
  [['shorten', '--help'], 0, '      --[no-]archived '],
  [['help', '--json'], 0, '"summary": "Create a short link and print it."'],
  [['--help'], 0, 'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the key'],
  [['help'], 0, '  hop delete CODE'],
  [['-h'], 0, '  hop delete CODE'],
  [[], 2, 'Short links from the command line.'],
  [
    ['stats', '--help'],
    0,
    '  -r, --range RANGE        30d unless set: today, 24h, 7d, 30d, 90d, 12m, all',
  ],
  [['completion', 'bash'], 0, 'complete -o default -F _hop hop'],
  [['completion', 'zsh'], 0, 'compdef _hop hop'],
  [['completion', 'fish'], 0, 'complete -c hop -f'],
  [['completion', 'powershell'], 0, 'Register-ArgumentCompleter -Native -CommandName hop'],
  [['__complete', '=', 'completion'], 0, 'bash\nzsh\nfish\npowershell'],
  [['logout', '--json'], 0, '"loggedOut": true'],
])('hop %j needs no key', async (argv, exit, text) => {
  const { code, out, err, sent } = await hop(argv, undefined, {});
  expect([code, out, err, sent]).toEqual([exit, expect.stringContaining(text), '', []]);
});

it.each<[string, number, () => Response]>([
  ['Unknown key.', 3, () => problem(401, 'unauthenticated', 'Unknown key.')],
  ['Needs a scope.', 3, () => problem(403, 'insufficient_scope', 'Needs a scope.')],
  ['Not yours.', 1, () => problem(403, 'forbidden', 'Not yours.')],
  [
    'The server answered with status 502. Is it Hop?',
    1,
    () => new Response('<html>', { status: 502 }),
  ],
  [
    'The server could not be reached. Check the address and your connection.',
    1,
    () => {
      throw new Error('fetch failed');
    },
  ],
])('a request that fails with “%s” ends with %i', async (message, exit, reply) => {
  expect(await hop(['list'], reply)).toMatchObject({ code: exit, out: '', err: message });
});

it('with --json a failure is JSON on standard error', async () => {
  const taken = () => problem(409, 'alias_taken', 'It is taken.');
  const { code, out, err } = await hop(['shorten', 'a', '--alias', 'sale', '--json'], taken);
  expect([code, out, JSON.parse(err).code]).toEqual([1, '', 'alias_taken']);
  const offline = () => {
    throw new Error('fetch failed');
  };
  expect(JSON.parse((await hop(['list', '--json'], offline)).err)).toEqual({
    code: 'failed',
    detail: expect.stringContaining('could not be reached'),
  });
});

it.each([
  [['shorten'], 'URL is missing.'],
  [['nothing'], 'There is no command “nothing”.'],
  [['list', '--limit', 'x'], '--limit must be a whole number of at least 1.'],
])('with --json wrong usage is JSON on standard error: %j', async (argv, detail) => {
  const { code, out, err } = await hop([...argv, '--json']);
  expect([code, out, JSON.parse(err)]).toEqual([2, '', { code: 'usage', detail }]);
});

it('every detail of an invalid request is printed once', async () => {
  const invalid = {
    code: 'invalid_request',
    detail: 'The code is too short.',
    errors: [{ detail: 'The code is too short.' }, { detail: 'The time is in the past.' }],
  };
  const { err } = await hop(['shorten', 'a'], () => Response.json(invalid, { status: 422 }));
  expect(err).toBe('The code is too short.\nThe time is in the past.');
});

it('a command without a key asks to log in and sends nothing', async () => {
  const { code, err, sent } = await hop(['list'], server, { HOP_URL: ORIGIN });
  expect([code, err, sent]).toEqual([3, expect.stringContaining('Log in first'), []]);
});

it.each<[string, string | undefined, number[]]>([
  ['rate_limited', '7', [7000, 7000, 7000]],
  ['unavailable', undefined, [1000, 1000, 1000]],
  ['request_in_progress', '61', [61_000, 61_000, 61_000]],
  ['rate_limited', '62', []],
  ['internal', '1', []],
])('hop waits as the server asks, at most three times: %s, %s', async (name, after, expected) => {
  waits.length = 0;
  const headers: Record<string, string> = after === undefined ? {} : { 'Retry-After': after };
  const { code, err, sent } = await hop(['shorten', 'a'], () => problem(429, name, 'No.', headers));
  expect(waits).toEqual(expected);
  expect([code, err.match(/\d+(?= s…)/g) ?? []]).toEqual([1, expected.map((ms) => `${ms / 1000}`)]);
  expect(sent.length).toBe(expected.length + 1);
  // The server recognizes a repeated request by its key.
  expect(sent[0]?.idempotencyKey).toMatch(/^[\w-]{36}$/);
  expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

it('two calls of hop shorten are two requests to the server', async () => {
  const keys = [await hop(['shorten', 'a'], server), await hop(['shorten', 'a'], server)];
  expect(new Set(keys.map(({ sent }) => sent[0]?.idempotencyKey)).size).toBe(2);
});

it('a server’s text cannot steer the terminal', async () => {
  const hostile = { ...LINK, url: 'https://example.com/\u001B[2J\u0007\nx' };
  const { out } = await hop(['list'], () => Response.json({ data: [hostile], nextCursor: null }));
  expect(out).toMatch(/https:\/\/example\.com\/ {1,2}x$/);
});

it('no output names the key', async () => {
  for (const argv of [['list'], ['list', '--json'], ['update', 'sale', '--enable']]) {
    const { out, err } = await hop(argv, () => problem(401, 'unauthenticated', 'Unknown key.'));
    expect(out + err).not.toContain(KEY);
  }
});
