import type { APIRequestContext, Page } from '@playwright/test';
import { BULK_MAX } from '#contract/limits.ts';
import { inActions } from './support/actions.ts';
import { query } from './support/database.ts';
import { chooseForLink } from './support/links.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

/** Creates a Premium member with this many links. Returns their codes, the newest link first. */
async function signInWithLinks(page: Page, count: number) {
  const { id, headers } = await signInAsNew(page);
  expect((await page.request.post('/api/subscription', { headers, data: {} })).status()).toBe(200);
  const codes: string[] = [];
  while (codes.length < count) {
    const longUrls = Array.from(
      { length: Math.min(BULK_MAX, count - codes.length) },
      (_, at) => `http://elsewhere.example/${codes.length + at}`,
    );
    const made = await page.request.post('/api/shorten/bulk', { headers, data: { longUrls } });
    const { lines } = await made.json();
    for (const { code } of lines) codes.unshift(code);
  }
  return { id, headers, codes };
}

const countLinks = (userId: string, where: string): unknown =>
  query(`SELECT count(*) AS n FROM links WHERE user_id = ? AND ${where}`, userId)[0]?.['n'];
const TAGGED = `EXISTS (SELECT 1 FROM link_tags JOIN tags ON tags.id = tag_id
  WHERE link_id = links.id AND name = 'Summer')`;

const bar = (page: Page) => page.getByRole('region', { name: 'Selected links' });
const mark = (page: Page, code = '') =>
  page.getByRole('checkbox', { name: `Select ${code}`, exact: true });

const undo = (page: Page, text: string) =>
  page.getByRole('alert').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click();

/** Creates a link while an action on many runs. */
const createLink = async (request: APIRequestContext, headers: Record<string, string>) => {
  const data = { longUrl: 'http://elsewhere.example/new' };
  expect((await request.post('/api/shorten', { headers, data })).status()).toBe(201);
};

test(
  '50 links get a tag in four actions, and one takes a bulk delete back',
  IN_SOAK,
  async ({ page }) => {
    const { id, codes } = await signInWithLinks(page, 50);
    await page.goto('/dashboard');

    await inActions(
      4,
      'tag 50 links',
      () => mark(page, codes[0]).click(),
      () => mark(page, codes[49]).click({ modifiers: ['Shift'] }),
      () => bar(page).getByRole('button', { name: 'Tag' }).click(),
      async () => {
        await page.getByRole('combobox', { name: 'Tags' }).fill('Summer');
        // Enter adds the tag, and once more sends the form.
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
      },
    );
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
    await inActions(1, 'undo a bulk delete', () => undo(page, '10 links deleted.'));
    await expect(page.getByText('10 links back as before.').first()).toBeVisible();
    expect(countLinks(id, `status = 'active' AND ${TAGGED}`)).toBe(50);
  },
);

test(
  'an action on all that match reaches every page, and is undone exactly',
  IN_SOAK,
  async ({ page }) => {
    const { id, headers, codes } = await signInWithLinks(page, 120);
    // Some have the tag already, and must keep it.
    const data = { codes: codes.slice(-3), action: 'add_tags', tags: ['Summer'] };
    await page.request.post('/api/links/actions', { headers, data });
    await page.goto('/dashboard?host=elsewhere.example');
    await mark(page, codes[0]).click();
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
  },
);

test('one link is deleted without a question, and then for good', IN_SOAK, async ({ page }) => {
  const { id, codes } = await signInWithLinks(page, 3);
  const [first = '', ...others] = codes;
  await page.goto('/dashboard');
  const remove = async (code: string) => {
    await chooseForLink(page, code, 'Delete link');
    await expect(mark(page, code)).toHaveCount(0);
  };
  await remove(first);
  await undo(page, '1 link deleted.');
  await expect(mark(page, first)).toBeVisible();
  for (const code of [first, ...others]) await remove(code);
  await page.goto('/dashboard?status=trash');
  await expect(page.getByText('30 days left')).toHaveCount(3);
  await page.getByRole('button', { name: `Delete ${first} for good` }).click();
  await expect(page.getByRole('dialog')).toContainText(first);
  await page.getByRole('button', { name: 'Delete for good', exact: true }).click();
  await expect(page.getByText('30 days left')).toHaveCount(2);
  await page.getByRole('button', { name: 'Empty trash' }).click();
  await page.getByRole('button', { name: 'Delete 2 links for good' }).click();
  await expect(page.getByText('The trash is empty')).toBeVisible();
  expect(countLinks(id, "target <> ''")).toBe(0);
});

test('the bar stays in sight, and covers neither rows nor toasts', IN_SOAK, async ({ page }) => {
  const { codes } = await signInWithLinks(page, 40);
  await page.goto('/dashboard');
  for (const [width, height] of [
    [360, 740],
    [768, 1024],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await mark(page, codes[16]).check();
    await expect(bar(page).getByRole('button', { name: 'Export' })).toBeInViewport({ ratio: 1 });
    await expect(bar(page).getByRole('button', { name: /^More actions/ })).toBeInViewport({
      ratio: 1,
    });
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0);
    // The last row scrolls out from under the bar when it gets the focus.
    const last = page.getByRole('link', { name: new RegExp(`^Analytics of ${codes[39]},`) });
    await last.focus();
    const top = async () => (await bar(page).locator('> div').boundingBox())?.y ?? 0;
    const row = await last.boundingBox();
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(await top());
    // A toast about a row above is not under the bar.
    await page.getByRole('button', { name: `More actions for ${codes[10]}` }).click();
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
