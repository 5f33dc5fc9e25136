import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';
import { checkTarget, type TargetPolicy } from './target.ts';
import wpt from './testdata/urltestdata.json?raw';

const policy: TargetPolicy = { ownHosts: ['hop.example'], shorteners: new Set(['bit.ly']) };

/**
 * Checks what must hold for any text: no exception, and a stored target is safe, canonical and
 * stable. True if it is stored.
 */
function checkInvariants(raw: string): boolean {
  const result = checkTarget(raw, policy);
  if (!result.ok) return false;
  const { href } = result.target;
  const url = new URL(href);
  expect(url.href).toBe(href);
  expect(['http:', 'https:']).toContain(url.protocol);
  expect(url.username + url.password).toBe('');
  expect(href).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
  expect(href.length).toBeLessThanOrEqual(2048);
  // A stored target passes again unchanged.
  expect(checkTarget(href, policy)).toEqual(result);
  return true;
}

type Case = { input: string; base: string | null; failure?: boolean; href?: string };
// The file is an array of cases and, between them, comments as strings.
const entries: (Case | string)[] = JSON.parse(wpt);
const cases = entries.filter((entry) => typeof entry !== 'string');

describe('checkTarget with any text', () => {
  it('[T5] checkTarget keeps its promises for every URL case of the Web Platform Tests', () => {
    expect(cases.length).toBeGreaterThan(650);
    let stored = 0;
    for (const { input, href } of cases) {
      if (checkInvariants(input)) stored += 1;
      if (href !== undefined) checkInvariants(href);
    }
    expect(stored).toBeGreaterThan(50);
  });

  it('rejects what the Web Platform Tests reject, unless https:// makes it valid', () => {
    for (const { input } of cases.filter((entry) => entry.failure === true)) {
      const result = checkTarget(input, policy);
      if (result.ok) expect(/^[a-z]+:\/\//i.test(input.trim())).toBe(false);
    }
  });

  it('[T11] checkTarget never throws for any Unicode text, broken or not', () => {
    const anyUnits = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
      .map((units) => String.fromCharCode(...units));
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), anyUnits);
    fc.assert(
      fc.property(
        fc.constantFrom(
          '',
          'https://',
          'https://example.com/',
          'http://',
          'https://example.',
          '//',
        ),
        text,
        (head, tail) => {
          checkInvariants(head + tail);
        },
      ),
      { numRuns: 300, seed: 1 },
    );
  });

  it('stores every generated web address with a public host', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (raw) => {
        const result = checkTarget(raw, policy);
        if (!result.ok)
          expect([
            'private_host',
            'too_long',
            'host_too_long',
            'lookalike_host',
            'not_a_link',
          ]).toContain(result.reason);
        checkInvariants(raw);
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});

/**
 * IANA's special-purpose blocks in CIDR notation, compared bit by bit: a method other than the one
 * in the code.
 */
const V4 = '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'; // prettier-ignore
const bitsOf = (address: string): string =>
  address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');
const specialV4 = (address: string): boolean =>
  V4.split(' ').some((cidr) => {
    const [network = '', length] = cidr.split('/');
    return bitsOf(address).startsWith(bitsOf(network).slice(0, Number(length)));
  });

describe('checkTarget with an IP address', () => {
  it('[T7] rejects exactly the special IPv4 addresses, in every spelling', () => {
    const nearBlocks = fc.constantFrom(...V4.split(' ')).chain((cidr) => {
      const start = Number.parseInt(bitsOf(cidr.split('/')[0] ?? ''), 2);
      const size = 2 ** (32 - Number(cidr.split('/')[1]));
      return fc
        .constantFrom(start - 1, start, start + size - 1, start + size)
        .map((n) => (n + 2 ** 32) % 2 ** 32);
    });
    const spell = (n: number, way: number): string => {
      const parts = [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
      if (way === 0) return parts.join('.');
      if (way === 1) return String(n);
      if (way === 2) return `0x${n.toString(16)}`;
      if (way === 3) return parts.map((part) => `0${part.toString(8)}`).join('.');
      if (way === 4) return parts.join('。');
      return `${parts[0]}.${n & 0xffffff}`;
    };
    fc.assert(
      fc.property(fc.oneof(nearBlocks, fc.nat(2 ** 32 - 1)), fc.nat(5), (n, way) => {
        const dotted = spell(n, 0);
        const result = checkTarget(`https://${spell(n, way)}/`, policy);
        if (specialV4(dotted))
          expect(result).toMatchObject({ ok: false, reason: 'private_address' });
        else expect(result).toMatchObject({ ok: true, target: { href: `https://${dotted}/` } });
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  const groups = (n: bigint): string =>
    Array.from({ length: 8 }, (_, i) => ((n >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(
      ':',
    );
  const inBlock = (n: bigint, network: bigint, length: bigint): boolean =>
    n >> (128n - length) === network >> (128n - length);
  /** Inside 2000::/3 and none of 2001::/23, 2001:db8::/32, 2002::/16, 3fff::/20. */
  const publicV6 = (n: bigint): boolean =>
    inBlock(n, 0x2000n << 112n, 3n) &&
    !inBlock(n, 0x2001n << 112n, 23n) &&
    !inBlock(n, 0x20010db8n << 96n, 32n) &&
    !inBlock(n, 0x2002n << 112n, 16n) &&
    !inBlock(n, 0x3fffn << 112n, 20n);

  it('[T7] accepts exactly the global unicast IPv6 addresses', () => {
    const v6 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
    const head = fc.constantFrom(
      0x2000n,
      0x2001n,
      0x2002n,
      0x3fffn,
      0x2606n,
      0x1fffn,
      0x4000n,
      0xfe80n,
      0xfd00n,
      0n,
      0x64n,
    );
    const near = fc.tuple(
      head,
      fc.constantFrom(0n, 1n, 0xdb8n, 0x1ffn, 0x200n, 0xfffn, 0x1000n, 0xff9bn),
      fc.constantFrom(0n, 1n, 0x7f000001n),
    );
    const any = fc.oneof(
      v6,
      near.map(([a, b, tail]) => (a << 112n) | (b << 96n) | tail),
    );
    fc.assert(
      fc.property(any, (n) => {
        const result = checkTarget(`https://[${groups(n)}]/`, policy);
        expect(result.ok).toBe(publicV6(n));
        if (!result.ok) expect(result.reason).toBe('private_address');
        else expect(isPublicAddress(result.target.host)).toBe(true);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('[T7] rejects every IPv4 address embedded in an IPv6 address', () => {
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:'),
        (v4, prefix) => {
          expect(checkTarget(`http://[${prefix}${v4}]/`, policy)).toMatchObject({
            ok: false,
            reason: 'private_address',
          });
        },
      ),
      { seed: 1 },
    );
  });
});
