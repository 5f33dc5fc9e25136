import type { SpawnOptions } from 'node:child_process';
import { beforeEach, expect, it, vi } from 'vitest';
import { hop, KEY, ORIGIN } from './testing/hop.ts';

const opened = vi.hoisted((): string[][] => []);
/** How many programs go on when the command has ended. */
const left = vi.hoisted(() => ({ detached: 0, unreferenced: 0 }));
vi.mock('node:child_process', () => ({
  spawn: (program: string, args: string[], { detached, stdio }: SpawnOptions) => {
    opened.push([program, ...args]);
    expect(stdio).toBe('ignore');
    const event = program === 'missing' ? 'error' : 'spawn';
    const once = (name: string, run: () => void) => (name === event ? run() : undefined);
    left.detached += Number(detached);
    return { once, unref: () => (left.unreferenced += 1) };
  },
}));
beforeEach(() => {
  opened.splice(0);
  Object.assign(left, { detached: 0, unreferenced: 0 });
});

const LINK = { id: '7', code: 'a/b', shortUrl: `${ORIGIN}/a/b`, url: 'https://example.com/?a&b' };
const open = (page: string[], BROWSER: string, url = LINK.url) =>
  hop(['open', 'a/b', ...page], () => Response.json({ ...LINK, url }), {
    HOP_URL: ORIGIN,
    HOP_API_KEY: KEY,
    BROWSER,
  });

it.each([
  [[], `${ORIGIN}/analytics/a%2Fb`],
  [['--page', 'preview'], `${ORIGIN}/a/b+`],
  [['--page', 'target'], LINK.url],
  [['-p', 'qr'], `${ORIGIN}/qr/a%2Fb`],
])('hop open %j prints and opens %s', async (page, address) => {
  expect(await open(page, 'lynx')).toMatchObject({ code: 0, out: address });
  expect(opened).toEqual([['lynx', address]]);
  expect(left).toEqual({ detached: 1, unreferenced: 1 });
});

it('hop open --json names what it has opened', async () => {
  const { out } = await open(['--json'], 'lynx');
  expect(JSON.parse(out)).toEqual({ opened: `${ORIGIN}/analytics/a%2Fb` });
});

it('hop open uses xdg-open without $BROWSER', async () => {
  await open([], '');
  expect(opened[0]?.[0]).toBe('xdg-open');
});

it.each([
  ['darwin', ['open']],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler']],
])('hop open uses the program of %s, whatever $BROWSER says', async (platform, program) => {
  const own = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  Object.defineProperty(process, 'platform', { ...own, value: platform });
  await open([], 'lynx').finally(() => Object.defineProperty(process, 'platform', own));
  expect(opened).toEqual([[...program, `${ORIGIN}/analytics/a%2Fb`]]);
});

it('hop open starts no program for what is no web address', async () => {
  const { code, err } = await open(['-p', 'target'], 'lynx', '--proxy=a.example');
  expect([code, err, opened]).toEqual([1, '“--proxy=a.example” is no web address.', []]);
});

it('hop open says that the program cannot be started', async () => {
  const { code, out, err } = await open([], 'missing');
  expect([code, err]).toEqual([1, 'missing could not be started. Open the address yourself.']);
  expect(out).toBe(`${ORIGIN}/analytics/a%2Fb`);
});
