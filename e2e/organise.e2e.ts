import type { Route } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { execute, query } from './support/database.ts';
import { tabTo } from './support/keyboard.ts';
import { chooseForLink, linkRows, makeLink, newAlias } from './support/links.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';
import { WAIT_MS } from './support/wait.ts';

test('a member finds, tags, archives, deletes and restores links, also by keyboard', async ({
  page,
}) => {
  const { headers } = await signInAsNew(page);
  const [spring, autumn, other] = [newAlias(), newAlias(), newAlias()];
  for (const customCode of [spring, autumn, other])
    await makeLink(page.request, { headers, customCode });
  await page.goto('/dashboard');
  const rows = linkRows(page);
  await expect(rows).toHaveCount(3);

  await chooseForLink(page, spring, 'Edit link');
  await page.getByLabel('Title').fill('Zürich fair');
  await page.getByLabel('Tags').fill('Campaign');
  await page.getByLabel('Tags').press('Enter');
  await page.getByRole('button', { name: 'More options' }).press('Enter');
  await page.getByRole('button', { name: /^Campaign/ }).click();
  await page.getByLabel('Source').fill('Fair Leaflet');
  await page.getByRole('button', { name: /^Redirect/ }).click();
  await page.getByLabel('Forward query parameters').selectOption('Only those I list');
  await page.getByLabel('Names of parameters').fill('ref');
  await page.getByRole('button', { name: 'Save link' }).click();
  await expect(rows.filter({ hasText: 'Zürich fair' })).toContainText('Campaign');

  const location = async (): Promise<string> =>
    (await page.request.get(`/${spring}?ref=a&other=b&qr=1`, { maxRedirects: 0 })).headers()[
      'location'
    ] ?? '';
  await expect.poll(location).toMatch(/&utm_source=fair%20leaflet&ref=a#part$/);

  // Slash focuses the search, arrows move in the list and Enter opens a link.
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

  for (const code of [autumn, other])
    await page.getByRole('checkbox', { name: `Select ${code}` }).press('Space');
  await page.getByRole('button', { name: 'Tag', exact: true }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('campaign,');
  await page.getByRole('button', { name: 'Change 2 links' }).click();
  await expect(rows.getByRole('button', { name: 'Show links with the tag Campaign' })).toHaveCount(
    3,
  );

  await chooseForLink(page, other, 'Archive link');
  await expect(rows).toHaveCount(2);
  const archived = page.getByRole('alert').filter({ hasText: '1 link archived.' });
  await archived.getByRole('button', { name: 'Undo' }).click();
  await expect(rows).toHaveCount(3);

  await rows.getByRole('button', { name: 'Show links with the tag Campaign' }).first().click();
  await expect(page).toHaveURL('/dashboard?tag=Campaign');
  await chooseForLink(page, autumn, 'Delete link');
  await expect(rows).toHaveCount(2);
  expect((await page.request.get(`/${autumn}`, { maxRedirects: 0 })).status()).toBe(410);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Status' }).click();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Trash');
  await page.getByRole('button', { name: `Restore ${autumn}` }).click();
  await expect(page.getByText('The trash is empty')).toBeVisible();
  await page.getByRole('button', { name: 'Show all links' }).click();
  await expect(rows).toHaveCount(3);
});

test('a rename is undone by the history, and a view keeps filters', IN_SOAK, async ({ page }) => {
  const { headers } = await signInAsNew(page);
  const [first, other] = [newAlias(), newAlias()];
  for (const customCode of [first, other]) await makeLink(page.request, { headers, customCode });
  const data = { codes: [first], action: 'add_tags', tags: ['Campaign'] };
  await page.request.post('/api/links/actions', { headers, data });
  await page.goto('/dashboard');

  // The member renames a link, the previous code still redirects, and the history undoes the
  // change.
  const renamed = newAlias();
  await chooseForLink(page, other, 'Rename link');
  await page.getByLabel('New code').fill(renamed);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Link renamed. ${other} keeps working.`)).toBeVisible();
  for (const code of [other, renamed])
    expect((await page.request.get(`/${code}`, { maxRedirects: 0 })).status()).toBe(302);
  await page.goto(`/analytics/${other}`);
  await expect(page).toHaveURL(`/analytics/${renamed}`);
  await page.goto('/dashboard');
  await chooseForLink(page, renamed, 'History');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Code:' })
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(page.getByRole('button', { name: `More actions for ${other}` })).toBeVisible();

  // A view stores filters and order for later visits.
  await page.goto('/dashboard?tag=Campaign&sort=code');
  await page.getByRole('button', { name: 'Save or delete views' }).press('Enter');
  await page.getByLabel('Save the current list as').fill('Campaign links');
  await page.keyboard.press('Enter');
  await expect(page.getByText('View “Campaign links” saved.')).toBeVisible();
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Campaign links' }).press('Enter');
  await expect(page).toHaveURL('/dashboard?tag=Campaign&sort=code');
  await expect(linkRows(page)).toHaveCount(1);
});

/** `npm test -- import` imports 10,000. */
const IMPORTED_ROWS = Number(process.env['HOP_IMPORT_ROWS'] ?? 250);

test('a member imports a file across a reload and a lost answer, without duplicates', async ({
  page,
}) => {
  const slow = IMPORTED_ROWS / 10;
  test.setTimeout(600_000 + slow * 1000);
  const timeout = WAIT_MS + slow * 900;
  const { id, headers } = await signInAsNew(page);
  expect((await page.request.post('/api/subscription', { headers, data: {} })).status()).toBe(200);
  if (IMPORTED_ROWS > 1000)
    await execute(
      'UPDATE subscriptions SET monthly_limit = ? WHERE user_id = ?',
      IMPORTED_ROWS,
      id,
    );
  const prefix = newAlias().slice(0, 10);
  const lines = Array.from(
    { length: IMPORTED_ROWS },
    (_, at) => `http://elsewhere.example/${at},${prefix}-${at},"Title, ${at}",${at}`,
  );
  const file = {
    name: 'links.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['url,code,title,clicks', ...lines].join('\n')),
  };
  // The server answers the second request, but the page closes before it receives the response.
  let requests = 0;
  const lost = new Promise<void>((resolve, reject) => {
    const answer = async (route: Route): Promise<void> => {
      requests += 1;
      if (requests !== 2) return route.continue();
      await route.fetch();
      return resolve();
    };
    page.route('**/api/links/import', answer).catch(reject);
  });

  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Add many links' }).click();
  await page.getByRole('menuitem', { name: 'Import links' }).click();
  await page.getByLabel('File with links').setInputFiles(file);
  await expect(page.getByRole('heading', { name: /rows from/ })).toBeVisible();
  await tabTo(page, /^Check rows$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'What the import will do' })).toBeVisible({
    timeout,
  });
  await tabTo(page, /^Import [\d,]+ links$/);
  await page.keyboard.press('Enter');
  await lost;
  await page.reload();
  const total = IMPORTED_ROWS.toLocaleString('en');
  await expect(page.getByRole('heading', { name: `${total} links imported from` })).toBeVisible({
    timeout,
  });
  const [stored] = query(
    `SELECT count(*) AS links, count(DISTINCT code) AS codes, sum(imported_clicks) AS clicks,
      (SELECT current_usage FROM subscriptions WHERE user_id = ?1) AS usage FROM links WHERE user_id = ?1`,
    id,
  );
  const clicks = (IMPORTED_ROWS * (IMPORTED_ROWS - 1)) / 2;
  expect(stored).toEqual({
    links: IMPORTED_ROWS,
    codes: IMPORTED_ROWS,
    clicks,
    // Links with codes use the allowance for moving house, not the month's quota.
    usage: 0,
  });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download result' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  // Without a byte order mark, spreadsheets do not read the file as UTF-8.
  expect(text.slice(0, 7)).toBe('\uFEFF"line"');
  const result = text.trim().split('\r\n');
  expect(result).toHaveLength(IMPORTED_ROWS + 1);
  for (const line of result.slice(1)) expect(line).toMatch(/^"\d+","Created","http/);

  await page.getByRole('button', { name: 'Import another file' }).click();
  await page.getByLabel('File with links').setInputFiles(file);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await expect(page.getByText('There is nothing to import.')).toBeVisible({ timeout });
  await page.goto(`/analytics/${prefix}-7`);
  await expect(page.getByText('7 clicks before the import from a file.')).toBeVisible();
});

test(
  'links start high on a phone’s dashboard, and a QR code is printed alone',
  IN_SOAK,
  async ({ page, baseURL }) => {
    await signInAs(page, 'user');
    await page.goto('/dashboard');
    const row = linkRows(page).first();
    await expect(row).toBeVisible();
    // geometry.e2e.ts checks wide windows.
    await page.setViewportSize({ width: 360, height: 740 });
    expect((await row.boundingBox())?.y).toBeLessThan(370);
    // Phones show the host, too.
    const { host } = new URL(baseURL ?? '');
    await expect(row.getByText(`${host}/`, { exact: true })).toBeVisible();

    await row.getByRole('button', { name: /^More actions/ }).click();
    await page.getByRole('menuitem', { name: 'QR code' }).click();
    const qr = page.getByRole('img', { name: /^QR code for the short URL/ });
    await expect(qr).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(qr).toBeVisible();
    await expect(page.getByRole('heading', { name: 'My URLs', includeHidden: true })).toBeHidden();
  },
);
