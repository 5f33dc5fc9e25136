import { chromium, type Browser } from '@playwright/test';
import { withProduct } from '#scripts/local/product.ts';
import { CHROMIUM_ARGS, ensureChromium } from '#scripts/test/chromium.ts';

/**
 * Short URLs in pictures are those of a host that README.md also names, instead of a port of the
 * machine that took them.
 */
export const PICTURE_HOST = 'hop.example';

/**
 * Runs `work` with the product on the demo data, and a browser that finds PICTURE_HOST at its port.
 * `origin` is the product's address.
 */
export async function withPictureBrowser(
  work: (browser: Browser, origin: string) => Promise<void>,
): Promise<void> {
  const executablePath = await ensureChromium();
  await withProduct(
    async (origin) => {
      const host = `--host-resolver-rules=MAP ${PICTURE_HOST} 127.0.0.1:${new URL(origin).port}`;
      const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS, host] });
      try {
        await work(browser, origin);
      } finally {
        await browser.close();
      }
    },
    ['--var', `SHORT_ORIGIN:http://${PICTURE_HOST}`],
  );
}
