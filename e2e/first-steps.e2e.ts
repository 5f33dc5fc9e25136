import { readFile } from 'node:fs/promises';
import { linkRows, makeManyLinks } from './support/links.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

const PERSON =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

test('a new member makes a link, sees its first click arrive and gets its QR code', async ({
  page,
}) => {
  await signInAsNew(page);
  await page.goto('/dashboard');
  await expect(page.getByText('No URLs yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open trash' })).toHaveCount(0);
  await page.getByLabel('Destination').fill('https://example.com/first-steps');
  await page.keyboard.press('Enter');
  const open = page.getByRole('link', { name: 'Open the link' });
  await expect(open).toBeVisible();
  const address = (await open.getAttribute('href')) ?? '';
  const clickedAt = Date.now();
  await page.request.get(address, { headers: { 'User-Agent': PERSON }, maxRedirects: 0 });
  await expect(page.getByText('Your first click has arrived.')).toBeVisible();
  console.log(`the first click showed after ${Date.now() - clickedAt} ms`);
  const pill = page.getByRole('link', { name: /^Analytics of .*, 1 click/ });
  await expect(pill).toHaveAccessibleName(/1 in the last 7 days$/);
  await expect(page.getByText('last click just now')).toBeVisible();
  await page.getByRole('button', { name: 'Show the QR code' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download QR' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^qr-code-.*\.png$/);
  await expect(page.getByRole('region', { name: 'First steps' })).toHaveCount(0);
});

test(
  'one link among many is found in a few actions, and Back undoes each filter',
  IN_SOAK,
  async ({ page }) => {
    const { headers } = await signInAsNew(page);
    const codes = await makeManyLinks(
      page.request,
      headers,
      Array.from({ length: 60 }, (_, i) => `https://host${i % 20}.example/${i}`),
    );
    await page.request.post('/api/links/actions', {
      headers,
      data: { action: 'favorite', codes: [codes[7]] },
    });
    await page.goto('/dashboard');
    const rows = linkRows(page);
    await expect(rows).toHaveCount(50);
    let actions = 0;
    const act = async (action: Promise<unknown>): Promise<void> => {
      await action;
      actions += 1;
    };
    await act(page.getByRole('button', { name: 'Filter', exact: true }).click());
    await act(page.getByRole('menuitem', { name: 'Destination', exact: true }).click());
    // The new chip has the focus.
    await expect(page.getByLabel('Host of the destination')).toBeFocused();
    await page.keyboard.type('host7.example');
    await act(page.keyboard.press('Enter'));
    await expect(rows).toHaveCount(3);
    await expect(page.getByRole('status').filter({ hasText: '3 links, 0 clicks' })).toBeVisible();
    expect(actions).toBeLessThanOrEqual(4);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Favorites' }).click();
    await expect(rows).toHaveCount(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: 'More for this list' })
        .click()
        .then(() => page.getByRole('menuitem', { name: 'Export as CSV' }).click()),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.trim().split('\r\n')).toHaveLength(2);
    await page.goBack();
    await expect(rows).toHaveCount(3);
    await page.goBack();
    await expect(rows).toHaveCount(50);
    await expect(page).toHaveURL('/dashboard');
  },
);
