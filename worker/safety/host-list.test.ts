import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostSuffixes, normalizeHost, parseHostList } from './host-list.ts';

const hostOf = (text: string): string => {
  const check = normalizeHost(text);
  return check.ok ? check.host : `refused: ${check.reason}`;
};

describe('normalizeHost', () => {
  it('returns the spelling of the URL parser', () => {
    expect(hostOf('EVIL.Example')).toBe('evil.example');
    expect(hostOf('evil.example.')).toBe('evil.example');
    expect(hostOf('*.evil.example')).toBe('evil.example');
    expect(hostOf('.evil.example')).toBe('evil.example');
    expect(hostOf('bücher.example')).toBe('xn--bcher-kva.example');
    expect(hostOf('XN--BCHER-KVA.example')).toBe('xn--bcher-kva.example');
    expect(hostOf('ｅｖｉｌ。example')).toBe('evil.example');
    expect(hostOf('203.0.113.9')).toBe('203.0.113.9');
    expect(hostOf('0xcb.0.113.9')).toBe('203.0.113.9');
    expect(hostOf('2001:DB8::1')).toBe('[2001:db8::1]');
  });

  it('rejects text that is not a host and names that block too much', () => {
    for (const text of [
      '',
      ' ',
      'com',
      'com.',
      '*.com',
      'a b.example',
      'evil.example/x',
      'user@evil.example',
      'evil.example:8080',
      'a..example',
      '%',
      `${'x'.repeat(64)}.example`,
      `${'abc.'.repeat(62)}abcdef`,
      '999.1.1.1',
    ])
      expect(hostOf(text)).toMatch(/^refused/);
  });

  it('accepts a host of 253 characters', () => {
    const host = `${'abc.'.repeat(62)}abcde`;
    expect([host.length, hostOf(host)]).toEqual([253, host]);
  });

  it('normalizeHost is idempotent and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.ipV4(), fc.ipV6(), fc.webUrl()),
        (text) => {
          const check = normalizeHost(text);
          if (!check.ok) return;
          expect(normalizeHost(check.host.replace(/^\[|\]$/g, ''))).toEqual(check);
          expect(new URL(`https://${check.host}/`).hostname).toBe(check.host);
          expect(hostSuffixes(check.host)[0]).toBe(check.host);
        },
      ),
      { numRuns: 500, seed: 1 },
    );
  });
});

describe('parseHostList', () => {
  it('accepts a host whose name ends ours without being its parent', () => {
    const hosts = ['go.hop.example', 'op.example', 'hop.example', 'example.hop.example'];
    const list = parseHostList(hosts.join('\n'), ['go.hop.example']);
    expect(list.entries.map(({ value }) => value)).toEqual(['op.example', 'example.hop.example']);
  });

  it('reads the common list formats', () => {
    const text = [
      '# a comment',
      '127.0.0.1 localhost',
      '::1 ip6-localhost ip6-loopback',
      '0.0.0.0 ads.example  # trailing comment',
      '0.0.0.0\ttracker.example other.example',
      '||filter.example^$third-party',
      '! filter list comment',
      'Plain.Example',
      'https://site.example/phish?a=1#frag',
      '',
      'plain.example',
      'com',
      'not a host!',
      'hop.example',
      'example',
    ].join('\r\n');
    const list = parseHostList(text, ['hop.example']);
    expect(list.entries).toEqual([
      { kind: 'host', value: 'ads.example' },
      { kind: 'host', value: 'tracker.example' },
      { kind: 'host', value: 'other.example' },
      { kind: 'host', value: 'filter.example' },
      { kind: 'host', value: 'plain.example' },
      { kind: 'target', value: 'https://site.example/phish?a=1#frag' },
    ]);
    expect(list.refused.map(({ line, text: word }) => [line, word])).toEqual([
      [12, 'com'],
      [13, 'not'],
      [13, 'a'],
      [13, 'host!'],
      [14, 'hop.example'],
      [15, 'example'],
    ]);
  });

  it('shows up to 100 characters of what it rejects', () => {
    expect(parseHostList('x'.repeat(101), []).refused).toEqual([
      { line: 1, text: 'x'.repeat(100), reason: 'not_a_host' },
    ]);
  });

  it('rejects our own host and its parents', () => {
    expect(
      parseHostList('go.hop.example\nhop.example\nother.example', ['go.hop.example']).entries,
    ).toEqual([{ kind: 'host', value: 'other.example' }]);
  });
});

describe('hostSuffixes', () => {
  it('returns a host and its parents, and only itself for an IP address', () => {
    expect(hostSuffixes('a.b.example.com.')).toEqual([
      'a.b.example.com',
      'b.example.com',
      'example.com',
      'com',
    ]);
    expect(hostSuffixes('203.0.113.9')).toEqual(['203.0.113.9']);
    expect(hostSuffixes('[2001:db8::1]')).toEqual(['[2001:db8::1]']);
  });
});
