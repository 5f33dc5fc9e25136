import type { Page } from '@playwright/test';
import { delayResponses } from './support/delay-responses.ts';
import { signInAs } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

/** Makes every request to `path` fail until the returned function is called. */
async function failAt(page: Page, path: string): Promise<() => Promise<void>> {
  await page.route(path, (route) =>
    route.fulfill({ status: 503, json: { error: 'Down.', code: 'unavailable', requestId: 'x' } }),
  );
  return () => page.unroute(path);
}

// When these views fail to load, they say so, do not claim to be empty, and offer Retry
// (docs/decisions.md#d23).

test('a QR code that fails to load offers Retry', IN_SOAK, async ({ page, watch }) => {
  watch.allow(/503/);
  const restore = await failAt(page, '**/api/qr/*');
  await page.goto('/');
  await page.getByLabel('Destination').fill('https://elsewhere.example/qr');
  const answer = await delayResponses(page, '**/api/shorten');
  const button = page.getByRole('button', { name: 'Shorten URL' });
  await expect(button).toBeEnabled();
  const box = await button.boundingBox();
  await button.click();
  // A waiting button keeps its place and size.
  await expect(button).toHaveAttribute('aria-busy', 'true');
  expect(await button.boundingBox()).toEqual(box);
  answer();
  const result = page.getByRole('region', { name: 'Your short URL' });
  await expect(result).toContainText('The QR code could not be loaded.');
  await expect(result.getByRole('button', { name: 'Copy' })).toBeEnabled();
  await restore();
  await result.getByRole('button', { name: 'Retry' }).click();
  await expect(result.getByRole('img', { name: /QR code/ })).toBeVisible();
});

test('admin statistics that fail to load offer Retry', IN_SOAK, async ({ page, watch }) => {
  watch.allow(/503/);
  await signInAs(page, 'admin');
  const restore = await failAt(page, '**/api/admin?action=stats*');
  await page.goto('/admin');
  await expect(page.getByText('The statistics could not be loaded.')).toBeVisible();
  await expect(page.getByText('No URLs yet')).toBeHidden();
  await restore();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('table', { name: /Recent URLs/ })).toBeVisible();
});

test(
  'admin statistics that are still loading do not claim to be empty',
  IN_SOAK,
  async ({ page }) => {
    await signInAs(page, 'admin');
    const answer = await delayResponses(page, '**/api/admin?action=stats*');
    await page.goto('/admin');
    await expect(page.getByRole('heading', { name: 'Recent URLs' })).toBeVisible();
    await expect(page.getByText('No URLs yet')).toBeHidden();
    answer();
    await expect(page.getByRole('table', { name: /Recent URLs/ })).toBeVisible();
  },
);

test('a post that cannot be saved keeps its text', IN_SOAK, async ({ page, watch }) => {
  // The form asks whether a post has the typed slug.
  watch.allow(/503/, /404 \(Not Found\) \(.*\/api\/blog\//);
  await signInAs(page, 'user');
  await page.goto('/admin/blogs');
  await page.getByRole('textbox', { name: 'Title' }).fill('A post that fails to save');
  await page.getByRole('textbox', { name: 'Content' }).fill('Every word of it.');
  await page.route('**/api/blogs-admin', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 503,
          json: { error: 'Down.', code: 'unavailable', requestId: 'x' },
        })
      : route.fallback(),
  );
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText('The post was not saved. Down.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(
    'A post that fails to save',
  );
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveValue('Every word of it.');
});
