import { afterEach, expect, it, vi } from 'vitest';
import { connect } from './platform.ts';

afterEach(() => vi.unstubAllGlobals());

type Reply = Response | Error;
const failed = (status: number): Reply =>
  Response.json({ success: false, errors: [{ code: 10, message: 'No.' }] }, { status });
const done = (result: unknown, result_info = {}): Reply =>
  Response.json({ success: true, result, result_info });

/** A platform that replies in order; the last reply repeats. `asked` holds the requests. */
function platformWith(...replies: (() => Reply)[]) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', headers = {} }: RequestInit) => {
    asked.push(`${method} ${url}`);
    expect(headers).toMatchObject({ authorization: 'Bearer a-secret-token' });
    const reply = (replies[asked.length - 1] ?? replies.at(-1))?.() ?? new Error('none');
    if (reply instanceof Error) throw reply;
    return reply;
  });
  const waited: number[] = [];
  const wait = (ms: number) => Promise.resolve(waited.push(ms));
  return { asked, waited, platform: connect('https://api.test', 'a-secret-token', wait) };
}

it.each([
  [1, 0],
  [1, 2],
  [2, 3],
  [2, 4],
  [3, 5],
])('reads %i pages of two for a list of %i', async (pages, total) => {
  const { asked, platform } = platformWith(() => done(['x'], { per_page: 2, total_count: total }));
  expect((await platform.list('/zones?name=a')).length).toBe(pages);
  expect(asked).toEqual(
    Array.from(
      { length: pages },
      (_, at) => `GET https://api.test/zones?name=a&page=${at + 1}&per_page=50`,
    ),
  );
});

it.each<[string, () => Reply, number]>([
  ['500', () => failed(500), 3],
  ['a broken connection', () => new Error('reset'), 3],
  ['400', () => failed(400), 1],
  ['401', () => failed(401), 1],
])('a read that ends with %s is tried as often as it helps', async (_, reply, tries) => {
  const { asked, platform } = platformWith(reply);
  await expect(platform.read('/a')).rejects.toThrow(/HTTP|could not be reached/);
  expect(asked.length).toBe(tries);
});

it.each([
  [400, 6003, 'Invalid request headers'],
  [401, 1000, 'Invalid API Token'],
  [403, 9109, 'Invalid access token'],
])('a login that is not valid (%i, %i) is told to log in again', async (status, code, message) => {
  const { platform } = platformWith(() =>
    Response.json({ success: false, errors: [{ code, message }] }, { status }),
  );
  const refused = platform.list('/accounts');
  await expect(refused).rejects.toThrow(/The login is not valid: run `npx wrangler login`/);
  await expect(refused).rejects.not.toThrow('lacks the permission');
});

it('a read succeeds at the third try', async () => {
  const { platform } = platformWith(
    () => failed(503),
    () => new Error('reset'),
    () => done('x'),
  );
  expect(await platform.read('/a')).toBe('x');
});

const limited = (retryAfter?: string) => () =>
  Response.json(
    { success: false, errors: [{ code: 971, message: 'Please wait' }] },
    { status: 429, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
  );

it.each([
  ['as long as the platform asks', '42', 42_000],
  ['five minutes if it does not say how long', undefined, 300_000],
  ['five minutes at most', '86400', 300_000],
])('a request over the limit waits %s and is sent once more', async (_, retryAfter, ms) => {
  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    const { asked, waited, platform } = platformWith(limited(retryAfter), () => done('x'));
    const sent = method === 'GET' ? platform.read('/a') : platform.write(method, '/a');
    expect(await sent).toBe('x');
    expect([asked.length, waited]).toEqual([2, [ms]]);
  }
});

it('a request that stays over the limit fails', async () => {
  const { waited, platform } = platformWith(limited('1'));
  await expect(platform.write('POST', '/a')).rejects.toThrow('HTTP 429');
  expect(waited).toEqual([1000]);
});

it('a write is sent once, because the platform may have done it', async () => {
  for (const reply of [() => failed(500), () => new Error('reset')]) {
    const { asked, platform } = platformWith(reply);
    await expect(platform.write('POST', '/a', {})).rejects.toThrow();
    expect(asked).toEqual(['POST https://api.test/a']);
  }
});

it('what is missing or may not be read is null; other failures throw', async () => {
  for (const status of [403, 404])
    expect(await platformWith(() => failed(status)).platform.readOrNull('/a')).toBeNull();
  for (const status of [400, 401, 500])
    await expect(
      platformWith(() => failed(status)).platform.readOrNull('/a'),
    ).rejects.toMatchObject({ status, code: 10, message: expect.stringContaining('GET /a: No.') });
});

it('a text that is missing is null; other failures throw', async () => {
  const text = (status: number) => platformWith(() => new Response('x', { status })).platform;
  expect(await text(200).readText('/a')).toBe('x');
  expect(await text(404).readText('/a')).toBeNull();
  await expect(text(500).readText('/a')).rejects.toThrow('GET /a');
  await expect(text(404).writeText('/a', 'x')).rejects.toThrow('PUT /a');
});

it('a list with a cursor is read to its end', async () => {
  const { asked, platform } = platformWith(
    () => done(['x'], { cursor: 'a+b' }),
    () => done(['y'], { cursor: '' }),
  );
  expect(await platform.listByCursor('/keys?prefix=a')).toEqual(['x', 'y']);
  expect(asked).toEqual([
    'GET https://api.test/keys?prefix=a',
    'GET https://api.test/keys?prefix=a&cursor=a%2Bb',
  ]);
});

it('a success without a body is a success, and a failure without one is not', async () => {
  for (const status of [200, 204]) {
    const { platform } = platformWith(() => new Response(null, { status }));
    expect(await platform.write('DELETE', '/a')).toBeNull();
  }
  const { platform } = platformWith(() => new Response(null, { status: 400 }));
  await expect(platform.write('DELETE', '/a')).rejects.toThrow('HTTP 400');
});

it('an error page and a failure with status 200 are errors', async () => {
  const page = () => new Response('<html>', { status: 404, statusText: 'Not Found' });
  const { platform } = platformWith(page);
  await expect(platform.read('/a')).rejects.toThrow('GET /a: Not Found (HTTP 404, code 0)');
  const failure = () => Response.json({ success: false, errors: [{ code: 7, message: 'Off.' }] });
  await expect(platformWith(failure).platform.write('POST', '/a')).rejects.toThrow('Off.');
});
