import type { Locator, Page } from '@playwright/test';
import type { Domain } from '#contract/domains.ts';
import { expectAccessible } from './support/axe.ts';
import { openNewLink, pressByTab, tabTo } from './support/keyboard.ts';
import { startSaasServer, type SaasServer } from './support/saas-server.ts';
import { startSecondServer, type SecondServer } from './support/second-server.ts';
import { signInAsNew } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const HOST = 'go.acme-widgets.com';
const PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

let platform: SaasServer | undefined;
let hop: SecondServer | undefined;

// oxlint-disable-next-line no-empty-pattern -- Playwright requires the pattern.
test.use({ baseURL: async ({}, use) => use(hop?.origin) });
test.beforeAll(async () => {
  platform = await startSaasServer();
  const { settings } = platform;
  hop = await startSecondServer(() => settings);
});
test.afterAll(async () => {
  await hop?.stop();
  platform?.stop();
});

async function expectFits(page: Page): Promise<void> {
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
}

test('a member connects a domain by keyboard on a phone and uses it to the end', async ({
  page,
}) => {
  if (platform === undefined || hop === undefined) throw new Error('A server has not started.');
  const { saas } = platform;
  const { execute, runJobs } = hop;
  await page.setViewportSize({ width: 360, height: 740 });
  const { headers } = await signInAsNew(page);
  const row: Locator = page.getByRole('listitem').filter({ hasText: HOST }).first();
  const press = (name: RegExp) => pressByTab(page, name);
  const pressCheckNow = async (): Promise<void> => {
    // A minute allows one check by hand beside those of the open page.
    await execute("delete from counters where key like '%:domain-checks:%'");
    await press(/^Check now$/);
  };

  await page.goto('/settings/domains');
  await expect(page.getByText('No domains yet')).toBeVisible();
  await press(/^Add domain$/);
  await expect(page.getByRole('textbox', { name: 'Domain' })).toBeFocused();
  await page.keyboard.type(` https://${HOST.toUpperCase()}/`);
  await page.keyboard.press('Enter');
  await expect(row.getByText('Waiting for DNS')).toBeVisible();
  await expect(row.getByText('Not found yet')).toBeVisible();
  await expectFits(page);

  saas.setRecords(`_hop.${HOST}`, 'TXT', ['hop-domain=old']);
  await pressCheckNow();
  await expect(row.getByText('Found instead: hop-domain=old')).toBeVisible();
  await expect(row.getByText(/A record has another value/)).toBeVisible();
  await expectFits(page);

  const domain: Domain = await (await page.request.get(`/api/domains/${HOST}`, { headers })).json();
  const proof = domain.records[0]?.value ?? 'no record';
  await expect(row.getByText(proof)).toBeVisible();
  saas.setRecords(`_hop.${HOST}`, 'TXT', [proof]);
  await pressCheckNow();
  await expect(row.getByText('Connecting')).toBeVisible();
  await expect(row.getByText('in.saas.test')).toBeVisible();
  await expectFits(page);

  // The open page checks the domain.
  saas.setRecords(HOST, 'CNAME', ['in.saas.test']);
  await expect(row.getByText('Active', { exact: true })).toBeVisible();
  await expectFits(page);

  const panel = await openNewLink(page);
  await page.keyboard.type('https://example.com/harvest');
  await tabTo(page, /^Domain$/);
  await page.keyboard.type('go');
  await expect(panel.getByLabel('Domain')).toHaveValue(HOST);
  await tabTo(page, /^Alias/);
  await page.keyboard.type('harvest');
  await page.keyboard.press('Enter');
  const result = page.getByRole('dialog', { name: 'Link created' });
  const onHost = new URL(page.url());
  onHost.hostname = HOST;
  await expect(result.getByRole('link').first()).toHaveAttribute(
    'href',
    `${onHost.origin}/harvest`,
  );
  await expectFits(page);

  const visit = () =>
    page.request.get('/harvest', {
      headers: { Host: onHost.host, 'User-Agent': PERSON },
      maxRedirects: 0,
    });
  expect((await visit()).headers()['location']).toBe('https://example.com/harvest');
  expect((await page.request.get('/harvest', { maxRedirects: 0 })).status()).toBe(404);

  const clicks = page.getByRole('tab', { name: /^Total Clicks/ });
  const report = async (): Promise<string> =>
    (await page.request.get(`/api/analytics?domain=${HOST}`, { headers })).text();
  await expect.poll(report).toContain('"totalClicks":1,');
  await page.goto(`/analytics?domain=${HOST}`);
  await expect(clicks).toHaveText('Total Clicks1');
  await expect(page.getByLabel('Domain')).toHaveValue(HOST);
  await expectFits(page);

  // Without its record the domain fails at the next check by the job, and its link still works.
  saas.setRecords(HOST, 'CNAME', []);
  await execute('update domain_hosts set next_check_at = 0');
  await runJobs();
  await page.goto('/settings/domains');
  await expect(row.getByText('Failing')).toBeVisible();
  await expect(row.getByText(/The domain no longer points to us/)).toBeVisible();
  await expectFits(page);
  expect((await visit()).status()).toBe(302);
  saas.setRecords(HOST, 'CNAME', ['in.saas.test']);
  await pressCheckNow();
  await expect(row.getByText('Active', { exact: true })).toBeVisible();

  await tabTo(page, new RegExp(`^Actions for ${HOST}$`));
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Delete domain' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete this domain?' });
  await expect(dialog.getByText(/1 link on .* stops working/)).toBeVisible();
  await expectFits(page);
  await tabTo(page, /to confirm$/);
  await page.keyboard.type(HOST);
  await page.keyboard.press('Enter');
  await expect(page.getByText('No domains yet')).toBeVisible();
  await expect(async () => expect((await visit()).status()).toBe(421)).toPass();
});
