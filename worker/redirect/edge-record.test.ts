import { asyncProperty, constantFrom, nat, option, record, string, webUrl } from 'fast-check';
import { expect, it } from 'vitest';
import { checkProperty } from '#worker/testing/soak.ts';
import { decodeEdgeRecord, edgeKey, encodeEdgeRecord, type EdgeRecord } from './edge-record.ts';

it('reads back every record it writes', async () => {
  const made = record({
    v: nat(),
    i: nat(),
    s: constantFrom<EdgeRecord['s']>('a', 'd', 'x'),
    u: webUrl({ withQueryParameters: true, withFragments: true }),
    e: nat(),
    r: option(string(), { nil: undefined }),
  });
  await checkProperty(
    'edge link codec',
    asyncProperty(made, ({ u, r, ...rest }) => {
      const link: EdgeRecord = { ...rest, u: new URL(u).href, ...(r === undefined ? {} : { r }) };
      expect(decodeEdgeRecord(encodeEdgeRecord(link))).toEqual(link);
      return Promise.resolve();
    }),
    500,
  );
});

it('reads targets with what URLs may hold and JSON would escape', () => {
  for (const u of ["https://example.com/a'b;c|d^e`f{g}~", 'http://example.com/?q=%22%5C&x=[1]#!', 'https://[2001:db8::1]:8443/'])
    expect(decodeEdgeRecord(JSON.stringify({ v: 1, i: 2, s: 'a', u, e: 0 }))).toEqual({ v: 1, i: 2, s: 'a', u, e: 0 });
  const quoted = { v: 1, i: 2, s: 'a', u: 'https://example.com/"\\', e: 0 };
  expect(decodeEdgeRecord(JSON.stringify(quoted))).toEqual(quoted);
});

it('reads nothing else', async () => {
  for (const text of [
    '',
    'null',
    '[]',
    '{}',
    '{"v":1,"i":2,"s":"a","u":"ftp://example.com/","e":0}',
    '{"v":1,"i":2,"s":"a","u":"https://example.com/ü","e":0}',
    '{"v":1,"i":2,"s":"a","u":"https://example.com/\\n","e":0}',
    '{"v":1,"i":2,"s":"a","u":"https://","e":0}',
    '{"v":-1,"i":2,"s":"a","u":"https://example.com/","e":0}',
    '{"v":1.5,"i":2,"s":"a","u":"https://example.com/","e":0}',
    '{"v":1,"i":2,"s":"q","u":"https://example.com/","e":0}',
    '{"v":1,"i":2,"s":"a","u":"https://example.com/","e":0',
  ])
    expect(decodeEdgeRecord(text), text).toBeNull();
  await checkProperty(
    'edge link garbage',
    asyncProperty(string(), (text) => Promise.resolve(void decodeEdgeRecord(text))),
    500,
  );
});

it('keeps keys of other kinds and hosts apart from codes', () => {
  expect(edgeKey('', '', 'abc')).toBe('abc');
  expect(edgeKey('', 'go.example', 'abc')).toContain(':');
});

it('gives every epoch keys of its own, which clash with no other key', () => {
  const epochs = ['', 'a', '2', '20261101', 'visitor', 'linklinklinklink'];
  const names = ['abc', 'link', 'visitor-key', '20261101'];
  const keys = epochs.flatMap((epoch) =>
    ['', 'go.example', 'a'].flatMap((host) => names.map((code) => edgeKey(epoch, host, code))),
  );
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => key.startsWith('visitor-key:'))).toEqual([]);
});

it.each(['link', 'visitor-key', 'A', 'a:b', ' ', 'a'.repeat(17), 'ä'])(
  'refuses the epoch %j and says what to change',
  (epoch) => {
    edgeKey('good', '', 'abc');
    expect(() => edgeKey(epoch, '', 'abc')).toThrow(/LINKS_EPOCH is .* wrangler\.toml/);
  },
);
