import { expect, test } from './support/test.ts';

test('the bookmarklet and the share menu fill in Home, which shortens only when asked', async ({
  page,
  context,
}) => {
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
});

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
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Welcome|Sign in|Create/i);
  expect(await page.evaluate(async () => (await caches.keys()).length)).toBe(0);
});
