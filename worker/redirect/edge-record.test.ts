import { asyncProperty, constantFrom, nat, option, record, string, webUrl } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkKey } from '#contract/codes/domain-key.ts';
import { checkProperty } from '#worker/testing/soak.ts';
import {
  decodeEdgeRecord,
  edgeKey,
  encodeEdgeRecord,
  isLive,
  laterStart,
  type EdgeRecord,
} from './edge-record.ts';

describe('an edge record', () => {
  it('an edge record is decoded as it was encoded', async () => {
    const made = record({
      v: nat(),
      i: nat(),
      s: constantFrom<EdgeRecord['s']>('a', 'd', 'x'),
      u: webUrl({ withQueryParameters: true, withFragments: true }),
      e: nat(),
      r: option(string(), { nil: undefined }),
      f: constantFrom(undefined, '*', 'ref,utm_source'),
      k: constantFrom(undefined, 1 as const),
    });
    await checkProperty(
      'edge record codec',
      asyncProperty(made, ({ u, r, f, k, ...rest }) => {
        const optional = {
          ...(r === undefined ? {} : { r }),
          ...(f === undefined ? {} : { f }),
          ...(k === undefined ? {} : { k }),
        };
        const written: EdgeRecord = { ...rest, u: new URL(u).href, ...optional };
        expect(decodeEdgeRecord(encodeEdgeRecord(written))).toEqual(written);
        return Promise.resolve();
      }),
      50,
    );
  });

  it('an edge record keeps every character that an href may contain', () => {
    for (const u of [
      "https://example.com/a'b;c|d^e`f{g}~",
      'http://example.com/?q=%22%5C&x=[1]#!',
      'https://[2001:db8::1]:8443/',
    ])
      expect(decodeEdgeRecord(JSON.stringify({ v: 1, i: 2, s: 'a', u, e: 0 }))).toEqual({
        v: 1,
        i: 2,
        s: 'a',
        u,
        e: 0,
      });
    const quoted = { v: 1, i: 2, s: 'a', u: 'https://example.com/"\\', e: 0 };
    expect(decodeEdgeRecord(JSON.stringify(quoted))).toEqual(quoted);
  });

  it('[T12] decoding returns null for any text that Hop does not write', async () => {
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
      '{"v":1,"i":2,"s":"a","u":"https://example.com/","e":0,"f":1}',
      '{"v":1,"i":2,"s":"a","u":"https://example.com/","e":0,"k":2}',
      '{"v":1,"i":2,"s":"q","u":"https://example.com/","e":0}',
      '{"v":1,"i":2,"s":"a","u":"https://example.com/","e":0',
    ])
      expect(decodeEdgeRecord(text), text).toBeNull();
    await checkProperty(
      'edge record garbage',
      asyncProperty(string(), (text) => Promise.resolve(void decodeEdgeRecord(text))),
      200,
    );
  });

  it('a link is live until it expires', () => {
    const expiring: EdgeRecord = { v: 1, i: 2, s: 'a', u: 'https://example.com/', e: 1_000 };
    expect(isLive(expiring, 999)).toBe(true);
    expect(isLive(expiring, 1_000)).toBe(false);
    expect(isLive({ ...expiring, e: 0 }, 1_000)).toBe(true);
    for (const s of ['d', 'x'] as const) expect(isLive({ ...expiring, s, e: 0 }, 999)).toBe(false);
  });

  it('an active link starts later only before its start and its end', () => {
    const later: EdgeRecord = { v: 1, i: 2, s: 'a', u: 'https://e.com/', e: 900, g: { n: 1_000 } };
    expect([899, 900].map((now) => laterStart(later, now))).toEqual([1_000, null]);
    expect([999, 1_000].map((now) => laterStart({ ...later, e: 0 }, now))).toEqual([1_000, null]);
    expect(laterStart({ ...later, s: 'd' }, 0)).toBeNull();
  });

  it('accepts up to 410 characters of forwarded names', () => {
    const lengthOf = (f: string) =>
      decodeEdgeRecord(`{"v":1,"i":2,"s":"a","u":"https://e.com/","e":0,"f":"${f}"}`)?.f?.length;
    expect([410, 411].map((chars) => lengthOf('x'.repeat(chars)))).toEqual([410, undefined]);
  });
});

describe('edgeKey', () => {
  it('separates codes from the keys of other hosts', () => {
    expect(edgeKey('', 'abc')).toBe('abc');
    expect(edgeKey('', linkKey('d.example999', 'abc'))).toBe('d.example999/abc');
  });

  it('every epoch has its own keys, distinct from all others', () => {
    const epochs = ['', 'a', '2', '20261101', 'visitor', 'link'];
    const names = ['abc', 'link', 'visitor-key', '20261101'];
    const keys = epochs.flatMap((epoch) =>
      ['', 'go.example', 'a'].flatMap((host) =>
        names.map((code) => edgeKey(epoch, linkKey(host, code))),
      ),
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => key.startsWith('visitor-key:'))).toEqual([]);
  });

  it.each(['visitor-key', 'A', 'a:b', ' ', 'a'.repeat(17), 'ä'])(
    'rejects the epoch %j and names the setting',
    (epoch) => {
      edgeKey('good', 'abc');
      expect(() => edgeKey(epoch, 'abc')).toThrow(/LINKS_EPOCH is .* wrangler\.toml/);
    },
  );
});
