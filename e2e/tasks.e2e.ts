import { inActions } from './support/actions.ts';
import { query } from './support/database.ts';
import { makeManyLinks } from './support/links.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

test('20 links end on a date, and one link is deleted', IN_SOAK, async ({ page }) => {
  const { id, headers } = await signInAsNew(page);
  await makeManyLinks(
    page.request,
    headers,
    Array.from({ length: 20 }, (_, i) => `https://example.com/${i}`),
  );
  const count = (where: string): unknown =>
    query(`SELECT count(*) AS n FROM links WHERE user_id = ? AND ${where}`, id)[0]?.['n'];
  await page.goto('/dashboard');
  const marks = page.getByRole('checkbox', { name: /^Select / });
  await inActions(
    6,
    'end 20 links on a date',
    () => marks.first().click(),
    () => marks.last().click({ modifiers: ['Shift'] }),
    () => page.getByRole('button', { name: 'More actions for the selected links' }).click(),
    () => page.getByRole('menuitem', { name: 'Set end date' }).click(),
    () => page.getByRole('textbox', { name: 'End date' }).fill('2100-12-31T12:00'),
    () => page.getByRole('button', { name: 'Change 20 links' }).click(),
  );
  await expect(page.getByText('20 links changed.').first()).toBeVisible();
  expect(count('expires_at IS NOT NULL')).toBe(20);
  await page.keyboard.press('Escape');
  await inActions(
    2,
    'delete one link',
    () =>
      page
        .getByRole('button', { name: /^More actions for \w{7}$/ })
        .first()
        .click(),
    () => page.getByRole('menuitem', { name: 'Delete link' }).click(),
  );
  await expect(page.getByText('1 link deleted.').first()).toBeVisible();
  expect(count("status = 'deleted'")).toBe(1);
});

test('the clicks of a campaign are counted across links', IN_SOAK, async ({ page }) => {
  await signInAs(page, 'admin');
  await page.goto('/dashboard');
  await inActions(
    2,
    'the clicks of each campaign across links',
    () => page.getByRole('banner').getByRole('link', { name: 'Analytics' }).click(),
    () => page.getByRole('tab', { name: 'Campaigns' }).click(),
  );
  const campaigns = page.getByRole('tabpanel', { name: 'Campaigns' }).getByRole('listitem');
  await expect(campaigns.first()).toHaveText(/^\S.*\d$/);
});

test('last month’s best source takes two actions', IN_SOAK, async ({ page }) => {
  await signInAs(page, 'admin');
  await page.goto('/analytics');
  await inActions(
    2,
    'last month’s best source',
    () => page.getByRole('button', { name: 'More time ranges' }).click(),
    () => page.getByRole('menuitem', { name: 'Last month' }).click(),
  );
  await expect(page).toHaveURL(/\?from=\d{4}-\d\d-01&to=\d{4}-\d\d-\d\d$/);
  const sources = page.getByRole('tabpanel', { name: 'Sites' }).getByRole('listitem');
  await expect(sources.first()).toHaveText(/^[\w ]+ ?\d+% ?[\d,]+$/);
});
