import { describe, expect, it } from 'vitest';
import { checkHost } from './check-host.ts';

const PUBLIC_V4 = '93.184.215.14';
const PUBLIC_V6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
type DnsAnswer = { Status: number; Answer?: { data: string }[] };
const found = (data: string): DnsAnswer => ({ Status: 0, Answer: [{ data }] });

/** The verdict where the resolver answers so; null is an answer that is no JSON. */
const verdictOf = (v4: DnsAnswer | null, v6: DnsAnswer | null) =>
  checkHost('hooks.example', (url) => {
    const answer = url.includes('type=AAAA') ? v6 : v4;
    return Promise.resolve(
      answer === null ? new Response('busy', { status: 500 }) : Response.json(answer),
    );
  });

describe('checkHost', () => {
  it('a host is public with public addresses, and with none of one family', async () => {
    expect(await verdictOf(found(PUBLIC_V4), found(PUBLIC_V6))).toBe('public');
    expect(await verdictOf(found(PUBLIC_V4), { Status: 0 })).toBe('public');
    expect(await verdictOf({ Status: 3 }, found(PUBLIC_V6))).toBe('public');
  });

  it.each([1, 2, 4, 5, 9, 23])(
    '[T64] a host is unknown if one family is answered with the DNS error %i',
    async (Status) => {
      expect(await verdictOf(found(PUBLIC_V4), { Status })).toBe('unknown');
      expect(await verdictOf({ Status }, found(PUBLIC_V6))).toBe('unknown');
      expect(await verdictOf(found(PUBLIC_V4), { ...found(PUBLIC_V6), Status })).toBe('unknown');
    },
  );

  it('[T64] a host is unknown without an answer for one family', async () => {
    expect(await verdictOf(found(PUBLIC_V4), null)).toBe('unknown');
    expect(await verdictOf(null, found(PUBLIC_V6))).toBe('unknown');
    expect(await verdictOf({ Status: 3 }, null)).toBe('unknown');
  });

  it('a host is missing if its name has no address', async () => {
    expect(await verdictOf({ Status: 3 }, { Status: 3 })).toBe('missing');
    expect(await verdictOf({ Status: 0 }, { Status: 0 })).toBe('missing');
  });

  it('[T43] a host is private with one private address', async () => {
    expect(await verdictOf(found(PUBLIC_V4), found('fd00::1'))).toBe('private');
    expect(await verdictOf(found('10.0.0.7'), { Status: 0 })).toBe('private');
    for (const spelling of [
      'FD00::1',
      '0:0:0:0:0:ffff:0a00:0007',
      '::ffff:10.0.0.7',
      'bad:address',
    ])
      expect(await verdictOf(found(PUBLIC_V4), found(spelling)), spelling).toBe('private');
  });
});
