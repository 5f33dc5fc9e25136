import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inActions } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { query, untilRow } from './support/database.ts';
import { makeLink } from './support/links.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

const PERSON =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

test('an open page shows first clicks live, and after an upgrade the past as well', async ({
  page,
  request,
}) => {
  const me = await signInAsNew(page);
  const { code, target } = await makeLink(page.request, { headers: me.headers });
  await page.goto(`/analytics/${code}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(code);
  await expect(page.getByRole('main').locator(`a[href="${target}"]`)).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Waiting for the first click']);
  await expect(page.getByText('No clicks yet')).toBeVisible();
  await expect(page.getByRole('img', { name: `QR code for the short URL ${code}` })).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open it yourself to see it work' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Ad' })).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Time range' })).toHaveCount(0);
  await expectAccessible(page);

  const click = (headers: Record<string, string>, mark = '') =>
    request.get(`/${code}${mark}`, { headers, maxRedirects: 0 });
  await click({ 'User-Agent': PERSON });
  await click({ 'User-Agent': PERSON }, '?qr=1');
  await click({ 'User-Agent': BOT });
  await click({ 'User-Agent': PERSON, 'Sec-Purpose': 'prefetch' });
  await untilRow(
    'SELECT 1 FROM link_totals t JOIN links l ON l.id = t.link_id WHERE l.code = ? AND human + bot + prefetch = 4',
    code,
  );

  await expect(page.getByRole('tab', { name: /^Total Clicks/ })).toHaveText('Total Clicks2');
  await expect(page.getByRole('tab', { name: /^Unique Visitors/ })).toHaveText('Unique Visitors1');
  await expect(page.getByRole('tab', { name: /^Clicks per visitor/ })).toHaveText(
    'Clicks per visitor2.0',
  );
  await expect(page.locator('dl').first()).toContainText('Active Days1');
  await expect(page.getByText('1 bot and 1 prefetch excluded.')).toBeVisible();
  // A young link has hours on every plan.
  await expect(page.getByRole('table', { name: 'Clicks by hour', exact: true })).toContainText('2');
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Scans of the QR code' }),
  ).toContainText('50% 1');
  const recent = page.getByRole('table', { name: 'Recent clicks' });
  await expect(recent).toContainText('Safari');
  await expect(recent).toContainText('Mobile');

  await expect(page.getByRole('tab', { name: 'Browser' })).toHaveCount(0);
  const locked = page.getByRole('region', { name: 'Advanced analytics' });
  await expect(locked).toContainText('Cities, browsers, systems, referrers, campaigns, hours');
  await page.getByRole('button', { name: 'Upgrade to Premium' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade to Premium' }).click();
  await page.getByRole('tab', { name: 'Browser' }).click();
  await expect(page.getByRole('tabpanel').filter({ hasText: 'Safari (mobile)' })).toContainText(
    '100% 2',
  );
  await expect(page.getByRole('list', { name: 'Clicks by hour of the day' })).toContainText(
    '2 clicks',
  );
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: `More actions for ${code}` }).click();
  await page.getByRole('menuitem', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe(`analytics-${code}-all.csv`);
  expect(await readFile(await (await download).path(), 'utf8')).toContain('"Mobile Safari","2"');
  expect(
    query(
      'SELECT human, bot, prefetch, visitors FROM link_totals t JOIN links l ON l.id = t.link_id WHERE l.code = ?',
      code,
    ),
  ).toEqual([{ human: 2, bot: 1, prefetch: 1, visitors: 1 }]);

  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Analytics', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await expect(page.getByRole('tab', { name: /^Total Clicks/ })).toHaveText('Total Clicks2');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Clicks by Date',
    'Last 10 minutes',
    'Top links',
    'Sources',
    'Clicks by Country',
    'Clicks by Device',
    'Times',
  ]);
  await page.getByRole('radio', { name: '30 days' }).press('ArrowRight');
  await expect(page).toHaveURL(/\/analytics\?range=90d$/);
  await page.getByRole('link', { name: new RegExp(`^${code} `) }).press('Enter');
  await expect(page).toHaveURL(new RegExp(`/analytics/${code}$`));
});

test(
  'the range is part of the URL, and the chart has a table and works by keyboard',
  IN_SOAK,
  async ({ page }) => {
    await signInAs(page, 'user');
    await page.goto('/analytics/find-us');
    const days = page.getByRole('table', { name: 'Clicks by day' });
    await expect(days.getByRole('row')).toHaveCount(31);
    await page.keyboard.press('w');
    await expect(page).toHaveURL(/\?range=7d$/);
    await expect(days.getByRole('row')).toHaveCount(8);
    await page.reload();
    await expect(page.getByRole('radio', { name: '7 days' })).toBeChecked();
    await page.goBack();
    await expect(page).toHaveURL(/find-us$/);
    await expect(page.getByRole('radio', { name: '30 days' })).toBeChecked();
    await expect(days.getByRole('row')).toHaveCount(31);
    await page.getByRole('radio', { name: 'All' }).click();
    await expect(page).toHaveURL(/range=all$/);
    const clicks = page.getByRole('tab', { name: /^Total Clicks/ });
    await expect(async () => {
      const total = Number((await clicks.innerText()).replaceAll(/\D/g, ''));
      const cells = await days.getByRole('cell').allInnerTexts();
      expect(cells.reduce((sum, cell) => sum + Number(cell.replaceAll(',', '')), 0)).toBe(total);
    }).toPass();

    const chart = page.getByRole('slider', { name: 'Chart: Clicks by day' });
    await chart.focus();
    await page.keyboard.press('Home');
    await expect(chart).toHaveAttribute('aria-valuetext', /^\w+day, .*: [\d,]+ clicks?$/);
    await expect(page.locator('[data-chart-point]')).toContainText('click');
    await clicks.focus();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(/figure=visitors$/);
    await expect(page.getByRole('table', { name: 'Visitors by day' })).toBeAttached();
  },
);

test(
  'pressing rows filters the page without moving it, and chips undo that',
  IN_SOAK,
  async ({ page }) => {
    await signInAs(page, 'admin');
    await page.goto('/analytics/hono?range=90d');
    const india = page.getByRole('button', { name: /^India 2?\d% / });
    await expect(india).toBeVisible();
    const bar = page.getByRole('region', { name: 'Filters' });
    const top = async () => (await bar.boundingBox())?.y;
    // The focus scrolls the row into view.
    await india.focus();
    const before = await top();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\?range=90d&filter=country%3AIN$/);
    await expect(page.getByRole('tab', { name: /^Total Clicks.*of all clicks/ })).toBeVisible();
    expect(await top()).toBe(before);
    // Country and device are counted together, hours are not.
    await expect(page.getByText(/^Times cannot be filtered by Country: India\./)).toBeVisible();
    await page.getByRole('button', { name: /^Mobile \d+% / }).press('Enter');
    await expect(page).toHaveURL(/&and=device%3AMobile$/);
    await expect(page.getByText(/^\d+ of the last \d+ clicks$/).first()).toBeVisible();
    await expectAccessible(page);

    await page.reload();
    const chip = page.getByRole('button', { name: 'Remove filter Country: India' });
    await expect(chip).toBeVisible();
    const line = page
      .getByRole('table', { name: 'Recent clicks' })
      .getByRole('row')
      .filter({ hasText: 'India' })
      .first();
    const height = async () => (await line.boundingBox())?.height;
    await expect.poll(height).toBe(36);
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(height).toBe(44);
    await chip.press('Enter');
    await expect(page).toHaveURL(/\?range=90d&filter=device%3AMobile$/);
    await page.goBack();
    await expect(chip).toBeVisible();
  },
);

test(
  'two links are compared with two actions, and the chart has a table',
  IN_SOAK,
  async ({ page }) => {
    await signInAs(page, 'admin');
    await page.goto('/analytics');
    const boxes = page.getByRole('checkbox', { name: /^Compare / });
    const compare = [0, 1].map((row) => async () => {
      await boxes.nth(row).click();
      await expect(boxes.nth(row)).toBeChecked();
    });
    await inActions(4, 'compare two links', ...compare);
    await expect(page).toHaveURL(/compare=links&with=.+%2C.+/);
    const table = page.getByRole('table', { name: 'Clicks compared' });
    await expect(table.getByRole('columnheader')).toHaveCount(3);
    await expect(page.getByRole('list', { name: 'Compared' }).getByRole('listitem')).toHaveCount(2);
    await expectAccessible(page);
  },
);

test('the head is 64 px high, and a range without clicks says so', IN_SOAK, async ({ page }) => {
  await signInAs(page, 'user');
  await page.route('**/api/analytics/*?range=24h', async (route) => {
    const report = await (await route.fetch()).json();
    const none = {
      totalClicks: 0,
      uniqueClicks: 0,
      clicksByDate: {},
      visitorsByDate: {},
      clicksByCountry: {},
      recentClicks: [],
    };
    await route.fulfill({ json: { ...report, analytics: { ...report.analytics, ...none } } });
  });
  await page.goto('/analytics/find-us?range=24h');
  await expect(page.getByText('No clicks in this range').first()).toBeVisible();
  await expect(page.getByText('No location data')).toBeVisible();
  const head = page.getByRole('main').locator('header');
  const heightOf = async (): Promise<number> => Math.round((await head.boundingBox())?.height ?? 0);
  for (const width of [1280, 768]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await heightOf(), `at ${width} px`).toBe(64);
  }
  // On phones the ranges have a separate line.
  await page.setViewportSize({ width: 360, height: 740 });
  const ranges = await page.getByRole('group', { name: 'Time range' }).boundingBox();
  expect(Math.round((ranges?.y ?? 0) - ((await head.boundingBox())?.y ?? 0))).toBe(64);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  // The tests' browser is British.
  await expect(
    page.getByText(/^Clicks in .*\d{4}\. Made on \d{1,2} [A-Z][a-z]{2} \d{4},/),
  ).toBeVisible();
  for (const hidden of [
    page.getByRole('banner'),
    page.getByRole('contentinfo'),
    page.getByRole('group', { name: 'Time range' }),
  ])
    await expect(hidden).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe(
    'light',
  );
});

test(
  'an unknown code and the link of another member show the same page',
  IN_SOAK,
  async ({ page, watch }) => {
    watch.allow(/404 \(Not Found\)/);
    await signInAsNew(page);
    for (const code of ['find-us', `no-${randomUUID().slice(0, 8)}`]) {
      await page.goto(`/analytics/${code}`);
      await expect(
        page.getByRole('main').getByText('Analytics Not Available').last(),
      ).toBeVisible();
      await expect(page.getByText(/^Failed to load analytics/)).toBeVisible();
      await page.getByRole('link', { name: 'Back to My URLs' }).click();
      await expect(page).toHaveURL('/dashboard');
    }
  },
);

test('a failed update shows an error and a Retry button', IN_SOAK, async ({ page, watch }) => {
  watch.allow(/503/);
  await signInAs(page, 'user');
  await page.goto('/analytics/find-us');
  await expect(page.getByText('Total Clicks')).toBeVisible();
  await page.route('**/api/analytics/**', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: '{"error":"Down","code":"unavailable","requestId":"x"}',
    }),
  );
  await page.getByRole('radio', { name: '7 days' }).click();
  await expect(
    page.getByText(/^Failed to load analytics\. You see the report for the last 30 days, as of /),
  ).toBeVisible();
  await expect(page.getByText('Total Clicks')).toBeVisible();
  await page.unroute('**/api/analytics/**');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Total Clicks')).toBeVisible();
});
