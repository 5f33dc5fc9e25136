import type { Locator, Page } from '@playwright/test';
import { makeLink } from './support/links.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

const PERSON =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Counts how often the page draws the picture, which clears its canvas first. */
async function countPaints(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let paints = 0;
    CanvasRenderingContext2D.prototype.clearRect = new Proxy(
      // oxlint-disable-next-line typescript/unbound-method -- it is applied to its context below
      CanvasRenderingContext2D.prototype.clearRect,
      {
        apply(clear, context, box) {
          paints += 1;
          Reflect.set(window, 'hopPaints', paints);
          Reflect.apply(clear, context, box);
        },
      },
    );
  });
  return () => page.evaluate(() => Number(Reflect.get(window, 'hopPaints') ?? 0));
}

/** The share of pixels that are drawn, and the color in the middle of the landing point. */
const readPixels = (canvas: Locator): Promise<{ drawn: number; landing: number[] }> =>
  canvas.evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) throw new Error('not a canvas');
    const { width, height } = element;
    const context = element.getContext('2d');
    if (context === null || width === 0) return { drawn: 0, landing: [] };
    const { data } = context.getImageData(0, 0, width, height);
    let drawn = 0;
    for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 0) drawn += 1;
    const middle = context.getImageData(Math.round(0.425 * width), Math.round(0.86 * height), 1, 1);
    return { drawn: drawn / (width * height), landing: [...middle.data] };
  });

const bandOf = (page: Page) => page.getByRole('region', { name: 'Last 10 minutes' });
const clicksOf = (page: Page) => page.getByRole('table', { name: 'Latest clicks, newest first' });

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test(
    'a click that was followed hops into the picture, which rests otherwise',
    IN_SOAK,
    async ({ page, request }) => {
      const paints = await countPaints(page);
      const me = await signInAsNew(page);
      const { code } = await makeLink(page.request, { headers: me.headers });
      const click = () =>
        request.get(`/${code}`, { headers: { 'User-Agent': PERSON }, maxRedirects: 0 });
      await page.goto('/analytics');
      await expect(bandOf(page)).toContainText('No clicks in the last 10 minutes.');
      await expect(page.getByText('No clicks yet')).toBeVisible();
      await click();
      await expect(clicksOf(page)).toContainText(code);
      // The first click of the account also brings the report.
      await expect(page.getByRole('tab', { name: /^Total Clicks/ })).toHaveText('Total Clicks1');

      const canvas = bandOf(page).locator('canvas');
      await bandOf(page).scrollIntoViewIfNeeded();
      await expect.poll(async () => (await readPixels(canvas)).drawn).toBeGreaterThan(0.01);
      const { landing } = await readPixels(canvas);
      expect(landing[0]).toBeGreaterThan(200);
      expect(landing[2]).toBeLessThan(80);

      const again = page.getByRole('button', { name: 'Play again' });
      await expect(again).toBeVisible();
      const atRest = await paints();
      await page.waitForTimeout(1_000);
      expect(await paints()).toBe(atRest);
      await again.click();
      await expect.poll(paints).toBeGreaterThan(atRest + 5);
      await expect(again).toBeVisible();

      await again.click();
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await expect(canvas).not.toBeInViewport();
      const away = await paints();
      await page.waitForTimeout(1_000);
      expect(await paints()).toBeLessThanOrEqual(away + 1);
    },
  );
});

test('the picture is drawn once for readers who want no motion', IN_SOAK, async ({ page }) => {
  const paints = await countPaints(page);
  await signInAs(page, 'admin');
  await page.goto('/analytics');
  await page.getByRole('heading', { name: 'Top links' }).scrollIntoViewIfNeeded();
  const canvas = bandOf(page).locator('canvas');
  await canvas.scrollIntoViewIfNeeded();
  await expect.poll(async () => (await readPixels(canvas)).drawn).toBeGreaterThan(0.01);
  await expect(bandOf(page)).toContainText('Live, every');
  const drawn = await paints();
  expect(drawn).toBeLessThan(10);
  await page.waitForTimeout(1_000);
  expect(await paints()).toBe(drawn);
  await expect(page.getByRole('button', { name: /Pause|Play again/ })).toHaveCount(0);
});
