import { LOOPING_ARC } from '#contract/pages/arcs.ts';
import { startFullBrowser } from './support/full-browser.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

test(
  'the bookmarklet and the share menu fill in Home, which shortens only when asked',
  IN_SOAK,
  async ({ page, context }) => {
    await page.goto('/tools');
    const code =
      (await page.getByRole('link', { name: 'Shorten with Hop' }).getAttribute('href')) ?? '';
    const opened = context.waitForEvent('page');
    // The browser runs this code when the bookmark is clicked.
    await page.evaluate(code.replace('javascript:', ''));
    const home = await opened;
    await expect(home.getByLabel('Destination')).toHaveValue(page.url());
    await expect(home).toHaveURL('/');
    await home.close();

    await page.goto('/?title=News&text=Read%20this%3A%20https%3A%2F%2Fexample.com%2Fshared');
    await expect(page.getByLabel('Destination')).toHaveValue('https://example.com/shared');
    await expect(page.getByRole('region', { name: 'Your short URL' })).toHaveCount(0);
    await page.getByLabel('Destination').fill('');
    await page.reload();
    await expect(page.getByLabel('Destination')).toHaveValue('');
  },
);

test('the installed app says when there is no network', async ({ page, context, watch }) => {
  watch.allow(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
  await page.goto('/tools');
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js');
    await navigator.serviceWorker.ready;
  });
  await context.setOffline(true);
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await expect(page.locator('svg path')).toHaveAttribute('d', LOOPING_ARC.arc);
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Welcome|Sign in|Create/i);
  expect(await page.evaluate(async () => (await caches.keys()).length)).toBe(0);
});

test(
  'Chromium can install the site as an app, with icons and shortcuts',
  IN_SOAK,
  async ({ baseURL, request }) => {
    const browser = await startFullBrowser();
    const page = await browser.newPage();
    const devtools = await browser.newCDPSession(page);
    await page.goto(`${baseURL}/robots.txt`);
    const without = await devtools.send('Page.getInstallabilityErrors');
    expect(without.installabilityErrors.length).toBeGreaterThan(0);
    await page.goto(`${baseURL}/tools`);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    expect(installabilityErrors).toEqual([]);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    await browser.close();
    const manifest = JSON.parse(data ?? '');
    for (const { src, sizes } of manifest.icons) {
      const icon = await request.get(src);
      expect([src, icon.status()]).toEqual([src, 200]);
      if (!src.endsWith('.png')) continue;
      const bytes = await icon.body();
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes);
    }
    for (const { name, url } of manifest.shortcuts) {
      const answer = await request.get(url);
      expect([name, answer.status()]).toEqual([name, 200]);
    }
  },
);

test('the browser’s own bars have the color of the chosen scheme', IN_SOAK, async ({ page }) => {
  /** How much the color for the bars differs from the page's background, and that color. */
  const compare = () =>
    page.evaluate(() => {
      const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
      const bar = metas.find(({ media }) => matchMedia(media).matches)?.content ?? '';
      const canvas = new OffscreenCanvas(1, 1).getContext('2d');
      const channels = (color: string): number[] => {
        if (canvas === null) return [];
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
      };
      const background = channels(getComputedStyle(document.body).backgroundColor);
      const differences = channels(bar).map((value, i) => Math.abs(value - (background[i] ?? 0)));
      return { bar, difference: Math.max(...differences) };
    });
  await page.goto('/tools');
  const light = await compare();
  expect(light.difference).toBeLessThanOrEqual(1);
  await page.evaluate(() => localStorage.setItem('hop-theme', 'dark'));
  await page.reload();
  const dark = await compare();
  expect(dark.bar).not.toBe(light.bar);
  expect(dark.difference).toBeLessThanOrEqual(1);
  await page.evaluate(() => delete document.documentElement.dataset['theme']);
  await expect.poll(compare).toEqual(light);
});
