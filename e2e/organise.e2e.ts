import { makeLink, newAlias } from './support/links.ts';
import { signInAsNew } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('a member finds, tags, archives, deletes and restores links, also by keyboard', async ({ page }) => {
  const { headers } = await signInAsNew(page);
  const [spring, autumn, other] = [newAlias(), newAlias(), newAlias()];
  for (const customCode of [spring, autumn, other]) await makeLink(page.request, { headers, customCode });
  await page.goto('/dashboard');
  const list = page.getByRole('region', { name: 'Your links' });
  const rows = list.getByRole('listitem');
  await expect(rows).toHaveCount(3);
  const menu = async (code: string, item: string) => {
    await page.getByRole('button', { name: `More actions for ${code}` }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };

  await menu(spring, 'Edit link');
  await page.getByLabel('Title').fill('Zürich fair');
  await page.getByLabel('Tags').fill('Campaign');
  await page.getByLabel('Tags').press('Enter');
  await page.getByRole('button', { name: 'Save link' }).click();
  await expect(rows.filter({ hasText: 'Zürich fair' })).toContainText('Campaign');

  // The slash key searches, arrows move in the list, Enter opens.
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('zuri');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL('/dashboard?q=zuri');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/analytics/${spring}`);
  await page.goBack();
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Search your links').fill('');
  await expect(rows).toHaveCount(3);

  // Many links at once.
  for (const code of [autumn, other]) await page.getByRole('checkbox', { name: `Select ${code}` }).press('Space');
  await page.getByRole('button', { name: 'Actions for the selected links' }).click();
  await page.getByRole('menuitem', { name: 'Add tags' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('campaign,');
  await page.getByRole('button', { name: 'Change 2 links' }).click();
  await expect(rows.getByRole('button', { name: 'Show links with the tag Campaign' })).toHaveCount(3);

  await menu(other, 'Archive link');
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows).toHaveCount(3);

  await rows.getByRole('button', { name: 'Show links with the tag Campaign' }).first().click();
  await expect(page).toHaveURL('/dashboard?tag=Campaign');
  await menu(autumn, 'Delete link');
  await page.getByRole('button', { name: 'Delete link' }).click();
  await expect(rows).toHaveCount(2);
  expect((await page.request.get(`/${autumn}`, { maxRedirects: 0 })).status()).toBe(410);
  await page.getByRole('button', { name: 'Filters, 1 set' }).click();
  await page.getByLabel('Status').selectOption('Trash');
  await page.getByRole('button', { name: `Restore ${autumn}` }).click();
  await expect(page.getByText('The trash is empty')).toBeVisible();
  await page.getByRole('button', { name: 'Show all links' }).click();
  await expect(rows).toHaveCount(3);

  // A link is renamed, its earlier code still leads to it, and the history goes back.
  const renamed = newAlias();
  await menu(other, 'Rename link');
  await page.getByLabel('New code').fill(renamed);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Link renamed. ${other} keeps working.`)).toBeVisible();
  for (const code of [other, renamed]) expect((await page.request.get(`/${code}`, { maxRedirects: 0 })).status()).toBe(302);
  await page.goto(`/analytics/${other}`);
  await expect(page).toHaveURL(`/analytics/${renamed}`);
  await page.goto('/dashboard');
  await menu(renamed, 'History');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Code:' })
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(page.getByRole('button', { name: `More actions for ${other}` })).toBeVisible();

  // A view keeps filters and order, for the next visit, too.
  await page.goto('/dashboard?tag=Campaign&sort=code');
  await page.getByRole('button', { name: 'Views' }).press('Enter');
  await page.getByLabel('Save the current list as').fill('Campaign links');
  await page.keyboard.press('Enter');
  await expect(page.getByText('View “Campaign links” saved.')).toBeVisible();
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Open the view Campaign links' }).press('Enter');
  await expect(page).toHaveURL('/dashboard?tag=Campaign&sort=code');
  await expect(rows).toHaveCount(3);
});
