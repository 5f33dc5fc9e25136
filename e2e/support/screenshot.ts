import type { Page } from '@playwright/test';
import { makeLink as listedLink } from '#web/testing/make-link.ts';
import { makeLink } from './links.ts';
import { mailTo } from './mailbox.ts';
import { newEmail, type DemoOwner } from './sign-in.ts';

/**
 * A page in one state. `before` runs before the visit and may return another path. `after` runs on
 * the loaded page.
 */
export type Screenshot = {
  name: string;
  path: string;
  who?: DemoOwner | 'new';
  state: 'full' | 'empty' | 'error';
  before?: (page: Page, headers: Record<string, string>) => Promise<unknown>;
  after?: (page: Page) => Promise<void>;
};

/** Scrolls through the page, because some cards load once they are near the window. */
export async function loadWholePage(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached', timeout: 20_000 });
  await page.evaluate(() => window.scrollTo(0, 0));
}

/** Makes every request to `paths` fail with 503. */
export const failing =
  (...paths: string[]) =>
  async (page: Page): Promise<void> => {
    for (const path of paths)
      await page.route(`**${path}`, (route) =>
        route.fulfill({
          status: 503,
          json: { error: 'The service is unavailable.', code: 'unavailable', requestId: 'x' },
        }),
      );
  };

export async function chooseAction(page: Page, name: string): Promise<void> {
  await page
    .getByRole('button', { name: /^More actions/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name }).click();
}

/** The path of the confirm page for a new account. Opening it does not use the link up. */
export async function signUpLink(page: Page): Promise<string> {
  const email = newEmail();
  await page.request.post('/api/auth/v1/signup', { data: { email, password: 'correct horse' } });
  const link = new URL((await mailTo(page.request, email)).link);
  return link.pathname + link.hash;
}

/** Upgrades the member. If `when` is given, also schedules a downgrade. */
export const onPremium =
  (when?: 'cycle_end') =>
  async (page: Page, headers: Record<string, string>): Promise<void> => {
    await page.request.post('/api/subscription', { headers, data: {} });
    if (when !== undefined)
      await page.request.post('/api/subscription/downgrade', { headers, data: { when } });
  };

export const shorten =
  (target: string) =>
  async (page: Page): Promise<void> => {
    await page.getByLabel('Destination').fill(target);
    await page.getByRole('button', { name: 'Shorten URL' }).click();
  };

export const browserLinks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    if (!location.protocol.startsWith('http')) return;
    const createdAt = new Date().toISOString();
    const link = (code: string, longUrl: string) => ({
      code,
      longUrl,
      createdAt,
      claimToken: 'a token',
    });
    const links = [
      link('k3Wq9Zt', 'https://www.example.org/a/long/way/to/what-you-mean?from=here&to=there'),
      link('Xy7Ab0c', 'https://example.com/'),
    ];
    localStorage.setItem('hop-links', JSON.stringify({ links, askAfter: 0 }));
  });

/** Answers the dashboard's requests with a very long address and very large numbers. */
export async function longLinks(page: Page): Promise<void> {
  const code = 'a-code-of-20-letters';
  const link = (id: number, host: string) =>
    listedLink({
      id,
      short_code: code,
      short_url: `${host}/${code}`,
      long_url: `https://${'a-very-long-label.'.repeat(id * 3)}example.com/${'path/'.repeat(40)}`,
      click_count: 1_234_567_890,
      expires_at: '2027-11-01T12:00:00Z',
      title: 'A title '.repeat(15),
      favorite: true,
    });
  const totals = {
    links: 1_234_567_890,
    clicks: 1_234_567_890,
    active: 1_234_567_890,
    countedAt: null,
  };
  await page.route('**/api/my-urls*', async (route) => {
    const host = new URL(route.request().url()).origin;
    await route.fulfill({
      json: { urls: [link(1, host), link(2, host)], totals, nextCursor: null },
    });
  });
  await page.route('**/api/subscription*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      json: {
        ...(await answer.json()),
        current_usage: 1_234_567_890,
        monthly_limit: 1_234_567_890,
      },
    });
  });
}

export async function arabicLink(page: Page, headers: Record<string, string>): Promise<string> {
  const target = 'https://مثال.example/مسار/طويل-جدا?سؤال=جواب&page=2#نهاية';
  return (await makeLink(page.request, { headers, target })).code;
}

/** Makes the form on Home report that a limit is reached. */
export const limited =
  (error: string, code: string, upgradeRequired: boolean) =>
  (page: Page): Promise<unknown> =>
    page.route('**/api/shorten', (route) =>
      route.fulfill({ status: 429, json: { error, code, requestId: 'x', upgradeRequired } }),
    );
