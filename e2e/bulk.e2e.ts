import type { APIRequestContext, Page } from '@playwright/test';
import { execute, query } from './support/database.ts';
import { newAlias } from './support/links.ts';
import { signInAsNew } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

/** Stores links of a member, the first with the lowest number. Returns the start of their codes. */
function storeLinks(userId: string, count: number): string {
  const prefix = newAlias().slice(0, 10);
  execute(
    `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < ?3)
      INSERT INTO links (code, target, target_host, user_id, created_at, updated_at)
      SELECT ?1 || '-' || i, 'http://elsewhere.example/' || i, 'elsewhere.example', ?2, i, i FROM seq`,
    prefix,
    userId,
    count,
  );
  return prefix;
}

const countLinks = (userId: string, where: string): unknown =>
  query(`SELECT count(*) AS n FROM links WHERE user_id = ? AND ${where}`, userId)[0]?.['n'];
const TAGGED = `EXISTS (SELECT 1 FROM link_tags JOIN tags ON tags.id = tag_id
  WHERE link_id = links.id AND name = 'Summer')`;

const bar = (page: Page) => page.getByRole('region', { name: 'Selected links' });
const mark = (page: Page, code: string) =>
  page.getByRole('checkbox', { name: `Select ${code}`, exact: true });

const undo = (page: Page, text: string) =>
  page.getByRole('alert').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click();

/** Creates a link while an action on many runs. */
const createLink = async (request: APIRequestContext, headers: Record<string, string>) => {
  const data = { longUrl: 'http://elsewhere.example/new' };
  expect((await request.post('/api/shorten', { headers, data })).status()).toBe(201);
};

test('50 links get a tag in four actions, and one takes a bulk delete back', async ({ page }) => {
  const { id } = await signInAsNew(page);
  const prefix = storeLinks(id, 50);
  await page.goto('/dashboard');

  // 1 and 2: the first and the last link, with Shift.
  await mark(page, `${prefix}-50`).click();
  await mark(page, `${prefix}-1`).click({ modifiers: ['Shift'] });
  await expect(bar(page)).toContainText('50 selected');
  // 3 and 4: the name of the tag.
  await bar(page).getByRole('button', { name: 'Tag' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('Summer');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change 50 links' }).click();
  await expect(page.getByText('50 links tagged.').first()).toBeVisible();
  expect(countLinks(id, TAGGED)).toBe(50);

  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).click();
  // By keys: the first row, then 40 more.
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  for (let row = 0; row < 9; row += 1) await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(bar(page)).toContainText('10 selected');
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete 10 links' }).click();
  await expect(page.getByText('10 links deleted.').first()).toBeVisible();
  expect(countLinks(id, "status = 'deleted'")).toBe(10);
  await undo(page, '10 links deleted.');
  await expect(page.getByText('10 links back as before.').first()).toBeVisible();
  expect(countLinks(id, `status = 'active' AND ${TAGGED}`)).toBe(50);
});

test('an action on all that match reaches every page, and is undone exactly', async ({ page }) => {
  const { id, headers } = await signInAsNew(page);
  const prefix = storeLinks(id, 120);
  // Some have the tag already, and must keep it.
  const data = { codes: [1, 2, 3].map((n) => `${prefix}-${n}`), action: 'add_tags' };
  await page.request.post('/api/links/actions', { headers, data: { ...data, tags: ['Summer'] } });
  await page.goto('/dashboard?host=elsewhere.example');
  await mark(page, `${prefix}-120`).click();
  await bar(page).getByRole('button', { name: 'Select all 120 that match' }).click();
  await expect(bar(page)).toContainText('120 selected');
  await createLink(page.request, headers);
  await bar(page).getByRole('button', { name: 'Tag' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('Summer,');
  await page.getByRole('button', { name: 'Change 120 links' }).click();
  await expect(page.getByText('120 links tagged.').first()).toBeVisible();
  expect(countLinks(id, TAGGED)).toBe(120);
  await undo(page, '120 links tagged.');
  await expect(page.getByText('117 links back as before.').first()).toBeVisible();
  expect(countLinks(id, TAGGED)).toBe(3);
  expect(countLinks(id, "status <> 'deleted'")).toBe(121);
});

test('one link is deleted without a question, and then for good', async ({ page }) => {
  const { id } = await signInAsNew(page);
  const prefix = storeLinks(id, 3);
  await page.goto('/dashboard');
  const remove = async (code: string) => {
    await page.getByRole('button', { name: `More actions for ${code}` }).click();
    await page.getByRole('menuitem', { name: 'Delete link' }).click();
    await expect(mark(page, code)).toHaveCount(0);
  };
  await remove(`${prefix}-1`);
  await undo(page, '1 link deleted.');
  await expect(mark(page, `${prefix}-1`)).toBeVisible();
  for (const n of [1, 2, 3]) await remove(`${prefix}-${n}`);
  await page.goto('/dashboard?status=trash');
  await expect(page.getByText('30 days left')).toHaveCount(3);
  await page.getByRole('button', { name: `Delete ${prefix}-1 for good` }).click();
  await expect(page.getByRole('dialog')).toContainText(`${prefix}-1`);
  await page.getByRole('button', { name: 'Delete for good', exact: true }).click();
  await expect(page.getByText('30 days left')).toHaveCount(2);
  await page.getByRole('button', { name: 'Empty trash' }).click();
  await page.getByRole('button', { name: 'Delete 2 links for good' }).click();
  await expect(page.getByText('The trash is empty')).toBeVisible();
  expect(countLinks(id, "target <> ''")).toBe(0);
});

test('the bar stays in sight, and covers neither rows nor toasts', async ({ page }) => {
  const { id } = await signInAsNew(page);
  const prefix = storeLinks(id, 40);
  await page.goto('/dashboard');
  for (const [width, height] of [
    [360, 740],
    [768, 1024],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await mark(page, `${prefix}-24`).check();
    await expect(bar(page).getByRole('button', { name: 'Export' })).toBeInViewport({ ratio: 1 });
    await expect(bar(page).getByRole('button', { name: /^More actions/ })).toBeInViewport({
      ratio: 1,
    });
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0);
    // The last row scrolls out from under the bar when it gets the focus.
    const last = page.getByRole('link', { name: new RegExp(`^Analytics of ${prefix}-1,`) });
    await last.focus();
    const top = async () => (await bar(page).locator('> div').boundingBox())?.y ?? 0;
    const row = await last.boundingBox();
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(await top());
    // A toast about a row above is not under the bar.
    await page.getByRole('button', { name: `More actions for ${prefix}-30` }).click();
    await page.getByRole('menuitem', { name: /favorites$/ }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'favorites' }).last();
    await expect(toast).toBeVisible();
    await expect
      .poll(async () => {
        const box = await toast.boundingBox();
        return (box?.y ?? 0) + (box?.height ?? 0) - (await top());
      })
      .toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
    await expect(bar(page)).toHaveCount(0);
  }
});
