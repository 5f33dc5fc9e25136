import { makeLink } from './support/links.ts';
import { signInAsNew } from './support/sign-in.ts';
import { startSecondServer, type SecondServer } from './support/second-server.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

const SETTINGS =
  'ADS_CLIENT=ca-pub-1\nADS_SLOT_HOME=11\nADS_SLOT_RESULT=22\nADS_SLOT_ANALYTICS=33\n';

// A second server with an ad network, because the server of the other tests has none.
// One worker process for the whole file, so that the server starts once.
test.describe.configure({ mode: 'default' });
let server: SecondServer | undefined;

// oxlint-disable-next-line no-empty-pattern -- Playwright requires the pattern.
test.use({ baseURL: async ({}, use) => use(server?.origin) });
test.beforeAll(async () => {
  server = await startSecondServer(() => SETTINGS);
});
test.afterAll(() => server?.stop());

/**
 * Acts as the ad network's script: tries to read the page and the session, and writes the results
 * into its own document.
 */
const AD_SCRIPT = `
const attempt = (work) => { try { return String(work()); } catch (error) { return 'refused: ' + error.name; } };
const found = {
  origin: self.origin,
  storage: attempt(() => localStorage.getItem('sb-localhost-auth-token')),
  cookie: attempt(() => document.cookie),
  parent: attempt(() => parent.document.title),
  address: attempt(() => parent.location.href),
  referrer: document.referrer,
};
const tell = (api) => { document.body.dataset.found = JSON.stringify({ ...found, api }); };
fetch('/api/me').then(() => tell('answered'), () => tell('refused'));
`;

test(
  '[A16] the ad network’s script can read neither the token nor the page',
  IN_SOAK,
  async ({ page, context, watch }) => {
    // The content policy blocks the script's call of our API. Its opaque origin blocks its other
    // attempts.
    watch.allow(
      /Content Security Policy|connect-src|Failed to load resource|Fetch API cannot load/,
      /storage is disabled/,
    );
    await context.route('https://pagead2.googlesyndication.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        headers: { 'Access-Control-Allow-Origin': '*' },
        body: AD_SCRIPT,
      }),
    );
    await context.addInitScript(() => {
      if (self.origin !== 'null')
        localStorage.setItem('sb-localhost-auth-token', 'the token of a member');
    });
    const asked = page.waitForRequest(/pagead2\.googlesyndication\.com/);
    await page.goto('/');
    // Navigating inside the app must not matter: every document has the same policy.
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Pricing' })
      .click();
    await page.getByRole('link', { name: /home page$/ }).click();
    await page.getByRole('complementary', { name: 'Ad' }).scrollIntoViewIfNeeded();
    expect((await asked).frame()).not.toBe(page.mainFrame());
    const frame = page.frameLocator('iframe[title="Ad"]');
    await expect(frame.locator('body')).toHaveAttribute('data-found', /.+/);
    expect(JSON.parse((await frame.locator('body').getAttribute('data-found')) ?? '{}')).toEqual({
      origin: 'null',
      storage: 'refused: SecurityError',
      cookie: 'refused: SecurityError',
      parent: 'refused: SecurityError',
      address: 'refused: SecurityError',
      referrer: '',
      api: 'refused',
    });

    const opened = await page.goto('/ads/frame/home').catch(() => null);
    // Some browsers refuse to open a sandboxed document directly. In the others it must have no
    // origin either.
    if (opened !== null) expect(await page.evaluate(() => self.origin)).toBe('null');
  },
);

test(
  'every place has its own ad unit, and Premium has none',
  IN_SOAK,
  async ({ page, context }) => {
    await context.route('https://pagead2.googlesyndication.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        headers: { 'Access-Control-Allow-Origin': '*' },
        body: '',
      }),
    );
    const { headers } = await signInAsNew(page);
    const link = await makeLink(page.request, { headers });
    // The report of a link without clicks has no ad.
    const person =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
    await page.request.get(`/${link.code}`, {
      headers: { 'User-Agent': person },
      maxRedirects: 0,
    });
    const expectUnits = (...ids: string[]) =>
      expect(async () => {
        const units = await Promise.all(
          page
            .frames()
            .map((frame) =>
              frame.locator('ins').evaluateAll((found) => found.map((ad) => ad.dataset['adSlot'])),
            ),
        );
        expect(new Set(units.flat())).toEqual(new Set(ids));
      }).toPass();

    // The first page has no slot. The next pages open inside the application, which keeps the first
    // page's content policy.
    await page.goto('/pricing');
    await page.getByRole('link', { name: /home page$/ }).click();
    const ads = page.getByRole('complementary', { name: 'Ad' });
    await ads.scrollIntoViewIfNeeded();
    await expectUnits('11');
    await page.getByLabel('Destination').fill('https://elsewhere.example/with-an-ad');
    await page.getByRole('button', { name: 'Shorten URL' }).click();
    await expect(ads).toHaveCount(2);
    await ads.first().scrollIntoViewIfNeeded();
    await expectUnits('11', '22');
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'My URLs' })
      .click();
    await page.locator(`a[href="/analytics/${link.code}"]`).first().click();
    await ads.scrollIntoViewIfNeeded();
    await expectUnits('33');

    expect((await page.request.post('/api/subscription', { headers, data: {} })).status()).toBe(
      200,
    );
    for (const path of [`/analytics/${link.code}`, '/']) {
      const plan = page.waitForResponse('**/api/me');
      await page.goto(path);
      await plan;
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      await expect(ads).toHaveCount(0);
      await expectUnits();
    }
    await expect(page.getByRole('region', { name: 'Your subscription' })).toContainText('Premium');
  },
);
