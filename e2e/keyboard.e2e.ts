import { tabTo } from './support/keyboard.ts';
import { signInAsNew } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('creating, copying and upgrading work by keyboard with a visible focus', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAsNew(page);
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Your subscription' })).toBeVisible();
  await tabTo(page, /^Long link/);
  await page.keyboard.type('https://elsewhere.example/by-keys');
  await page.keyboard.press('Enter');
  const result = page.getByRole('region', { name: 'Your short link' });
  await expect(result).toBeVisible();
  await tabTo(page, /^Copy/);
  await page.keyboard.press('Enter');
  const shortUrl = (await result.getByRole('link').first().getAttribute('href')) ?? '';
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shortUrl);

  await tabTo(page, /^Upgrade$/);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Choose Your Plan' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Upgrade' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, /^Upgrade to Premium/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Successfully upgraded to Premium!')).toBeVisible();

  await page.goto('/dashboard');
  await expect(page.getByRole('region', { name: 'Your links' })).toContainText(new URL(shortUrl).pathname.slice(1));
  await tabTo(page, /^Analytics$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/analytics${new URL(shortUrl).pathname}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('Skip to content comes first and moves the focus past the header', async ({ page }) => {
  await page.goto('/pricing');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await tabTo(page, /^Skip to content$/);
  await page.keyboard.press('Enter');
  await expect(page.locator('#content')).toBeFocused();
});

test('navigation moves the focus to the heading, also for pages already loaded', async ({ page }) => {
  await page.goto('/about');
  const links = page.getByRole('navigation', { name: 'Main' });
  for (const name of ['Pricing', 'Privacy', 'Pricing', 'Privacy', 'Pricing', 'About']) {
    await links.getByRole('link', { name }).click();
    const heading = page.getByRole('heading', { level: 1, name });
    await expect(heading).toBeVisible();
    await expect(heading).toBeFocused();
  }
});
