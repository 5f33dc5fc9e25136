import { readFileSync } from 'node:fs';
import type { Locator } from '@playwright/test';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';
import { readManifest } from '#scripts/build/sizes.ts';
import { query } from './support/database.ts';
import { signInAs } from './support/sign-in.ts';

/** Returns the distance from the window's top to the element's bottom, in CSS pixels. */
async function bottomOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
}

test.describe('the form on Home', () => {
  test('creates a short link with a copy button and a QR code to download', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto('/');
    const button = page.getByRole('button', { name: 'Shorten URL' });
    await expect(button).toBeDisabled();
    await expect(page.getByLabel('Alias (optional)')).toHaveCount(0);

    // A result replaces the example, so nothing below it moves.
    const field = page.getByLabel('Destination');
    const example = page.getByRole('figure', { name: /^Example/ });
    const below = page.getByRole('heading', { name: 'A poster that reports back' });
    const topBelow = () =>
      below.evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await bottomOf(example.getByText('spring-sale'))).toBeLessThan(740);
    const topOnPhone = await topBelow();
    await page.setViewportSize({ width: 1280, height: 800 });
    expect((await page.getByRole('heading', { level: 1 }).boundingBox())?.height).toBeLessThan(60);
    expect((await field.boundingBox())?.height).toBe(64);
    expect(await bottomOf(example)).toBeLessThan(800);
    expect(await bottomOf(button)).toBeLessThan(await bottomOf(field));
    const top = await topBelow();

    await field.fill('example.com/a/rather/long/path?with=a&query#and-a-fragment');
    await expect(button).toBeEnabled();
    await button.click();

    const result = page.getByRole('region', { name: 'Your short URL' });
    await expect(result).toBeVisible();
    await expect(result.getByRole('button', { name: 'Copy' })).toBeFocused();
    await expect(example).toBeHidden();
    // The build renders the example, so its code never loads.
    const fileOf = (source: string): string => `/${readManifest()[source]?.file}`;
    expect(requests).toContain(fileOf('app/home-result.tsx'));
    expect(fileOf('app/home-example.tsx')).toMatch(/^\/assets\//);
    expect(requests).not.toContain(fileOf('app/home-example.tsx'));
    await expect(
      page.getByText('Keep this link: sign up free to edit it and see its clicks.'),
    ).toBeVisible();
    await expect(result.getByRole('img')).toBeVisible();
    expect(await topBelow()).toBe(top);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await topBelow()).toBe(topOnPhone);
    await page.setViewportSize({ width: 1280, height: 800 });
    const shortUrl = (await result.getByRole('link').first().getAttribute('href')) ?? '';
    const code = new URL(shortUrl).pathname.slice(1);
    expect(code).toMatch(/^[A-Za-z0-9]{7}$/);
    expect(query('SELECT target, user_id FROM links WHERE code = ?', code)).toEqual([
      {
        target: 'https://example.com/a/rather/long/path?with=a&query#and-a-fragment',
        user_id: null,
      },
    ]);

    const copy = result.getByRole('button', { name: 'Copy' });
    await copy.click();
    await expect(result.getByRole('button', { name: 'Copied!' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shortUrl);
    await expect(copy).toBeVisible();

    const image = result.getByRole('img', { name: `QR code for the short URL ${code}` });
    await expect(image).toHaveAttribute('src', /^data:image\/svg\+xml/);
    const download = page.waitForEvent('download');
    await result.getByRole('button', { name: 'Download QR' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`qr-code-${code}.png`);
    const png = readFileSync(await file.path());
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(1024);
    await expect(result.getByRole('link', { name: 'Preview' })).toHaveAttribute(
      'href',
      `${shortUrl}+`,
    );

    const list = page.getByRole('list', { name: 'Links made in this browser' });
    await expect(list).toHaveCount(0);
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Pricing' })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'Pricing' })).toBeVisible();
    await page.goBack();
    await expect(result.getByRole('link').first()).toHaveAttribute('href', shortUrl);
    await page.goto('/about');
    await page.goto('/');
    await expect(result).toHaveCount(0);
    await expect(list).toContainText(code);
    await list.getByRole('button', { name: /^Remove .* from this list$/ }).click();
    await expect(list).toHaveCount(0);
  });

  test(
    'shows the server’s error at the field and keeps the input',
    IN_SOAK,
    async ({ page, watch }) => {
      watch.allow(/400 \(Bad Request\)/);
      await page.goto('/');
      await page.getByLabel('Destination').fill('http://127.0.0.1/secret');
      await page.getByRole('button', { name: 'Shorten URL' }).click();
      const field = page.getByLabel('Destination');
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await expect(field).toHaveAccessibleDescription(/.{10,}/);
      await expect(field).toHaveValue('http://127.0.0.1/secret');
      await expect(field).toBeFocused();
    },
  );

  test('shows an error when the network fails', IN_SOAK, async ({ page, watch }) => {
    watch.allow(/ERR_FAILED/);
    await page.goto('/');
    await page.route('**/api/shorten', (route) => route.abort());
    await page.getByLabel('Destination').fill('https://example.com/');
    await page.getByRole('button', { name: 'Shorten URL' }).click();
    await expect(page.getByRole('alert')).toContainText('Failed to shorten URL. Please try again.');
  });
});

test('a long host before the alias is shown in full, on a phone too', IN_SOAK, async ({ page }) => {
  const host = 'links.a-very-long-company-name.example';
  await signInAs(page, 'user');
  await page.route('/', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(
      /"shortOrigin":"[^"]*"/,
      `"shortOrigin":"https://${host}"`,
    );
    await route.fulfill({ response, body });
  });
  const domains = { domains: [], canAdd: false, limit: 1, defaultDomain: '', offers: [] };
  await page.route('/api/domains', (route) => route.fulfill({ json: domains }));
  await page.goto('/');
  const prefix = page.getByRole('form').getByText(`${host}/`);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await prefix.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    const alias = await page.getByLabel('Alias (optional)').boundingBox();
    expect(alias?.width).toBeGreaterThan(150);
    expect((alias?.x ?? 0) + (alias?.width ?? 0)).toBeLessThan(width);
  }
});
