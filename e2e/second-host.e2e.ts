import type { Page } from '@playwright/test';
import { loadQrReader, readQr } from '#web/testing/read-qr.ts';
import { expectAccessible } from './support/axe.ts';
import { untilRow } from './support/database.ts';
import { openNewLink, pressByTab, tabTo } from './support/keyboard.ts';
import { chooseForLink, linkRows, makeLink, newAlias } from './support/links.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

/** The operator's host that `npm start` adds (SHORT_HOSTS). */
const HOST = 'go.localhost';
const TARGET = 'http://elsewhere.example/second-host';
const hostOf = (page: Page): string => `${HOST}:${new URL(page.url()).port}`;

/** Opens a short URL in a new tab, and expects that it leads to the target. */
async function follow(page: Page, url: string, target = TARGET): Promise<void> {
  const tab = await page.context().newPage();
  await tab.goto(url);
  await expect(tab).toHaveURL(target);
  await tab.close();
}

test(
  'a member makes a link on another host, follows, filters and counts it',
  IN_SOAK,
  async ({ page }) => {
    const { headers } = await signInAsNew(page);
    const own = await makeLink(page.request, { headers });
    const alias = newAlias();
    await page.goto('/dashboard');
    const host = hostOf(page);
    await page.getByRole('link', { name: 'New link' }).click();
    const panel = page.getByRole('dialog', { name: 'New link' });
    await panel.getByLabel('Destination').fill(TARGET);
    await panel.getByLabel('Domain').selectOption(HOST);
    await panel.getByLabel('Alias (optional)').fill(alias);
    await panel.getByRole('button', { name: 'Create link' }).click();
    const result = page.getByRole('dialog', { name: 'Link created' });
    const shortUrl = `http://${host}/${alias}`;
    await expect(result.getByRole('link').first()).toHaveAttribute('href', shortUrl);
    await page.keyboard.press('Escape');

    await follow(page, shortUrl);
    await untilRow(
      "SELECT 1 FROM link_totals t JOIN links l ON l.id = t.link_id WHERE l.code LIKE 'd.%/' || ? AND human = 1",
      alias,
    );

    const rows = linkRows(page);
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText(`${host}/${alias}`);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Domain' }).click();
    await page.getByRole('combobox', { name: 'Domain' }).selectOption(HOST);
    await expect(page).toHaveURL(`/dashboard?domain=${HOST}`);
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText(alias);
    await expectAccessible(page);

    await chooseForLink(page, alias, 'QR code');
    const qr = page.getByRole('dialog', { name: /^QR code of/ }).getByRole('img');
    await expect(qr).toBeVisible();
    await loadQrReader();
    const source = (await qr.getAttribute('src')) ?? '';
    const drawn = Buffer.from(source.replace(/^.*,/, ''), 'base64').toString();
    expect(await readQr(drawn, 400)).toEqual([`${shortUrl}?qr=1`]);
    await page.keyboard.press('Escape');

    await page.goto('/analytics');
    await page.getByLabel('Domain').selectOption(HOST);
    await expect(page).toHaveURL(new RegExp(`[?&]domain=${HOST}`));
    const main = page.getByRole('main');
    await expect(main.getByText(alias).first()).toBeVisible();
    await expect(main.getByText(own.code)).toHaveCount(0);
    await main
      .getByRole('link', { name: new RegExp(alias) })
      .first()
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${host}/${alias}`);
    await expect(page).toHaveTitle(new RegExp(`^Analytics for ${alias}`));
  },
);

test('a moved link keeps redirecting at its earlier short URL', IN_SOAK, async ({ page }) => {
  const { headers } = await signInAsNew(page);
  const customCode = newAlias();
  const { shortUrl } = await makeLink(page.request, { headers, customCode, target: TARGET });
  await page.goto('/dashboard');
  const host = hostOf(page);
  await chooseForLink(page, customCode, 'Edit link');
  const edit = page.getByRole('dialog', { name: 'Edit link' });
  await edit.getByLabel('Domain').selectOption(HOST);
  await expect(edit.getByText(/keeps redirecting, and its clicks count/)).toBeVisible();
  await edit.getByRole('button', { name: 'Save link' }).click();
  await expect(linkRows(page)).toContainText(`${host}/${customCode}`);
  await follow(page, `http://${host}/${customCode}`);
  await follow(page, shortUrl);
});

test(
  'the host serves no application, and a code of another host is unknown there',
  IN_SOAK,
  async ({ page, watch }) => {
    watch.allow(/404 \(Not Found\)/);
    const { headers } = await signInAsNew(page);
    const { code } = await makeLink(page.request, { headers });
    await page.goto('/dashboard');
    const origin = `http://${hostOf(page)}`;
    for (const path of ['dashboard', 'api/me', 'settings/domains', code])
      expect((await page.goto(`${origin}/${path}`))?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'Link not found' })).toBeVisible();
    await expectAccessible(page);
  },
);

test('on a phone the domain of a new link is chosen by keyboard', IN_SOAK, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await signInAsNew(page);
  const panel = await openNewLink(page);
  const alias = newAlias();
  await page.keyboard.type(TARGET);
  await tabTo(page, /^Domain$/);
  await page.keyboard.press('g');
  await expect(panel.getByLabel('Domain')).toHaveValue(HOST);
  await tabTo(page, /^Alias/);
  await page.keyboard.type(alias);
  await pressByTab(page, /^Create link$/);
  const shortUrl = `http://${hostOf(page)}/${alias}`;
  const result = page.getByRole('dialog', { name: 'Link created' });
  await expect(result.getByRole('link').first()).toHaveAttribute('href', shortUrl);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(360);
  await follow(page, shortUrl);
});
