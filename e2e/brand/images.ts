import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { PLANS, SITE_NAME } from '#contract/site.ts';
import { arcElements } from '#contract/arc-svg.ts';
import { MARK } from '#contract/brand.ts';
import { fontFace, mark } from './brand.ts';
import { CHROMIUM_ARGS, findChromium } from '#scripts/test/chromium.ts';

/**
 * Draws the product's pictures into web/public: favicon, home-screen icons and the image for shared
 * links. Run `node e2e/brand/images.ts` after a change of the mark, the name or the words, and
 * commit the results.
 */

const PUBLIC = fileURLToPath(new URL('../../web/public/', import.meta.url));

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
    body{width:1200px;height:630px;background:#fafaf8;color:#17181d;font-family:Geist;padding:72px 80px;display:flex;flex-direction:column;position:relative;overflow:hidden}
    .brand{display:flex;align-items:center;gap:20px;font-size:40px;font-weight:600;letter-spacing:-.02em}
    .brand svg{width:64px;height:64px}
    h1{font-size:92px;line-height:1;font-weight:650;letter-spacing:-.045em;margin-top:64px}
    .row{margin-top:auto;display:flex;align-items:center;gap:28px;font-family:'Geist Mono';font-size:30px}
    .long{color:#7d7f87;max-width:560px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
    .short{background:#fff;border:2px solid #e2e1dc;border-radius:14px;padding:16px 26px;color:#1d4fd8;font-weight:500}
    .foot{margin-top:28px;font-size:26px;color:#5c5e66}
    .arc{position:absolute;right:20px;top:20px;width:470px;opacity:.07}
  </style>
  <svg class="arc" viewBox="0 0 24 24">${arcElements(MARK, '#17181d', '#17181d')}</svg>
  <div class="brand">${mark(5.5, 0.78)}${SITE_NAME}</div>
  <h1>Short links that<br>keep their word.</h1>
  <div class="row"><span class="long">example.com/guides/2026/the-very-long-way-round</span><span>→</span><span class="short">/hop-over</span></div>
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
  await writeFile(`${PUBLIC}favicon.svg`, mark(5.5, 0.78));
  await writeFile(`${PUBLIC}favicon.ico`, icoOf(await icon(mark(5.5, 0.82), 32)));
  await writeFile(`${PUBLIC}apple-touch-icon.png`, await icon(mark(0, 0.7), 180));
  await writeFile(`${PUBLIC}icon-192.png`, await icon(mark(0, 0.62), 192));
  await writeFile(`${PUBLIC}icon-512.png`, await icon(mark(0, 0.62), 512));
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.setContent(await socialHtml());
  await page.evaluate(() => document.fonts.ready.then(() => true));
  await writeFile(`${PUBLIC}social.png`, await page.screenshot());
} finally {
  await browser.close();
}
