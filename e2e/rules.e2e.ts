import type { Page } from '@playwright/test';
import type { ListedLink } from '#contract/links/links.ts';
import { DAY_MS } from '#contract/time.ts';
import { expectAccessible } from './support/axe.ts';
import { openByTab, openNewLink, pressByTab, tabTo } from './support/keyboard.ts';
import { linkRows } from './support/links.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15';

/** Types half past eleven on December 12, 2027 into the time that has the focus. */
async function typeTime(page: Page): Promise<void> {
  // Day and month are the same, so their order does not matter; a 24-hour clock ignores the letter.
  await page.keyboard.type('12122027');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('1130a');
}
const TYPED = '2027-12-12T11:30';

/** Chooses the third option of the list that has the focus, in which the first is chosen. */
async function chooseThird(page: Page): Promise<void> {
  for (const key of ['Space', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
}

/** Types into the field that the focus reaches by Tab. */
async function fillByTab(page: Page, label: RegExp, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.type(text);
}
const follow = (page: Page, url: string, language: string, userAgent = IPHONE) =>
  page.request.get(url, {
    maxRedirects: 0,
    headers: { 'User-Agent': userAgent, 'Accept-Language': language },
  });

test(
  'a link with rules and a start is made, tested and opened on a phone by keyboard',
  IN_SOAK,
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width: 360, height: 740 });
    const { headers } = await signInAsNew(page);
    const panel = await openNewLink(page);
    await page.keyboard.type('https://example.com/all');
    await panel.getByRole('button', { name: 'More options' }).press('Enter');
    const noon = `${new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)}T12:00`;
    await openByTab(page, panel, 'Start and fallback', 'Fallback (optional)');
    await tabTo(page, /^Start date/);
    await page.locator(':focus').fill(noon);

    // A rule for one language, and one for a device before it.
    await panel.getByRole('button', { name: /^Rules and variants/ }).press('Enter');
    await expect(panel.getByRole('button', { name: 'Add rule' })).toBeVisible();
    await pressByTab(page, /^Add rule$/);
    await expect(panel.getByLabel('iPhone or iPad')).toBeFocused();
    await pressByTab(page, /^Language$/);
    await page.keyboard.type('pt');
    await fillByTab(page, /^Leads to$/, 'https://example.com/pt');
    await pressByTab(page, /^Add rule$/);
    await fillByTab(page, /^Leads to$/, 'https://example.com/ios');
    await panel.getByRole('button', { name: 'Move rule 2 up' }).press('Enter');
    await expect(panel.getByRole('button', { name: 'Move rule 1 up' })).toBeFocused();
    await pressByTab(page, /^Move rule 1 down$/);

    await openByTab(page, panel, 'Test it', 'Visitor’s language');
    const answer = panel.getByRole('region', { name: 'Test it' }).getByRole('status');
    await fillByTab(page, /^Visitor’s language$/, 'pt-BR');
    await tabTo(page, /^Time of the click/);
    await page.locator(':focus').fill(noon);
    await pressByTab(page, /^Test link$/);
    await expect(answer).toHaveText('Rule 1 leads to https://example.com/pt (302).');
    await expectAccessible(page);
    await pressByTab(page, /^Create link$/);

    const result = page.getByRole('dialog', { name: 'Link created' });
    const shortUrl = (await result.getByRole('link').first().getAttribute('href')) ?? '';
    const early = await follow(page, shortUrl, 'pt');
    expect(early.status()).toBe(404);
    expect(await early.text()).toContain('This link starts on');
    const code = new URL(shortUrl).pathname;
    const link: ListedLink = await (
      await page.request.get(`/api/links${code}`, { headers })
    ).json();
    expect(link.starts_at).toBe(`${noon}:00.000Z`);
    await page.keyboard.press('Escape');
    await expect(linkRows(page).first()).toContainText('Starts');

    await page.request.patch(`/api/links${code}`, { headers, data: { startsAt: null } });
    const leadsTo = async (language: string, userAgent?: string): Promise<string | undefined> =>
      (await follow(page, `${shortUrl}?fresh=1`, language, userAgent)).headers()['location'];
    await expect.poll(() => leadsTo('pt-BR,en;q=0.9')).toBe('https://example.com/pt');
    expect(await leadsTo('en')).toBe('https://example.com/ios');
    expect(await leadsTo('pt', 'Mozilla/5.0 (X11; Linux x86_64)')).toBe('https://example.com/all');
  },
);

test(
  'an end with a fallback, a status and a rule are set by keys only, and followed',
  IN_SOAK,
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const { headers } = await signInAsNew(page);
    const panel = await openNewLink(page);
    await page.keyboard.type('http://elsewhere.example/all');
    await tabTo(page, /^End date/);
    await typeTime(page);
    await expect(panel.getByLabel('End date')).toHaveValue(TYPED);
    await pressByTab(page, /^More options$/);
    await openByTab(page, panel, 'Start and fallback', 'Fallback (optional)');
    await fillByTab(page, /^Fallback/, 'http://elsewhere.example/after');
    await openByTab(page, panel, 'Redirect', 'Redirect status');
    await tabTo(page, /^Redirect status/);
    await chooseThird(page);
    await expect(panel.getByLabel('Redirect status')).toHaveValue('307');

    // Computers, and English.
    await panel.getByRole('button', { name: /^Rules and variants/ }).press('Enter');
    await expect(panel.getByRole('button', { name: 'Add rule' })).toBeVisible();
    await pressByTab(page, /^Add rule$/);
    await page.keyboard.press('Space');
    await tabTo(page, /^Computer$/);
    await page.keyboard.press('Space');
    await pressByTab(page, /^Language$/);
    await page.keyboard.type('en');
    await fillByTab(page, /^Leads to$/, 'http://elsewhere.example/desk');

    await openByTab(page, panel, 'Test it', 'Visitor’s language');
    const answer = panel.getByRole('region', { name: 'Test it' }).getByRole('status');
    await tabTo(page, /^Visitor’s device/);
    await chooseThird(page);
    await fillByTab(page, /^Visitor’s language$/, 'en');
    await pressByTab(page, /^Test link$/);
    await expect(answer).toHaveText('Rule 1 leads to http://elsewhere.example/desk (307).');
    await pressByTab(page, /^Create link$/);

    const result = page.getByRole('dialog', { name: 'Link created' });
    const shortUrl = (await result.getByRole('link').first().getAttribute('href')) ?? '';
    const code = new URL(shortUrl).pathname;
    const followed = await follow(page, shortUrl, 'en-GB', 'Mozilla/5.0 (X11; Linux x86_64)');
    expect([followed.status(), followed.headers()['location']]).toEqual([
      307,
      'http://elsewhere.example/desk',
    ]);
    expect((await follow(page, shortUrl, 'en')).headers()['location']).toBe(
      'http://elsewhere.example/all',
    );
    await page.request.patch(`/api/links${code}`, {
      headers,
      data: { expiresAt: Date.now() + 1_000 },
    });
    await expect
      .poll(async () => (await follow(page, shortUrl, 'en')).headers()['location'])
      .toBe('http://elsewhere.example/after');
    await page.goto(shortUrl);
    await expect(page).toHaveURL('http://elsewhere.example/after');
  },
);
