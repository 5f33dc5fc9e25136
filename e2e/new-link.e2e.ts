import type { Locator, Page } from '@playwright/test';
import type { ListedLink } from '#contract/links/links.ts';
import { loadQrReader, readQr } from '#web/testing/read-qr.ts';
import { linkRows, newAlias } from './support/links.ts';
import { inActions } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

const panelOf = (page: Page): Locator => page.getByRole('dialog', { name: 'New link' });
const clipboardOf = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText());

test('a tagged link with an end takes five actions, and is copied and on top', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { headers } = await signInAsNew(page);
  for (const path of ['a', 'b'])
    await page.request.post('/api/shorten', {
      headers,
      data: { longUrl: `https://example.com/${path}` },
    });
  await page.goto('/dashboard?sort=code&min_clicks=0');
  await expect(page.getByRole('checkbox', { name: /^Select / })).toHaveCount(2);

  const panel = panelOf(page);
  await inActions(
    5,
    'create a tagged link with an end',
    () => page.keyboard.press('c'),
    () => panel.getByLabel('Destination').fill('https://example.com/autumn'),
    () => panel.getByLabel('Tags (optional)').fill('autumn, newsletter'),
    () => panel.getByLabel('End date (optional)').fill('2100-12-31T12:00'),
    () => panel.getByRole('button', { name: 'Create link' }).click(),
  );

  const result = page.getByRole('dialog', { name: 'Link created' });
  await expect(result.getByText('Copied', { exact: true })).toBeVisible();
  await expect(result.getByRole('button', { name: 'Copy' })).toBeFocused();
  const shortUrl = (await result.getByRole('link').first().getAttribute('href')) ?? '';
  expect(await clipboardOf(page)).toBe(shortUrl);
  await expectAccessible(page);
  const code = new URL(shortUrl).pathname.slice(1);
  const link: ListedLink = await (await page.request.get(`/api/links/${code}`, { headers })).json();
  expect(link.tags.map(({ name }) => name)).toEqual(['autumn', 'newsletter']);
  expect(link.expires_at?.slice(0, 10)).toBe('2100-12-31');

  // The list keeps its address, and shows the new link first although its order would not.
  await page.keyboard.press('Escape');
  await expect(result).toBeHidden();
  await expect(page).toHaveURL('/dashboard?sort=code&min_clicks=0');
  const first = linkRows(page).first();
  await expect(first).toContainText(code);
  await expect(first).toContainText('New');
});

test(
  'New link opens over any page, and every error is beside its field',
  IN_SOAK,
  async ({ page, watch }) => {
    watch.allow(/400 \(Bad Request\)/, /409 \(Conflict\)/);
    const { headers } = await signInAsNew(page);
    const taken = newAlias();
    await page.request.post('/api/shorten', {
      headers,
      data: { longUrl: 'https://example.com/', customCode: taken },
    });
    await page.goto('/settings');
    await page.getByRole('banner').getByRole('link', { name: 'New link' }).click();
    const panel = panelOf(page);
    const destination = panel.getByLabel('Destination');
    const alias = panel.getByLabel('Alias (optional)');
    const create = panel.getByRole('button', { name: 'Create link' });
    await expect(destination).toBeFocused();
    await expect(page).toHaveURL('/settings');
    await create.click();
    await expect(destination).toHaveAccessibleDescription(/Paste the link/);
    await expect(destination).toBeFocused();
    await destination.fill('http://127.0.0.1/secret');
    await create.click();
    await expect(destination).toHaveAttribute('aria-invalid', 'true');
    await destination.fill('https://example.com/again');
    await alias.fill(taken);
    await create.click();
    await expect(alias).toHaveAccessibleDescription(/already taken/);
    await expect(alias).toBeFocused();
    await expect(destination).toHaveValue('https://example.com/again');
    await expectAccessible(page);
    // The preview is that of the alias.
    await loadQrReader();
    const drawn = await panel
      .locator('svg[data-qr]')
      .evaluate((svg) =>
        svg.outerHTML.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" '),
      );
    expect(await readQr(drawn.replace('<svg ', '<svg width="1" height="1" '), 400)).toEqual([
      `${new URL(page.url()).origin}/${taken}?qr=1`,
    ]);
  },
);

test(
  'says that the browser blocked copying, and Copy still works afterwards',
  IN_SOAK,
  async ({ page }) => {
    await signInAsNew(page);
    await page.goto('/settings');
    await page.evaluate(() => {
      navigator.clipboard.write = () => Promise.reject(new Error('Blocked.'));
    });
    await page.keyboard.press('c');
    const panel = panelOf(page);
    await panel.getByLabel('Destination').fill('https://example.com/blocked');
    await page.keyboard.press('Enter');
    const result = page.getByRole('dialog', { name: 'Link created' });
    await expect(result.getByText('Your browser blocked copying.')).toBeVisible();
    await expect(result.getByRole('button', { name: 'Copy' })).toBeFocused();
    await result.getByRole('button', { name: 'Create another' }).click();
    await expect(panel.getByLabel('Destination')).toBeFocused();
  },
);

test('on a phone the panel is a sheet whose buttons stay in view', IN_SOAK, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await signInAsNew(page);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'New link' }).click();
  const panel = panelOf(page);
  const create = panel.getByRole('button', { name: 'Create link' });
  await expect(create).toBeInViewport({ ratio: 1 });
  await panel.getByRole('button', { name: 'More options' }).scrollIntoViewIfNeeded();
  await expect(create).toBeInViewport({ ratio: 1 });
  const box = await panel.boundingBox();
  expect(box?.x).toBe(0);
  // The scrollbar takes 15 px.
  expect(box?.width).toBeGreaterThanOrEqual(345);
});

test(
  'a member’s result on Home is directly below the input, with closed options',
  IN_SOAK,
  async ({ page }) => {
    await signInAsNew(page);
    await page.goto('/');
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByLabel('Tags (optional)').fill('home');
    const input = page.getByLabel('Destination');
    await input.fill('https://example.com/home');
    await page.getByRole('button', { name: 'Shorten URL' }).click();
    const result = page.getByRole('region', { name: 'Your short URL' });
    const copy = result.getByRole('button', { name: 'Copy' });
    await expect(copy).toBeFocused();
    await expect(copy).toBeInViewport({ ratio: 1 });
    const [above, below] = [await input.boundingBox(), await result.boundingBox()];
    expect((below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0))).toBeLessThan(64);
    await expect(page.getByLabel('Alias (optional)')).toHaveCount(0);
    await expect(result.getByRole('link', { name: 'Analytics' })).toBeVisible();
    await result.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit link' });
    await expect(edit.getByText('home', { exact: true })).toBeVisible();
  },
);
