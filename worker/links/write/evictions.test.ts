import { describe, expect, it } from 'vitest';
import { NO_DOMAINS } from '#worker/db/domain-names.ts';
import { previewKey, qrKey } from '#worker/http/cache-keys.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { importRows } from '#worker/testing/import.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const ORIGINS = { app: ORIGIN, short: ORIGIN, domains: NO_DOMAINS };
let serial = 0;

const ask = async (person: Person, method: string, path: string, json?: object) => {
  const response = await call(path, {
    method,
    ...(json === undefined ? {} : { json }),
    headers: person.headers,
  });
  expect(response.ok, await response.clone().text()).toBe(true);
};

/** A member's link with an earlier code. Its pages are in the cache. */
async function makeLink() {
  const person = await makePerson();
  const [old, code] = [`evict-old-${++serial}`, `evict-${serial}`];
  await ask(person, 'POST', '/api/shorten', { longUrl: 'https://example.com/a', customCode: old });
  await ask(person, 'PATCH', `/api/links/${old}`, { customCode: code });
  return { person, old, code };
}
const keysOf = (code: string): [string, string][] => [
  [`preview of ${code}`, previewKey(ORIGINS, code)],
  [`QR code of ${code}`, qrKey(ORIGINS, code)],
];
const fill = async (codes: readonly string[]) => {
  for (const [, key] of codes.flatMap(keysOf))
    await caches.default.put(
      key,
      new Response('{}', { headers: { 'Cache-Control': 'public, max-age=60' } }),
    );
};
/** The pages of these codes that are no longer in the cache. */
async function evicted(codes: readonly string[]): Promise<string[]> {
  const gone = [];
  for (const [name, key] of codes.flatMap(keysOf))
    if ((await caches.default.match(key)) === undefined) gone.push(name);
  return gone;
}

type Made = Awaited<ReturnType<typeof makeLink>>;
const act =
  (action: string, more: object = {}) =>
  ({ person, code }: Made) =>
    ask(person, 'POST', '/api/links/actions', { codes: [code], action, ...more });
const edit =
  (json: object) =>
  ({ person, code }: Made) =>
    ask(person, 'PATCH', `/api/links/${code}`, json);
const previews = ({ code, old }: Made) => [`preview of ${code}`, `preview of ${old}`];
const everything = ({ code, old }: Made) =>
  [code, old].flatMap((one) => keysOf(one).map(([name]) => name));

describe('cached pages of a link', () => {
  it.each<[string, (made: Made) => Promise<void>, (made: Made) => string[]]>([
    ['a new target', edit({ longUrl: 'https://example.com/b' }), previews],
    ['an end', edit({ expiresAt: Date.now() + 60_000 }), previews],
    ['a stop', edit({ enabled: false }), previews],
    ['a title', edit({ title: 'T' }), () => []],
    ['the action disable', act('disable'), everything],
    ['the action delete', act('delete'), everything],
    ['the action set_end', act('set_end', { expiresAt: null }), everything],
    ['the action favorite', act('favorite'), () => []],
    ['a deletion', ({ person, code }) => ask(person, 'DELETE', `/api/links/${code}`), everything],
  ])('%s evicts the cached pages of all codes', async (_, change, expected) => {
    const made = await makeLink();
    const codes = [made.code, made.old];
    await fill(codes);
    await change(made);
    expect((await evicted(codes)).toSorted()).toEqual(expected(made).toSorted());
  });

  it('a new code evicts the preview of the old ones', async () => {
    const made = await makeLink();
    await fill([made.code, made.old]);
    await edit({ customCode: `${made.code}-2` })(made);
    expect(await evicted([made.code, made.old])).toEqual(previews(made));
  });

  it('restoring from the trash evicts the cached pages', async () => {
    const made = await makeLink();
    await act('delete')(made);
    await fill([made.code, made.old]);
    await act('restore')(made);
    expect((await evicted([made.code, made.old])).toSorted()).toEqual(everything(made).toSorted());
  });

  it('a reused code evicts the preview of the deleted link, alone or in an import', async () => {
    const made = await makeLink();
    await act('delete')(made);
    await fill([made.code]);
    const url = 'https://example.com/again';
    await ask(made.person, 'POST', '/api/shorten', { longUrl: url, customCode: made.code });
    expect(await evicted([made.code])).toEqual([`preview of ${made.code}`]);
    await act('delete')(made);
    await fill([made.code]);
    expect(await importRows(made.person, [{ line: 1, url, code: made.code }])).toMatchObject({
      lines: [{ verdict: 'created', code: made.code }],
    });
    expect(await evicted([made.code])).toEqual([`preview of ${made.code}`]);
  });
});
