import type { Page } from '@playwright/test';
import { holdAnswers } from './support/hold.ts';
import { signInAs } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

/** Everything at `path` fails until the returned function is called. */
async function breakAt(page: Page, path: string): Promise<() => Promise<void>> {
  await page.route(path, (route) =>
    route.fulfill({ status: 503, json: { error: 'Down.', code: 'unavailable', requestId: 'x' } }),
  );
  return () => page.unroute(path);
}

// Spec §8 calls these failures silent: an empty view shows. Decision 23 adds one quiet line with Retry to each.

test('a QR code that does not load', async ({ page, watch }) => {
  watch.allow(/503/);
  const mend = await breakAt(page, '**/api/qr/*');
  await page.goto('/');
  await page.getByLabel('Long link').fill('https://elsewhere.example/qr');
  await page.getByRole('button', { name: 'Shorten URL' }).click();
  const result = page.getByRole('region', { name: 'Your short link' });
  await expect(result).toContainText('The QR code could not be loaded.', { timeout: 20_000 });
  await expect(result.getByRole('button', { name: 'Copy' })).toBeEnabled();
  await mend();
  await result.getByRole('button', { name: 'Retry' }).click();
  await expect(result.getByRole('img', { name: /QR code/ })).toBeVisible();
});

test('statistics of the admin dashboard that do not load', async ({ page, watch }) => {
  watch.allow(/503/);
  await signInAs(page, 'admin');
  const mend = await breakAt(page, '**/api/admin?action=stats*');
  await page.goto('/admin');
  await expect(page.getByText('The statistics could not be loaded.')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('No URLs yet')).toBeVisible();
  await mend();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No URLs yet')).toBeHidden();
});

test('figures on their way to the admin dashboard do not say that there is nothing', async ({ page }) => {
  await signInAs(page, 'admin');
  const answer = await holdAnswers(page, '**/api/admin?action=stats*');
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Recent URLs' })).toBeVisible();
  await expect(page.getByText('No URLs yet')).toBeHidden();
  answer();
  await expect(page.getByRole('table', { name: /Recent URLs/ })).toBeVisible();
});

test('a post that cannot be created keeps what was written', async ({ page, watch }) => {
  watch.allow(/503/);
  await signInAs(page, 'user');
  await page.goto('/admin/blogs');
  await page.getByRole('textbox', { name: 'Title' }).fill('A post for a bad moment');
  await page.getByRole('textbox', { name: 'Content' }).fill('Every word of it.');
  await page.route('**/api/blogs-admin', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 503, json: { error: 'Down.', code: 'unavailable', requestId: 'x' } })
      : route.fallback(),
  );
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText('The post was not saved. Down.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('A post for a bad moment');
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveValue('Every word of it.');
});
