import type { BrowserContext, Page } from '@playwright/test';
import { startWithExtension, ToolbarPopup, type ExtensionBrowser } from './support/extension.ts';
import { execute } from './support/database.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

/** Resolves sites under .example to the local server of playwright.config.ts. */
const ELSEWHERE = `--host-resolver-rules=MAP *.example 127.0.0.1:${process.env['HOP_E2E_ELSEWHERE']}`;

async function makeKey(page: Page, scopes = ['links:read', 'links:write']) {
  const { id, headers } = await signInAsNew(page);
  const data = { name: 'My browser', scopes };
  const answer = await page.request.post('/api/keys', { headers, data });
  const { key, id: keyId }: { key: string; id: string } = await answer.json();
  return {
    key,
    useUpQuota: () =>
      execute('UPDATE subscriptions SET current_usage = monthly_limit WHERE user_id = ?', id),
    revoke: () => page.request.delete(`/api/keys/${keyId}`, { headers }),
  };
}

/** Opens the popup as the menu of a page does. */
async function openPopup({ context, url }: ExtensionBrowser, address: string, title = '') {
  const popup = await context.newPage();
  await popup.goto(url(`popup.html?${new URLSearchParams({ url: address, title })}`));
  return popup;
}

async function saveKey({ context, url }: ExtensionBrowser, origin: string, key: string) {
  const options = await context.newPage();
  await options.goto(url('options.html'));
  await options.getByLabel('Address of Hop').fill(origin);
  await options.getByLabel('API key').fill(key);
  await options.getByRole('button', { name: 'Save' }).click();
  await expect(options.getByText('Saved. You have')).toBeVisible();
  return options;
}

/** Pastes what is in the clipboard, because a test may not read that of an extension. */
async function pasteIn(context: BrowserContext): Promise<string> {
  const page = await context.newPage();
  await page.setContent('<textarea aria-label="Text"></textarea>');
  await page.bringToFront();
  const field = page.getByLabel('Text');
  await field.press('ControlOrMeta+V');
  await expect(field).not.toHaveValue('');
  const text = await field.inputValue();
  await page.close();
  return text;
}

let browser: ExtensionBrowser | undefined;

// One worker process for the whole file, because a full browser takes two seconds of CPU time to
// start.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  browser = await startWithExtension([ELSEWHERE]);
});
test.afterAll(() => browser?.context.close());

/** The browser, without what the test before has stored and opened. */
async function emptyBrowser(): Promise<ExtensionBrowser> {
  if (browser === undefined) throw new Error('The browser has not started.');
  await browser.runInBackground('chrome.storage.local.clear()');
  const [first, ...pages] = browser.context.pages();
  await Promise.all(pages.map((page) => page.close()));
  await first?.goto('about:blank');
  return browser;
}

const withoutScheme = (address: string): string => address.replace('http://', '');

test('the extension connects with a key, and shortens and copies the current tab', async ({
  page,
  baseURL,
}) => {
  const origin = baseURL ?? '';
  const { key } = await makeKey(page);
  const extension = await emptyBrowser();
  const { context, url, runInBackground } = extension;
  // The API answers every origin, so the extension may see no site.
  expect(await runInBackground('chrome.permissions.getAll()')).toMatchObject({ origins: [] });

  const before = await openPopup(extension, 'https://example.com/');
  const opened = context.waitForEvent('page');
  await before.getByRole('button', { name: 'Open settings' }).click();
  const options = await opened;
  await before.close();
  await options.getByRole('button', { name: 'Save' }).click();
  await expect(options.getByText('Enter an API key.')).toBeVisible();
  await options.getByLabel('Address of Hop').fill(origin);
  await options.getByLabel('API key').fill('hop_live_wrong');
  await options.getByRole('button', { name: 'Save' }).click();
  await expect(options.getByText('This API key does not work.')).toBeVisible();
  await expect(options.getByLabel('API key')).toBeFocused();
  await options.getByLabel('API key').fill(key);
  await options.getByRole('button', { name: 'Save' }).click();
  await expect(options.getByText('with the key “My browser”')).toBeVisible();
  await expect(options.getByRole('link', { name: 'Settings, API' })).toHaveAttribute(
    'href',
    `${origin}/settings/api`,
  );

  const tab = await context.newPage();
  await tab.goto('http://news.example/story');
  const popup = await ToolbarPopup.open(extension, tab);
  const valueOf = (field: string) => popup.evaluate(`document.getElementById('${field}')?.value`);
  const textOf = (part: string) =>
    popup.evaluate(`document.getElementById('${part}')?.textContent`);
  await expect.poll(() => valueOf('url')).toBe('http://news.example/story');
  expect(await valueOf('title')).toBe('Elsewhere');
  // The browser lets only a page with the focus copy.
  await expect.poll(() => popup.evaluate('document.hasFocus()')).toBe(true);
  await popup.evaluate("document.getElementById('shorten').click()");
  await expect.poll(() => textOf('short-url')).toContain(withoutScheme(origin));
  await expect.poll(() => textOf('status')).toBe('Copied!');
  const shortUrl = `http://${String(await textOf('short-url'))}`;
  const opening = await page.request.get(shortUrl, { maxRedirects: 0 });
  expect(opening.headers()['location']).toBe('http://news.example/story');
  expect(await pasteIn(context)).toBe(shortUrl);

  await options.getByRole('button', { name: 'Remove key' }).click();
  await expect(options.getByText('Removed from this browser.')).toBeVisible();
  await options.goto(url('popup.html'));
  await expect(options.getByRole('heading', { name: 'Connect your account' })).toBeVisible();
});

test(
  'the extension shows the result with its QR code, and the last links',
  IN_SOAK,
  async ({ page, baseURL }) => {
    const origin = baseURL ?? '';
    const { key } = await makeKey(page);
    const extension = await emptyBrowser();
    const { context } = extension;
    const options = await saveKey(extension, origin, key);
    await options.close();

    const popup = await openPopup(extension, 'https://example.com/a', 'A title');
    const shorten = popup.getByRole('button', { name: 'Shorten and copy' });
    await expect(shorten).toBeFocused();
    await expect(popup.getByText('You have no links yet.')).toBeVisible();
    await popup.getByLabel('Alias').fill('api');
    await shorten.click();
    await expect(popup.getByLabel('Alias')).toBeFocused();
    await expect(popup.getByText('This alias is reserved.')).toBeVisible();
    const alias = `ext-${key.slice(-10)}`;
    await popup.getByLabel('Alias').fill(alias);
    await popup.getByLabel('Tags').fill('sale, , spring');
    await popup.getByLabel('Tags').press('Enter');
    const result = popup.getByRole('region', { name: 'Your short URL' });
    await expect(result).toContainText(`${withoutScheme(origin)}/${alias}`);
    expect(await pasteIn(context)).toBe(`${origin}/${alias}`);
    const stored = await page.request.get(`${origin}/api/v1/links/by-code/${alias}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(await stored.json()).toMatchObject({
      url: 'https://example.com/a',
      title: 'A title',
      tags: ['sale', 'spring'],
    });

    await result.getByRole('button', { name: 'QR code' }).click();
    const code = result.getByRole('img', { name: 'QR code of the short URL' });
    await expect(code).toBeVisible();
    expect(await code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await expect(result.getByRole('link', { name: 'Open analytics' })).toHaveAttribute(
      'href',
      `${origin}/analytics/${alias}`,
    );
    await popup.bringToFront();
    await popup.evaluate(() => navigator.clipboard.writeText('something else'));
    const row = popup.getByRole('listitem').filter({ hasText: 'A title' });
    await row.getByRole('button', { name: `Copy ${withoutScheme(origin)}/${alias}` }).click();
    await expect(row.getByText('Copied!')).toBeVisible();
    expect(await pasteIn(context)).toBe(`${origin}/${alias}`);
    await result.getByRole('button', { name: 'Shorten another link' }).click();
    await expect(popup.getByLabel('Destination')).toBeFocused();
    await expect(popup.getByLabel('Destination')).toHaveValue('');
  },
);

test(
  'the menu of a link opens the popup, which says what is wrong',
  IN_SOAK,
  async ({ page, baseURL }) => {
    const origin = baseURL ?? '';
    const { key, useUpQuota, revoke } = await makeKey(page, ['links:read', 'links:create']);
    const extension = await emptyBrowser();
    const { context, runInBackground } = extension;
    const options = await saveKey(extension, origin, key);
    const opened = context.waitForEvent('page');
    await runInBackground(
      "chrome.contextMenus.onClicked.dispatch({ menuItemId: 'link', linkUrl: 'https://example.com/menu' }, {})",
    );
    const ofLink = await opened;
    await expect(ofLink.getByLabel('Destination')).toHaveValue('https://example.com/menu');
    // Opening it has created nothing.
    await expect(ofLink.getByText('You have no links yet.')).toBeVisible();
    // This key may not set tags.
    await expect(ofLink.getByLabel('Tags')).toBeHidden();
    await ofLink.getByRole('button', { name: 'Shorten and copy' }).click();
    await expect(ofLink.getByRole('region', { name: 'Your short URL' })).toBeVisible();

    const popup = await openPopup(extension, 'chrome://settings/');
    const shorten = popup.getByRole('button', { name: 'Shorten and copy' });
    await expect(popup.getByText('This tab has no web address.')).toBeVisible();
    await expect(popup.getByLabel('Destination')).toHaveValue('');
    await shorten.click();
    await expect(popup.getByText('Enter the address of a page.')).toBeVisible();
    await popup.goto(
      `${popup.url().split('?')[0]}?${new URLSearchParams({ url: `${origin}/abc` })}`,
    );
    await expect(popup.getByText('This page is part of Hop')).toBeVisible();

    await popup.getByLabel('Destination').fill('https://example.com/b');
    await context.setOffline(true);
    await shorten.click();
    await expect(popup.getByRole('alert')).toHaveText(
      'You are offline. Try again once you have a connection.',
    );
    await context.setOffline(false);
    await useUpQuota();
    await shorten.click();
    await expect(popup.getByRole('alert')).toHaveText(
      /^You have used all \d+ links of this month\. Your quota resets on \w+ \d+, \d+ \(UTC\)\.$/,
    );
    await revoke();
    await shorten.click();
    await expect(popup.getByRole('alert')).toHaveText(
      'The API key does not work. Create a new one, and enter it in the settings.',
    );
    await expect(popup.getByRole('button', { name: 'Open settings' })).toBeVisible();
    await options.getByLabel('API key').fill(key);
    await options.getByRole('button', { name: 'Save' }).click();
    await expect(options.getByText('This API key does not work.')).toBeVisible();
  },
);
