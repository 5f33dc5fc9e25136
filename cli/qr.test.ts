import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hop, ORIGIN } from './testing/hop.ts';

/** Four modules by three, with their quiet zone left out: the server draws the same form. */
const SVG =
  '<svg viewBox="0 0 4 4"><path fill="#fff" d="M0 0h4v4H0z"/><path fill="#000" d="M0 0h2v1h-2zM1 1h3v1h-3zM0 2h1v1h-1z"/></svg>';
const PNG = new Uint8Array([137, 80, 78, 71]);
const server = (call: string) =>
  call.includes('qr.png')
    ? new Response(PNG, { headers: { 'Content-Type': 'image/png' } })
    : call.includes('qr.svg')
      ? new Response(SVG, { headers: { 'Content-Type': 'image/svg+xml' } })
      : Response.json({ id: '7', code: 'sale', shortUrl: `${ORIGIN}/sale` });
const newFile = (name: string): string => join(mkdtempSync(join(tmpdir(), 'hop-')), name);

describe('hop qr', () => {
  it('draws two rows of modules in a line, dark on light', async () => {
    const { out } = await hop(['qr', 'sale'], server);
    const [first, second, url] = out.split('\n');
    expect([first, second, url]).toEqual([
      '\u001B[30;107m▀█▄▄\u001B[0m',
      '\u001B[30;107m▀   \u001B[0m',
      `${ORIGIN}/sale`,
    ]);
  });

  it('writes a PNG of the wanted size', async () => {
    const file = newFile('code.PNG');
    const { out, sent } = await hop(['qr', 'sale', '-o', file, '--size', '512'], server);
    expect([out, sent.at(-1)?.call]).toEqual([`Wrote ${file}.`, 'GET /links/7/qr.png?size=512']);
    expect(new Uint8Array(readFileSync(file))).toEqual(PNG);
    const asJson = await hop(['qr', 'sale', '-o', file, '--json'], server);
    expect(JSON.parse(asJson.out)).toEqual({ code: 'sale', file });
    const small = await hop(['qr', 'sale', '-o', file, '--size', '127'], server);
    expect([small.code, small.sent]).toEqual([2, []]);
  });

  it('writes and prints an SVG', async () => {
    const file = newFile('code.svg');
    await hop(['qr', 'sale', '-o', file], server);
    expect(readFileSync(file, 'utf8')).toBe(SVG);
    expect((await hop(['qr', 'sale', '--svg'], server)).out).toBe(SVG);
    const { out } = await hop(['qr', 'sale', '--json'], server);
    expect(JSON.parse(out)).toEqual({ code: 'sale', shortUrl: `${ORIGIN}/sale`, svg: SVG });
  });
});
