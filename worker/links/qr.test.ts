import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';
import { qrPng, qrSvg } from './qr.ts';
import { inOneMinute } from '#worker/testing/minute.ts';
import { newNetwork } from '#worker/testing/visitor.ts';

describe('GET /api/qr/:code', () => {
  it('[T45] returns a plain SVG image source for a link and 404 for any other code', async () => {
    const person = await makePerson();
    await call('/api/shorten', {
      json: { longUrl: 'https://example.com', customCode: 'qr-1' },
      headers: person.headers,
    });
    const response = await call('/api/qr/qr-1');
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const { qrCode } = await response.json<{ qrCode: string }>();
    const [head, data = ''] = qrCode.split(',');
    expect(head).toBe('data:image/svg+xml;base64');
    expect(atob(data)).toBe(qrSvg('http://localhost:8787/qr-1'));
    // A public address draws plain codes only, so that nobody restyles another's.
    const styled = await call(
      '/api/qr/qr-1?foreground=%23ff0000&modules=dots&eyes=circle&margin=0&logo=x',
    );
    expect(await styled.json()).toEqual({ qrCode });
    for (const code of ['no-such', 'a'.repeat(21), '%3Cscript%3E', '..%2Fadmin'])
      expect((await call(`/api/qr/${code}`)).status).toBe(404);
  });

  it('[T15] limits unknown codes per network, but not existing ones', async () => {
    await inOneMinute(async () => {
      const headers = { 'CF-Connecting-IP': newNetwork() };
      const statuses = new Set<number>();
      for (let i = 0; i < 70; i += 1)
        statuses.add((await call(`/api/qr/none-${i}`, { headers })).status);
      expect(statuses).toEqual(new Set([404, 429]));
      expect((await call('/api/qr/qr-1', { headers })).status).toBe(200);
    });
  });
});

describe('qrSvg', () => {
  it('draws three finder patterns, a quiet zone of four modules and no inline style', () => {
    const svg = qrSvg('https://example.com/abcdefg');
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="256" height="256" viewBox="0 0 (\d+) \1"/,
    );
    expect(svg).not.toMatch(/style|script|href|example/);
    const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
    const dark = new Set<string>();
    for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
      for (let i = 0; i < Number(length); i += 1) dark.add(`${Number(x) + i},${Number(y)}`);
    // Each run of dark modules is drawn once, which keeps the image small.
    for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g))
      expect(dark.has(`${Number(x) + Number(length)},${y}`)).toBe(false);
    const isFinderPattern = (left: number, top: number): boolean =>
      Array.from({ length: 49 }, (_, i) => [i % 7, Math.floor(i / 7)] as const).every(([x, y]) => {
        const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3));
        return dark.has(`${left + x},${top + y}`) === (ring !== 2);
      });
    expect([
      isFinderPattern(4, 4),
      isFinderPattern(side - 11, 4),
      isFinderPattern(4, side - 11),
    ]).toEqual([true, true, true]);
    for (const point of dark) {
      const [x = 0, y = 0] = point.split(',').map(Number);
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(4);
      expect(Math.max(x, y)).toBeLessThan(side - 4);
    }
  });
});

describe('qrPng', () => {
  it.each([200, 1024])(
    'draws the modules of the SVG, each with the same number of px, at %i px',
    async (size) => {
      const text = 'https://example.com/abcdefg';
      const png = await qrPng(text, size);
      const view = new DataView(png.buffer);
      expect([view.getUint32(16), view.getUint32(20)]).toEqual([size, size]);
      const at = new TextDecoder('latin1').decode(png).indexOf('IDAT');
      const data = new Blob([png.slice(at + 4, at + 4 + view.getUint32(at - 4))]);
      const lines = new Uint8Array(
        await new Response(
          data.stream().pipeThrough(new DecompressionStream('deflate')),
        ).arrayBuffer(),
      );
      const stride = 1 + Math.ceil(size / 8);
      const isDark = (x: number, y: number): boolean =>
        ((lines[y * stride + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0;
      const svg = qrSvg(text);
      const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
      const scale = Math.floor(size / side);
      const wanted = new Set<number>();
      const margin = Math.floor((size - (side - 8) * scale) / 2) - 4 * scale;
      for (const [, x = '', y = '', length = ''] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g))
        for (let row = 0; row < scale; row += 1)
          for (let px = 0; px < Number(length) * scale; px += 1)
            wanted.add((margin + Number(y) * scale + row) * size + margin + Number(x) * scale + px);
      const drawn = Array.from({ length: size * size }, (_, i) => i).filter((i) =>
        isDark(i % size, Math.floor(i / size)),
      );
      expect(drawn).toEqual([...wanted].sort((a, b) => a - b));
    },
  );
});
