import { describe, expect, it } from 'vitest';
import { decodeEdgeRecord, encodeEdgeRecord, type EdgeRecord } from './edge-record.ts';
import { createHmacKey, hmacSha256 } from './hmac-sha256.ts';
import { chooseShare, destinationId, toShares, type Share } from './shares.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';
const C = 'https://c.example/page?x=1';
const D = 'https://d.example/';
const KEY = createHmacKey(new Uint8Array(32).fill(5));

/** The seeds of visitors, as digests give them. They are always the same. */
const SEEDS = Array.from({ length: 40_000 }, (_, i) => hmacSha256(KEY, `visitor ${i}`)[7] ?? 0);

const sharesOf = (...variants: [url: string, weight: number][]): Share[] =>
  toShares(A, JSON.stringify(variants.map(([url, weight]) => ({ url, weight })))) ?? [];
const chosenBy = (shares: Share[]): string[] =>
  SEEDS.map((seed) => chooseShare(shares, seed)?.u ?? '');
const countOf = (chosen: string[], url: string): number =>
  chosen.filter((one) => one === url).length;

describe('chooseShare', () => {
  it.each([
    [sharesOf([B, 1])],
    [sharesOf([B, 30])],
    [sharesOf([B, 99])],
    [sharesOf([B, 25], [C, 25], [D, 25])],
    [sharesOf([B, 5], [C, 10], [D, 60])],
    [sharesOf([B, 1], [C, 1], [D, 97])],
  ])('chooses each destination as often as its share says: %j', (shares) => {
    const chosen = chosenBy(shares);
    const chiSquare = shares.reduce((sum, { u, p }) => {
      const expected = (SEEDS.length * p) / 100;
      return sum + (countOf(chosen, u) - expected) ** 2 / expected;
    }, 0);
    // The critical values at 0.1 % for 1 to 3 degrees of freedom.
    expect(chiSquare).toBeLessThan([0, 10.83, 13.82, 16.27][shares.length - 1] ?? 0);
  });

  it('moves only the visitors whom a new weight of the one variant needs', () => {
    const [before, after] = [chosenBy(sharesOf([B, 30])), chosenBy(sharesOf([B, 40]))];
    const moves = before.map((from, i) => [from, after[i]]).filter(([from, to]) => from !== to);
    expect(new Set(moves.map(String))).toEqual(new Set([`${A},${B}`]));
    expect(moves.length / SEEDS.length).toBeCloseTo(0.1, 1.5);
  });

  it('moves at most twice as many visitors as needed between several variants', () => {
    const before = chosenBy(sharesOf([B, 20], [C, 20], [D, 20]));
    const after = chosenBy(sharesOf([B, 30], [C, 20], [D, 20]));
    const moved = before.filter((from, i) => from !== after[i]).length / SEEDS.length;
    expect(moved).toBeGreaterThan(0.09);
    expect(moved).toBeLessThan(0.2);
  });

  it('chooses the same in whatever order the variants are', () => {
    expect(chosenBy(sharesOf([B, 20], [C, 30]))).toEqual(chosenBy(sharesOf([C, 30], [B, 20])));
  });
});

describe('the shares in an edge record', () => {
  const RECORD: EdgeRecord = { v: 3, i: 9, s: 'a', u: A, e: 0 };

  it('reads from KV what was written', () => {
    const record = { ...RECORD, w: sharesOf([B, 30], [C, 1]) };
    expect(decodeEdgeRecord(encodeEdgeRecord(record))).toEqual(record);
    const gated = { ...record, g: { n: 5 } };
    expect(decodeEdgeRecord(encodeEdgeRecord(gated))).toEqual(gated);
  });

  it('gives the link’s own destination the rest', () => {
    expect(sharesOf([B, 30], [C, 1])).toEqual([
      { i: destinationId(A), p: 69, u: A },
      { i: destinationId(B), p: 30, u: B },
      { i: destinationId(C), p: 1, u: C },
    ]);
  });

  it('leaves out a variant with the link’s own destination', () => {
    expect(sharesOf([B, 30], [A, 20])).toEqual(sharesOf([B, 30]));
    expect(sharesOf([A, 20])).toEqual([]);
  });

  it.each([
    '{"later":true}',
    'no JSON',
    '[]',
    '[{"url":"https://b.example/","weight":100}]',
    '[{"url":"https://b.example/","weight":0.5}]',
    '[{"url":"javascript:alert(1)","weight":50}]',
    '[{"to":"https://b.example/","weight":50}]',
  ])('[T12] finds none in a row that this release cannot read: %s', (variants) => {
    expect(toShares(A, variants)).toBeUndefined();
  });

  it.each([
    [[]],
    [[{ i: 'a', p: 100, u: A }]],
    [
      [
        { i: 'a', p: 50, u: A },
        { i: 'b', p: 40, u: B },
      ],
    ],
    [
      [
        { i: 'a', p: 50, u: A },
        { i: 'b', p: 50, u: 'javascript:alert(1)' },
      ],
    ],
    [
      [
        { i: 'a|b', p: 50, u: A },
        { i: 'b', p: 50, u: B },
      ],
    ],
  ])('[T12] rejects a record that this release does not write: %j', (w) => {
    expect(decodeEdgeRecord(JSON.stringify({ ...RECORD, w }))).toBeNull();
  });
});
