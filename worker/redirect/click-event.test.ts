import { describe, expect, it } from 'vitest';
import { captureClick, maxEventBytes } from './click-event.ts';

const NOW = 1_800_000_000_000;
const capture = (headers: Record<string, string>, cf: Record<string, string> = {}) =>
  captureClick(new Request('https://hop.example/abc', { headers, cf }), 7, NOW);

describe('captureClick', () => {
  it('takes link, time, user agent, referrer host and place', () => {
    const headers = {
      'User-Agent': 'Mozilla/5.0',
      Referer: 'https://News.Example.com:8443/path?secret=1',
    };
    const { event } = capture(headers, { country: 'IN', region: 'Karnataka', city: 'Bengaluru' });
    expect(event).toEqual({
      l: 7,
      t: NOW,
      ua: 'Mozilla/5.0',
      r: 'news.example.com',
      c: 'IN',
      g: 'Karnataka',
      y: 'Bengaluru',
      k: '',
    });
  });

  it.each([
    [{ 'Sec-Purpose': 'prefetch' }],
    [{ 'Sec-Purpose': 'prefetch;prerender' }],
    [{ Purpose: 'prefetch' }],
    [{ 'X-Moz': 'prefetch' }],
  ])('marks a prefetch: %o', (headers: Record<string, string>) => {
    expect(capture(headers).event.p).toBe(1);
  });

  it.each([
    [{}],
    [{ 'Sec-Purpose': 'other' }],
    [{ Purpose: 'preview' }],
    [{ 'X-Moz': 'livebookmark' }],
  ])(
    'a request without a prefetch header is not marked as one: %o',
    (headers: Record<string, string>) => {
      expect(capture(headers).event.p).toBeUndefined();
    },
  );

  it('bounds every text, and replaces what JSON would escape', () => {
    const headers = {
      'User-Agent': `"quoted" ${'x'.repeat(1_000)}`,
      Referer: `https://${'a'.repeat(300)}.example/`,
    };
    const { event } = capture(headers, { city: 'y'.repeat(300) });
    expect(event.ua).toHaveLength(400);
    expect(event.ua).toMatch(/^\?quoted\? x/);
    expect(event.r).toHaveLength(100);
    expect(event.y).toHaveLength(60);
    expect(capture({ 'CF-Connecting-IP': 'f'.repeat(100) }).address).toHaveLength(45);
    expect(capture({ 'User-Agent': 'a "b"' }).event.ua).toBe('a ?b?');
  });

  it.each([
    [{ q: 1 as const }, 0],
    [{ u: 'news|mail|' }, 0],
    [{ u: 'é||' }, 3 * 5],
    [{ d: '1a2b3c4d' }, 0],
    [{ ua: 'Mozilla' }, 0],
    [{ r: 'a.example' }, 0],
    [{ c: 'IN' }, 0],
    [{ g: 'Bihār' }, 5 * 5],
    [{ y: '東京' }, 2 * 5],
  ])('an event may grow by the bytes of %o, and by %i more for escapes', (more, escapes) => {
    const { event } = capture({});
    const grown = JSON.stringify({ ...event, ...more }).length - JSON.stringify(event).length;
    expect(maxEventBytes({ ...event, ...more }) - maxEventBytes(event)).toBe(grown + escapes);
  });

  it.each([
    ['android-app://com.example.app/', 'com.example.app'],
    ['https://example.com', 'example.com'],
    ['about:blank', ''],
    ['https://exa mple.com/', ''],
    ['', ''],
  ])('takes from the referrer %j the host %j', (Referer, host) => {
    expect(capture({ Referer }).event.r).toBe(host);
  });

  it.each([[{ 'Sec-GPC': '1' }], [{ DNT: '1' }]])(
    '[T33] takes no address if the visitor opts out: %o',
    (optOut: Record<string, string>) => {
      expect(capture({ 'CF-Connecting-IP': '203.0.113.9', ...optOut }).address).toBe('');
      expect(capture({ 'CF-Connecting-IP': '203.0.113.9' }).address).toBe('203.0.113.9');
    },
  );
});
