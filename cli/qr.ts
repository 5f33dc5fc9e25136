import { writeFileSync } from 'node:fs';
import { dataOf } from './client.ts';
import type { Command } from './command.ts';
import { findLink, LINK } from './find-link.ts';
import { request } from './request.ts';

const SIZE_MIN = 128;

export const qrCommand: Command = {
  args: [LINK],
  summary: 'Draw the QR code of a link in the terminal, or write it to a file.',
  options: {
    output: { value: 'FILE', short: 'o', text: 'a file that ends in .svg or .png' },
    size: { value: 'PX', min: SIZE_MIN, text: 'width of a PNG, up to 2048; 1024 unless set' },
    svg: { text: 'print it as SVG' },
  },
  examples: ['hop qr spring', 'hop qr spring --output spring.png --size 512'],
  async run({ args, text, number, has, client, print }) {
    const { id, code, shortUrl } = await findLink(client(), args[0]);
    const [file, size] = [text('output'), number('size')];
    const path = { id };
    if (file !== undefined && /\.png$/i.test(file)) {
      const params = { path, query: size === undefined ? {} : { size } };
      const png = await request(() =>
        dataOf(client().GET('/links/{id}/qr.png', { params, parseAs: 'arrayBuffer' })),
      );
      writeFileSync(file, new Uint8Array(png));
      return print({ code, file }, [`Wrote ${file}.`]);
    }
    const svg = await request(() =>
      dataOf(client().GET('/links/{id}/qr.svg', { params: { path }, parseAs: 'text' })),
    );
    if (file !== undefined) {
      writeFileSync(file, svg);
      return print({ code, file }, [`Wrote ${file}.`]);
    }
    print({ code, shortUrl, svg }, has('svg') ? [svg] : [...drawInTerminal(svg), shortUrl]);
  },
};

/**
 * Draws the dark runs of the server’s SVG (worker/links/qr.ts), two rows of modules in each line.
 * Always dark on light, because scanners need that.
 */
function drawInTerminal(svg: string): string[] {
  const side = Number(/viewBox="0 0 (\d{1,3}) /.exec(svg)?.[1] ?? 0);
  const rows = Array.from({ length: side }, () => Array.from({ length: side }, () => false));
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g))
    rows[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
  return Array.from({ length: Math.ceil(side / 2) }, (_, line) => {
    const [upper = [], lower = []] = rows.slice(2 * line, 2 * line + 2);
    const cells = upper.map((dark, x) => BLOCKS[dark ? 1 : 0][lower[x] === true ? 1 : 0]);
    return `${DARK_ON_LIGHT}${cells.join('')}${RESET}`;
  });
}

const DARK_ON_LIGHT = '\u001B[30;107m';
const RESET = '\u001B[0m';
const BLOCKS = [
  [' ', '▄'],
  ['▀', '█'],
] as const;
