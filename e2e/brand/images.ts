import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { arcElements } from '#contract/pages/arc-svg.ts';
import { WIDE_ARC } from '#contract/pages/arcs.ts';
import { BRAND_COLORS } from '#contract/pages/brand.ts';
import { PLANS, SITE_NAME } from '#contract/site.ts';
import { ICON_SIZES } from '#extension/manifest.ts';
import { CHROMIUM_ARGS, findChromium } from '#scripts/test/chromium.ts';
import { fontFace, mark, MARK_FILES } from './brand.ts';

/**
 * Draws the product's pictures: favicon, home-screen icons and the image for shared links into
 * web/public, and the mark as files into docs/brand. Run `node e2e/brand/images.ts` after a change
 * of the mark, the name or the words, and commit the results.
 */

const PUBLIC = fileURLToPath(new URL('../../web/public/', import.meta.url));
const EXTENSION = fileURLToPath(new URL('../../extension/public/', import.meta.url));
/** Up to this size in pixels, the icon has a heavier mark. */
const SMALL_ICON = 32;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { ink, paper, landing } = BRAND_COLORS;

/** Returns an .ico file with one PNG of 32 × 32. */
function icoOf(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(32, 6);
  head.writeUInt8(32, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

async function socialHtml(): Promise<string> {
  const fonts = [
    await fontFace('Geist', 'geist/files/geist-latin-wght-normal.woff2'),
    await fontFace('Geist Mono', 'geist-mono/files/geist-mono-latin-wght-normal.woff2'),
  ];
  return `<!doctype html><meta charset="utf-8"><style>${fonts.join('')}
    *{box-sizing:border-box;margin:0}
    body{width:1200px;height:630px;background:${paper};color:${ink};font-family:Geist;padding:72px 80px 76px;display:flex;flex-direction:column}
    .brand{display:flex;align-items:center;gap:20px;font-size:40px;font-weight:600;letter-spacing:-.02em}
    .brand svg{width:64px;height:64px}
    h1{font-size:96px;line-height:1;font-weight:650;letter-spacing:-.045em;margin-top:52px}
    .hop{margin-top:auto;display:flex;align-items:flex-end;gap:14px;font-family:'Geist Mono';font-size:32px;line-height:1}
    .hop svg{height:88px;margin-bottom:-7px}
    .hop b{font-weight:600}
    .hop span{color:#5c5e66;flex:1;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;line-height:1.2;margin-bottom:-4px}
    .foot{margin-top:44px;font-size:26px;color:#5c5e66}
  </style>
  <div class="brand">${mark(5.5, 0.92)}${SITE_NAME}</div>
  <h1>Short links that<br>keep their word.</h1>
  <div class="hop"><b>/hop-over</b><svg viewBox="${WIDE_ARC.viewBox}">${arcElements(WIDE_ARC, ink, landing)}</svg><span>example.com/the-very-long-way</span></div>
  <p class="foot">Quick redirects, exact counts. ${PLANS.free.monthlyLimit} links a month for free.</p>`;
}

const executablePath = findChromium();
if (executablePath === undefined) throw new Error('This needs Chromium: name it in CHROMIUM.');
const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
try {
  const icon = async (svg: string, size: number): Promise<Buffer> => {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(
      `<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
    );
    const png = await page.screenshot({ omitBackground: true });
    await page.close();
    return png;
  };
  for (const [name, svg] of Object.entries(MARK_FILES)) await writeFile(ROOT + name, svg);
  await writeFile(`${PUBLIC}favicon.ico`, icoOf(await icon(mark(5.5, 0.92, true), 32)));
  await writeFile(`${PUBLIC}apple-touch-icon.png`, await icon(mark(0, 0.84), 180));
  await writeFile(`${PUBLIC}icon-192.png`, await icon(mark(5.5, 0.9), 192));
  await writeFile(`${PUBLIC}icon-512.png`, await icon(mark(5.5, 0.9), 512));
  // Systems cut the icon to a shape that contains the circle of 80 % of its width.
  await writeFile(`${PUBLIC}icon-maskable-512.png`, await icon(mark(0, 0.72), 512));
  for (const size of ICON_SIZES)
    await writeFile(
      `${EXTENSION}icon-${size}.png`,
      await icon(mark(5.5, 0.92, size <= SMALL_ICON), size),
    );
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.setContent(await socialHtml());
  await page.evaluate(() => document.fonts.ready.then(() => true));
  await writeFile(`${PUBLIC}social.png`, await page.screenshot());
} finally {
  await browser.close();
}
