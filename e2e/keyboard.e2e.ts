import type { Page } from '@playwright/test';
import { tabTo } from './support/keyboard.ts';
import { mailTo } from './support/mailbox.ts';
import { newEmail } from './support/sign-in.ts';
import { IN_SOAK, IS_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Zooming a window of 1,280 × 800 px leaves the page fewer, larger CSS pixels. */
const viewportAt = (zoom: number) => ({
  viewport: { width: (1280 * 100) / zoom, height: (800 * 100) / zoom },
  deviceScaleFactor: zoom / 100,
});

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over, `${page.url()} is wider than the window`).toBeLessThanOrEqual(0);
}

// Only `npm test -- soak` tests 100 %, because other tests cover its parts at that size.
for (const zoom of IS_SOAK ? [100, 200] : [200]) {
  test.describe(`at ${zoom} % zoom`, () => {
    test.use(viewportAt(zoom));

    test('signing up, shortening, upgrading and analytics work by keyboard', async ({
      page,
      context,
      request,
    }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const press = (key: string) => page.keyboard.press(key);
      const result = page.getByRole('region', { name: 'Your short URL' });
      const field = page.getByLabel('Destination');

      await page.goto('/');
      await tabTo(page, /^Destination/);
      await page.keyboard.type('https://elsewhere.example/before');
      await tabTo(page, /^Shorten URL$/);
      await press('Enter');
      await expect(result).toBeVisible();
      await expect(result.getByRole('button', { name: 'Copy' })).toBeFocused();
      await expectNoSidewaysScroll(page);
      await field.focus();
      await page.keyboard.type('https://elsewhere.example/by-keys');
      await tabTo(page, /^Sign up$/);
      await press('Enter');
      await expect(
        page.getByRole('heading', { level: 1, name: 'Create your account' }),
      ).toBeFocused();
      await expectNoSidewaysScroll(page);
      const email = newEmail();
      await tabTo(page, /^Email/);
      await page.keyboard.type(email);
      await tabTo(page, /^Password/);
      await page.keyboard.type('correct horse');
      await press('Enter');
      await expect(page.getByText('Check your email for the confirmation link!')).toBeVisible();
      await tabTo(page, /6-digit code/);
      await page.keyboard.type(
        /code: (\d{6})/.exec((await mailTo(request, email)).text)?.[1] ?? 'no code',
      );
      await press('Enter');

      // The member finds the typed link in the field and can keep the first link.
      await expect(page.getByRole('region', { name: 'Your subscription' })).toBeVisible();
      await expect(page).toHaveURL('/');
      await expect(field).toHaveValue('https://elsewhere.example/by-keys');
      await tabTo(page, /^Destination/);
      await press('Enter');
      await expect(result).toBeVisible();
      await expect(field).toBeFocused();
      await tabTo(page, /^Copy/);
      await press('Enter');
      const shortUrl = (await result.getByRole('link').first().getAttribute('href')) ?? '';
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shortUrl);
      await tabTo(page, /^Add 1 link$/);
      await press('Enter');
      await expect(page.getByText('1 link added to your account.').first()).toBeVisible();
      await expect(page.getByRole('button', { name: 'Close' })).toBeFocused();
      await expect(page.getByRole('region', { name: 'Your subscription' })).toContainText(
        '2 of 25',
      );

      await tabTo(page, /^Upgrade$/);
      await press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Choose Your Plan' });
      await expect(dialog).toBeVisible();
      await press('Escape');
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('button', { name: 'Upgrade' })).toBeFocused();
      await press('Enter');
      await expect(dialog).toBeVisible();
      await tabTo(page, /^Upgrade to Premium/);
      await press('Enter');
      await expect(page.getByText('Successfully upgraded to Premium!')).toBeVisible();

      await page.goto('/dashboard');
      const links = page.getByRole('region', { name: 'Your links' });
      await expect(links).toContainText(new URL(shortUrl).pathname.slice(1));
      await expect(links).toContainText('elsewhere.example/before');
      await expectNoSidewaysScroll(page);
      // The menu of the lowest row stays inside the window, and typing a letter finds an item.
      await tabTo(page, /^More actions for /);
      await page.locator(':focus').evaluate((button) => {
        window.scrollBy(0, button.getBoundingClientRect().bottom + 8 - window.innerHeight);
      });
      const top = await page.evaluate(() => window.scrollY);
      await press('Enter');
      const menu = page.getByRole('menu');
      await expect(menu.getByRole('menuitem', { name: 'Analytics' })).toBeFocused();
      await expect(menu).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(() => window.scrollY)).toBe(top);
      await page.keyboard.type('del');
      await expect(menu.getByRole('menuitem', { name: 'Delete link' })).toBeFocused();
      await press('Escape');
      await expect(menu).toBeHidden();
      await expect(page.getByRole('button', { name: /^More actions for / }).first()).toBeFocused();
      await tabTo(page, /^New link$/);
      await press('Enter');
      const panel = page.getByRole('dialog', { name: 'New link' });
      await expect(panel.getByLabel('Destination')).toBeFocused();
      await press('Escape');
      await expect(panel).toBeHidden();
      await expect(page.getByRole('link', { name: 'New link' })).toBeFocused();
      await tabTo(page, /^Analytics of /);
      await press('Enter');
      await expect(page).toHaveURL(`/analytics${new URL(shortUrl).pathname}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
      await expectNoSidewaysScroll(page);
    });
  });
}

test('Skip to content comes first and moves the focus past the header', async ({ page }) => {
  await page.goto('/pricing');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await tabTo(page, /^Skip to content$/);
  await page.keyboard.press('Enter');
  await expect(page.locator('#content')).toBeFocused();
});

test(
  'navigation moves the focus to the heading, also for pages already loaded',
  IN_SOAK,
  async ({ page }) => {
    await page.goto('/about');
    const links = page.getByRole('navigation', { name: 'Main' });
    for (const name of ['Pricing', 'Blog', 'Pricing', 'Blog', 'Pricing', 'About']) {
      await links.getByRole('link', { name }).click();
      const heading = page.getByRole('heading', { level: 1, name });
      await expect(heading).toBeVisible();
      await expect(heading).toBeFocused();
    }
  },
);
