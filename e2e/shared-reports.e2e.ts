import { inActions } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { makeLink } from './support/links.ts';
import { signInAsNew } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('a report is shared in three actions, opened without an account, and stopped', async ({
  page,
  browser,
  baseURL,
  watch,
}) => {
  // The answer to a report that is no longer shared.
  watch.allow(/Failed to load resource/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { headers } = await signInAsNew(page);
  const { code, shortUrl } = await makeLink(page.request, { headers });
  await page.goto(`/analytics/${code}`);

  await inActions(
    3,
    'share a report',
    () => page.getByRole('button', { name: `More actions for ${code}` }).click(),
    () => page.getByRole('menuitem', { name: 'Share report' }).click(),
    () => page.getByRole('button', { name: 'Create and copy address' }).click(),
  );

  await expect(page.getByRole('dialog', { name: 'Report shared' })).toContainText(
    'The address is on your clipboard.',
  );
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(address).toMatch(/\/share#[\w-]{43}$/);
  await expect(page.getByRole('dialog').getByText(address)).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();

  const visitor = await browser.newContext({ baseURL: baseURL ?? '' });
  const viewer = await visitor.newPage();
  const requested: string[] = [];
  viewer.on('request', (request) => requested.push(request.url()));
  const response = await viewer.goto(address);
  expect(response?.headers()).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  await expect(viewer.getByRole('heading', { level: 1 })).toHaveText(`Clicks on ${code}`);
  await expect(viewer.getByText(shortUrl.replace(/^https?:\/\//, ''))).toBeVisible();
  await expectAccessible(viewer);
  // The secret is in the fragment, which is in no request's address.
  const secret = new URL(address).hash.slice(1);
  expect(requested.filter((url) => new URL(url).href.split('#')[0]?.includes(secret))).toEqual([]);

  await page.getByRole('button', { name: `More actions for ${code}` }).click();
  await page.getByRole('menuitem', { name: 'Share report' }).click();
  await page.getByRole('button', { name: `Stop sharing Clicks on ${code}` }).click();
  await page.getByRole('button', { name: 'Stop sharing', exact: true }).click();
  await expect(page.getByText('The report is no longer shared.')).toBeVisible();
  await viewer.reload();
  await expect(viewer.getByText('This report is not shared')).toBeVisible();
  await visitor.close();
});
