import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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
  await expect(page.getByRole('img', { name: `QR code for the short link ${code}` })).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Ad' })).toBeVisible();
  await expectAccessible(page);

  const click = (headers: Record<string, string>, mark = '') =>
    request.get(`/${code}${mark}`, { headers, maxRedirects: 0 });
  await click({ 'User-Agent': PERSON });
  await click({ 'User-Agent': PERSON }, '?qr=1');
  await click({ 'User-Agent': BOT });
  await click({ 'User-Agent': PERSON, 'Sec-Purpose': 'prefetch' });
  await untilRow(
    20_000,
    'SELECT 1 FROM link_totals t JOIN links l ON l.id = t.link_id WHERE l.code = ? AND human + bot + prefetch = 4',
    code,
  );

  await expect(page.getByRole('tab', { name: /^Total Clicks/ })).toHaveText('Total Clicks2', {
    timeout: 20_000,
  });
  await expect(page.getByRole('tab', { name: /^Unique Visitors/ })).toHaveText('Unique Visitors1');
  await expect(page.getByRole('tab', { name: /^Clicks per visitor/ })).toHaveText(
    'Clicks per visitor2.0',
  );
  await expect(page.locator('dl').first()).toContainText('Active Days1');
  await expect(
    page.getByText('1 of 2 clicks came from scans of the QR code. 1 bot and 1 prefetch excluded.'),
  ).toBeVisible();
  await expect(page.getByRole('table', { name: 'Clicks by day (UTC)' })).toBeAttached();
  const recent = page.getByRole('table', { name: 'Recent clicks' });
  await expect(recent).toContainText('Mobile Safari');
  await expect(recent).toContainText('Mobile');

  await expect(page.getByRole('tab', { name: 'Browser' })).toHaveCount(0);
  const locked = page.getByRole('region', { name: 'Advanced analytics' });
  await expect(locked).toContainText('Cities, browsers, systems, referrers, campaigns, hours');
  await page.getByRole('button', { name: 'Upgrade to Premium' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade to Premium' }).click();
  await page.getByRole('tab', { name: 'Browser' }).click();
  await expect(page.getByRole('tabpanel').filter({ hasText: 'Mobile Safari' })).toContainText(
    '100% 2',
  );
  await expect(page.getByRole('table', { name: 'Clicks by weekday and hour' })).toContainText('2');
  await expect(page.getByRole('table', { name: 'Clicks by hour', exact: true })).toContainText('2');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: `More actions for ${code}` }).click();
  await page.getByRole('menuitem', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe(`analytics-${code}-all.csv`);
  expect(await readFile(await (await download).path(), 'utf8')).toContain(
    '"clicks_by_browser","Mobile Safari","2"',
  );
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
    'Top Links',
    'Clicks by Country',
    'Clicks by Device',
    'Sources',
  ]);
  await page.getByRole('radio', { name: '30 days' }).press('ArrowRight');
  await expect(page).toHaveURL(/\/analytics\?range=90d$/);
  await page.getByRole('link', { name: new RegExp(code) }).press('Enter');
  await expect(page).toHaveURL(new RegExp(`/analytics/${code}$`));
});

test('the range is part of the URL, and the chart has a table and works by keyboard', async ({
  page,
}) => {
  await signInAs(page, 'user');
  await page.goto('/analytics/find-us');
  await page.getByRole('radio', { name: '30 days' }).click();
  await expect(page).toHaveURL(/\?range=30d$/);
  const days = page.getByRole('table', { name: 'Clicks by day (UTC)' });
  await expect(days.getByRole('row')).toHaveCount(31);
  await page.reload();
  await expect(page.getByRole('radio', { name: '30 days' })).toBeChecked();
  await page.getByRole('radio', { name: 'All' }).click();
  await expect(page).toHaveURL(/find-us$/);
  await expect(days.getByRole('row')).not.toHaveCount(31);
  const total = Number(
    (await page.getByRole('tab', { name: /^Total Clicks/ }).innerText()).replaceAll(/\D/g, ''),
  );
  const cells = await days.getByRole('cell').allInnerTexts();
  expect(cells.reduce((sum, cell) => sum + Number(cell.replaceAll(',', '')), 0)).toBe(total);

  const chart = page.getByRole('slider', { name: 'Chart: Clicks by day (UTC)' });
  await chart.focus();
  await page.keyboard.press('Home');
  await expect(chart).toHaveAttribute('aria-valuetext', /^\w+day, .*: [\d,]+ clicks?$/);
  await expect(page.locator('[data-chart-point]')).toContainText('click');
  await page.getByRole('tab', { name: /^Total Clicks/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/\?figure=visitors$/);
  await expect(page.getByRole('table', { name: 'Visitors by day (UTC)' })).toBeAttached();
});

test(
  'pressing a row filters the page, and the chip removes the filter',
  IN_SOAK,
  async ({ page }) => {
    await signInAs(page, 'user');
    await page.goto('/analytics/find-us?range=90d');
    const india = page.getByRole('button', { name: /^India: [\d,]+ clicks/ });
    await expect(india).toBeVisible();
    const clicks = /[\d,]+/.exec((await india.getAttribute('aria-label')) ?? '')?.[0] ?? '';

    await page.getByRole('tab', { name: 'Countries' }).click();
    const rows = page.getByRole('tabpanel').getByRole('listitem');
    await expect(rows).toHaveCount(7);
    await page.getByRole('button', { name: 'View all countries' }).click();
    await page
      .getByRole('dialog', { name: 'Countries' })
      .getByRole('button', { name: /^India/ })
      .press('Enter');
    await expect(page).toHaveURL(/\?range=90d&filter=country%3AIN$/);
    await expect(page.locator('dl').first().locator('dd').first()).toHaveText(clicks);
    await expect(rows).toHaveCount(1);
    await expect(page.getByText('Not counted together with this filter.')).toBeVisible();
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
    await expect(page).toHaveURL(/\?range=90d$/);
    await expect(page.getByRole('tab', { name: /^Total Clicks/ })).toBeVisible();
  },
);

test('the head is 64 px high, and a range without clicks says so', async ({ page }) => {
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
  await expect(page.getByText('Clicks in the last 24 hours')).toBeVisible();
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
    page.getByText(/^Failed to load analytics\. You see the report for all time, as of /),
  ).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByText('Total Clicks')).toBeVisible();
  await page.unroute('**/api/analytics/**');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Total Clicks')).toBeVisible();
});
