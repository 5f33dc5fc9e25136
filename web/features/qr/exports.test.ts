import { inflateSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { BRAND_COLORS } from '#contract/pages/brand.ts';
import {
  PLAIN_QR,
  QR_EYES,
  QR_LOGO_SIZES,
  QR_MODULES,
  type QrStyle,
} from '#contract/presets/qr-presets.ts';
import { loadQrReader, readQr } from '#web/testing/read-qr.ts';
import { encodePng } from '#worker/http/png.ts';
import { qrSvg as plainQrSvg } from '#worker/links/qr.ts';
import { drawQr, pathOf } from './draw-qr.ts';
import { exportQr } from './export-qr.ts';
import { addMark } from './qr-mark.ts';
import { qrPdf } from './qr-pdf.ts';
import { styledQrSvg } from './qr-svg.ts';

const SHORT_URL = 'https://go.example.com/summer-sale';
const SCANNED = [`${SHORT_URL}?qr=1`];
/** The smallest print: 20 mm are 120 px at 150 dpi. */
const SMALL_PX = 120;
let logo = '';

beforeAll(async () => {
  await loadQrReader();
  // Black and white squares that a reader could mistake for modules.
  const lines = new Uint8Array(8 * 2);
  for (let y = 0; y < 8; y += 1) lines[y * 2 + 1] = y % 2 === 0 ? 0b1010_1010 : 0b0101_0101;
  logo = `data:image/png;base64,${Buffer.from(await encodePng(8, 8, ['ffffff', '000000'], lines)).toString('base64')}`;
});

/** Returns the content of an object of a PDF that is a stream. */
function inflate(object: Buffer): Buffer {
  const start = object.indexOf('stream\n') + 7;
  const length = Number(/\/Length (\d+)/.exec(object.toString('latin1'))?.[1]);
  return inflateSync(object.subarray(start, start + length));
}

describe('exports', () => {
  const shapes = QR_MODULES.flatMap((modules) => QR_EYES.map((eyes) => ({ modules, eyes })));

  it.each(shapes)(
    'codes are readable small and turned: $modules modules, $eyes eyes, any logo size',
    async (shape) => {
      for (const logoSize of [null, ...QR_LOGO_SIZES]) {
        const style: QrStyle = { ...PLAIN_QR, ...shape, logoSize: logoSize ?? 'small' };
        const svg = styledQrSvg(drawQr(SHORT_URL, style, logoSize === null ? '' : logo));
        for (const degrees of [0, 15, 45])
          expect(await readQr(svg, SMALL_PX, degrees), `${logoSize} logo, ${degrees}°`).toEqual(
            SCANNED,
          );
      }
    },
  );

  it('codes are readable with the least contrast and a long short URL', async () => {
    const style: QrStyle = {
      ...PLAIN_QR,
      modules: 'dots',
      foreground: '#0e7490',
      background: '#fde68a',
      logoSize: 'large',
    };
    const long = `https://links.department.example.org/${'x'.repeat(20)}`;
    expect(await readQr(styledQrSvg(drawQr(long, style, logo)), 160, 15)).toEqual([`${long}?qr=1`]);
  });

  it('exports raise the error correction with the logo and leave room for damage', () => {
    const levelOf = (logoSize: QrStyle['logoSize'], source: string) =>
      drawQr(SHORT_URL, { ...PLAIN_QR, logoSize }, source).level;
    expect([levelOf('large', ''), ...QR_LOGO_SIZES.map((size) => levelOf(size, logo))]).toEqual([
      'M',
      'Q',
      'H',
      'H',
    ]);
  });

  it('an exported PDF has the chosen size and the paths of the code', async () => {
    const drawing = drawQr(
      SHORT_URL,
      { ...PLAIN_QR, modules: 'rounded', eyes: 'circle', foreground: '#0a3d62' },
      logo,
    );
    const pixels = {
      width: 2,
      height: 1,
      data: new Uint8ClampedArray([255, 0, 0, 255, 0, 0, 255, 128]),
    };
    const file = Buffer.from(await qrPdf(drawing, 50, pixels));
    const text = file.toString('latin1');
    expect(text).toContain('xref\n0 7\n');
    expect(text).toContain('<</Size 7/');
    // The table lists where each object begins.
    const table = text.slice(Number(/startxref\n(\d+)/.exec(text)?.[1]));
    const starts = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at));
    expect(starts.map((at) => /^\d+ 0 obj/.exec(text.slice(at))?.[0])).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => `${n} 0 obj`),
    );
    expect(text).toContain('/MediaBox[0 0 141.73228 141.73228]');
    const streamOf = (n: number): Buffer => inflate(file.subarray(starts[n - 1]));
    expect([...streamOf(5)]).toEqual([255, 0, 0, 0, 0, 255]);
    expect([...streamOf(6)]).toEqual([255, 128]);
    const content = streamOf(4).toString('latin1');
    const { x = 0, y = 0, side = 0 } = drawing.logo ?? {};
    expect(content).toContain(`q ${side} 0 0 -${side} ${x} ${y + side} cm /Logo Do Q`);
    expect(await readQr(toSvg(content, 141.732_28), SMALL_PX, 15)).toEqual(SCANNED);
  });

  it('a code with the mark under it is readable, and its files are higher', async () => {
    for (const [margin, higher] of [
      [0, 12],
      [4, 10],
      [10, 16],
    ] as const) {
      const plain = drawQr(SHORT_URL, { ...PLAIN_QR, margin }, '');
      const drawing = addMark(plain, margin);
      expect(drawing.height).toBe(plain.side + higher);
      expect(drawing.mark?.lineWidth).toBeCloseTo(0.85);
      const svg = styledQrSvg(drawing);
      expect(await readQr(svg, SMALL_PX, 15)).toEqual(SCANNED);
      // The mark leaves the empty space that scanners need.
      const top = Math.min(...(drawing.mark?.line ?? []).map(([, , y = 0]) => y));
      expect(top).toBeGreaterThanOrEqual(plain.side - margin + 4);
      const px = Math.round((1024 * drawing.height) / plain.side);
      expect(svg).toContain(`height="${px}" viewBox="0 0 ${plain.side} ${drawing.height}"`);
      const [line, start, landing] = [
        drawing.mark?.line,
        drawing.mark?.start,
        drawing.mark?.landing,
      ].map((steps) => `d="${pathOf(steps ?? [])}"/>`);
      expect(svg).toContain(`stroke="#000000" stroke-width="${drawing.mark?.lineWidth}"`);
      expect(svg).toContain(line);
      expect(svg).toContain(`<path fill="#000000" ${start}`);
      expect(svg).toContain(`<path fill="${BRAND_COLORS.landing}" ${landing}`);
      expect(start).not.toBe(landing);
      const height = ((drawing.height / plain.side) * 50 * 72) / 25.4;
      const file = Buffer.from(await qrPdf(drawing, 50, null));
      const pdf = file.toString('latin1');
      const content = inflate(file.subarray(file.indexOf('4 0 obj'))).toString('latin1');
      const width = Number(drawing.mark?.lineWidth.toFixed(5));
      expect(content).toContain(`\n0 0 0 RG ${width} w 1 J\n`);
      const fills = [...content.matchAll(/(\S+ \S+ \S+) rg/g)].map(([, color]) => color);
      expect(fills).toEqual(['1 1 1', '0 0 0', expect.stringContaining('0.')]);
      const box = /MediaBox\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf);
      expect(Number(box?.[1])).toBeCloseTo(141.732, 2);
      expect(Number(box?.[2])).toBeCloseTo(height, 2);
    }
  });
});

/** Converts the operators of a PDF page to an SVG, without pictures. */
function toSvg(content: string, side: number): string {
  const shapes: string[] = [];
  let [matrix, color, path] = ['', '', ''];
  for (const line of content.split('\n')) {
    for (const [, values = '', operator = ''] of line.matchAll(/((?:-?[\d.]+ )*)([a-zA-Z*]+)/g)) {
      const at = values.trim().split(' ');
      if (operator === 'cm' && matrix === '') matrix = at.join(' ');
      else if (operator === 'rg')
        color = `rgb(${at.map((part) => `${Number(part) * 100}%`).join(',')})`;
      else if (operator === 're') path = `M${at[0]} ${at[1]}h${at[2]}v${at[3]}H${at[0]}z`;
      else if (['m', 'l', 'c', 'h'].includes(operator))
        path += `${operator === 'h' ? 'Z' : operator.toUpperCase()}${at.join(' ')}`;
      else if (operator.startsWith('f')) {
        shapes.push(
          `<path fill="${color}" fill-rule="${operator === 'f*' ? 'evenodd' : 'nonzero'}" d="${path}"/>`,
        );
        path = '';
      }
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}">` +
    `<g transform="matrix(1 0 0 -1 0 ${side}) matrix(${matrix})">${shapes.join('')}</g></svg>`
  );
}

describe('exportQr', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  /** Lists what is drawn on canvases, on which a logo has 2 × 1 pixels. */
  function recordCanvases(): string[] {
    const drawn: string[] = [];
    class Context {
      fillStyle = '';
      strokeStyle = '';
      lineWidth = 1;
      lineCap = 'butt';
      imageSmoothingQuality = 'low';
      scale = (...by: number[]) => drawn.push(`scale ${by.join(' ')}`);
      fillRect = (...at: number[]) => drawn.push(`${this.fillStyle} rect ${at.join(' ')}`);
      fill = (path: { d: string }, rule = 'nonzero') =>
        drawn.push(`${this.fillStyle} ${rule} ${path.d}`);
      stroke = ({ d }: { d: string }) =>
        drawn.push(`${this.strokeStyle} ${this.lineWidth} ${this.lineCap} ${d}`);
      drawImage = (_: unknown, ...at: number[]) =>
        drawn.push(`${this.imageSmoothingQuality} image ${at.join(' ')}`);
      getImageData = (x: number, y: number, width: number, height: number) => {
        drawn.push(`pixels ${x} ${y} ${width} ${height}`);
        return { width, height, data: new Uint8ClampedArray(4 * width * height) };
      };
    }
    vi.stubGlobal(
      'Path2D',
      class {
        readonly d: string;
        constructor(d: string) {
          this.d = d;
        }
      },
    );
    vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue();
    const size = { naturalWidth: 2, naturalHeight: 1 };
    for (const [name, value] of Object.entries(size))
      Object.defineProperty(HTMLImageElement.prototype, name, { value, configurable: true });
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function open(
      this: HTMLCanvasElement,
    ) {
      drawn.push(`canvas ${this.width} ${this.height}`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the members that are used
      return new Context() as never;
    });
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type = '') =>
      done(new Blob(['png'], { type })),
    );
    return drawn;
  }
  const style: QrStyle = { ...PLAIN_QR, foreground: '#0a3d62', logoSize: 'small' };

  it('draws the code, its logo and the mark into a PNG', async () => {
    const drawn = recordCanvases();
    const drawing = addMark(drawQr(SHORT_URL, style, logo), style.margin);
    const { side, height, steps, logo: place, mark } = drawing;
    const px = 10 * side;
    const { blob, ending } = await exportQr(drawing, { format: 'png', px });
    expect([blob.type, ending]).toEqual(['image/png', `-${px}px.png`]);
    expect(drawn).toEqual([
      `canvas ${px} ${10 * height}`,
      'scale 10 10',
      `#ffffff rect 0 0 ${side} ${height + 1}`,
      `#0a3d62 evenodd ${pathOf(steps)}`,
      `high image ${place?.x} ${place?.y} ${place?.side} ${place?.side}`,
      `#0a3d62 ${mark?.lineWidth} round ${pathOf(mark?.line ?? [])}`,
      `#0a3d62 nonzero ${pathOf(mark?.start ?? [])}`,
      `${BRAND_COLORS.landing} nonzero ${pathOf(mark?.landing ?? [])}`,
    ]);
  });

  it('draws neither a logo nor a mark that a code does not have', async () => {
    const drawn = recordCanvases();
    const plain = drawQr(SHORT_URL, style, '');
    await exportQr(plain, { format: 'png', px: 256 });
    expect(drawn).toHaveLength(4);
    const svg = await exportQr(plain, { format: 'svg' });
    expect([svg.blob.type, svg.ending]).toEqual(['image/svg+xml', '.svg']);
    expect(await svg.blob.text()).toBe(styledQrSvg(plain));
  });

  it('reads the pixels of a logo for a PDF of the chosen size', async () => {
    const drawn = recordCanvases();
    const drawing = drawQr(SHORT_URL, style, logo);
    const { blob, ending } = await exportQr(drawing, { format: 'pdf', mm: 30 });
    expect([blob.type, ending]).toEqual(['application/pdf', '-30mm.pdf']);
    expect(drawn).toEqual(['canvas 2 1', 'low image 0 0', 'pixels 0 0 2 1']);
    const text = await blob.text();
    expect(text).toContain('/MediaBox[0 0 85.03937 85.03937]/Resources<</XObject<</Logo 5 0 R>>>>');
    expect(text).toContain('/Width 2/Height 1/');
  });
});

describe('plain codes', () => {
  it('a plain code leads to the short URL with ?qr=1', async () => {
    expect(await readQr(plainQrSvg(SHORT_URL), SMALL_PX, 15)).toEqual(SCANNED);
  });
});
