import { array, asyncProperty, constantFrom, oneof, string, tuple, webUrl } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkProperty } from '#worker/testing/soak.ts';
import { readRedirectQuery } from './read-query.ts';

const forward = (query: string, target: string, rule = '*'): string =>
  readRedirectQuery(query, { u: target, f: rule }).target;

describe('readRedirectQuery', () => {
  it('recognises a scan by exactly qr=1', () => {
    for (const query of ['qr=1', 'a=2&qr=1', 'qr=1&a=2'])
      expect(readRedirectQuery(query, { u: 'https://e.com/' }).isQrScan).toBe(true);
    for (const query of ['', 'qr', 'qr=0', 'qr=11', 'xqr=1', 'a=qr=1x'])
      expect(readRedirectQuery(query, { u: 'https://e.com/' }).isQrScan, query).toBe(false);
  });

  it('passes nothing on by default, not even the mark of a scan', () => {
    expect(readRedirectQuery('qr=1&ref=x', { u: 'https://e.com/?a=1#b' })).toEqual({
      target: 'https://e.com/?a=1#b',
      isQrScan: true,
      utm: '',
    });
  });

  it('passes on all parameters but qr, or those that are listed', () => {
    expect(forward('qr=1&a=1&b=%C3%BC x', 'https://e.com/p')).toBe(
      'https://e.com/p?a=1&b=%C3%BC+x',
    );
    expect(forward('a=1&b=2&A=3', 'https://e.com/p', 'b,c')).toBe('https://e.com/p?b=2');
    expect(forward('qr=1', 'https://e.com/p')).toBe('https://e.com/p');
  });

  it('a query keeps what the target has: its query, its values and its fragment', () => {
    expect(forward('a=2&b=3', 'https://e.com/p?a=1#part')).toBe('https://e.com/p?a=1&b=3#part');
    expect(forward('b=3', 'https://e.com/p?#part')).toBe('https://e.com/p?b=3#part');
    expect(forward('b=3', 'https://e.com/p?a=1&')).toBe('https://e.com/p?a=1&b=3');
    expect(forward('b=3', 'https://e.com/#part?x=1')).toBe('https://e.com/?b=3#part?x=1');
  });

  it.each(['USER_ID', 'user.id', 'user%20id', 'user_id[]', 'user_id[a]', '%20user_id'])(
    'a query does not replace a parameter of the target under the spelling %s',
    (name) => {
      expect(forward(`${name}=2`, 'https://e.com/?user_id=1')).toBe('https://e.com/?user_id=1');
    },
  );

  it.each([
    'next%00x',
    '%00next',
    'next%0A',
    'ne%0Dxt',
    'next%09',
    'n%1Fext',
    'next%7F',
    'next%C2%85',
    '%00',
  ])('[T60] a query does not pass on the name %s', (name) => {
    expect(forward(`${name}=https://evil.example&ref=1`, 'https://e.com/?next=/home')).toBe(
      'https://e.com/?next=/home&ref=1',
    );
  });

  it('bounds the number and the length of what it passes on', () => {
    const many = Array.from({ length: 100 }, (_, i) => `p${i}=1`).join('&');
    expect([...new URL(forward(many, 'https://e.com/')).searchParams]).toHaveLength(20);
    const long = forward(`a=${'x'.repeat(2_000)}&b=1&c=${'ü'.repeat(500)}&d=2`, 'https://e.com/');
    expect(long).toBe('https://e.com/?b=1&d=2');
    const lengths = [1_997, 1_998].map((chars) => forward(`a=${'x'.repeat(chars)}`, '').length);
    expect(lengths).toEqual([2_000, 0]);
  });

  it('[T46] any query leads to the origin and the path of the target', async () => {
    const part = oneof(
      string(),
      constantFrom(
        '//evil.example',
        '\\\\',
        '@evil.example',
        '#',
        '?',
        '%23',
        '%0d%0aX: y',
        '..',
        'javascript:',
      ),
    );
    const query = array(tuple(part, part), { maxLength: 6 }).map((pairs) =>
      pairs.map((pair) => pair.join('=')).join('&'),
    );
    const target = webUrl({ withQueryParameters: true, withFragments: true }).map(
      (url) => new URL(url).href,
    );
    await checkProperty(
      'forwarded query',
      asyncProperty(query, target, constantFrom('*', 'a,b,url'), (text, u, f) => {
        const { target: result } = readRedirectQuery(text, { u, f });
        const [before, after] = [new URL(u), new URL(result)];
        expect([after.origin, after.username, after.pathname, after.hash]).toEqual([
          before.origin,
          before.username,
          before.pathname,
          before.hash,
        ]);
        expect(after.search.startsWith(before.search)).toBe(true);
        expect(result).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
        expect(result.length).toBeLessThanOrEqual(u.length + 2_001);
        return Promise.resolve();
      }),
      100,
    );
  });

  it('names the UTM values that it passes on, and no others', () => {
    const query = 'utm_source=A|b&utm_medium=email&utm_campaign=x&utm_term=y';
    expect(readRedirectQuery(query, { u: 'https://e.com/?utm_medium=own', f: '*' }).utm).toBe(
      'A b||x',
    );
    expect(readRedirectQuery(query, { u: 'https://e.com/', f: 'ref' }).utm).toBe('');
    expect(
      readRedirectQuery(`utm_source=${'x'.repeat(100)}`, { u: 'https://e.com/', f: '*' }).utm,
    ).toBe(`${'x'.repeat(80)}||`);
  });
});
