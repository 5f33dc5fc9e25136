import type { Route } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { designQr } from './support/design-qr.ts';
import { linkRows, makeLink, newAlias } from './support/links.ts';
import { mailTo } from './support/mailbox.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

test(
  'a used-up quota offers Premium, and the demo upgrade applies in every tab',
  IN_SOAK,
  async ({ page, context, watch }) => {
    watch.allow(/429 \(Too Many Requests\)/);
    const { headers } = await signInAsNew(page);
    for (let made = 0; made < 25; made += 1) await makeLink(page.request, { headers });
    await page.goto('/');
    const plan = page.getByRole('region', { name: 'Your subscription' });
    await expect(plan).toContainText('25 of 25');
    await page.getByLabel('Destination').fill('https://elsewhere.example/one-too-many');
    await page.getByRole('button', { name: 'Shorten URL' }).click();
    await expect(page.getByRole('alert')).toContainText(
      /\. Upgrade to Premium for 1,000 URLs\/month at ₹500\/month\./,
    );
    await expect(page.getByLabel('Destination')).toHaveValue(
      'https://elsewhere.example/one-too-many',
    );

    const otherTab = await context.newPage();
    await otherTab.goto('/');
    await otherTab.getByLabel('Destination').fill('https://elsewhere.example/in-another-tab');
    await otherTab.getByRole('button', { name: 'Shorten URL' }).click();
    await expect(otherTab.getByRole('alert')).toContainText('Upgrade to Premium');

    await page.getByRole('button', { name: 'See plans' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose Your Plan' });
    for (const line of ['25 URLs per month', 'Basic analytics', 'QR codes'])
      await expect(dialog.getByRole('region', { name: 'Free' })).toContainText(line, {
        ignoreCase: true,
      });
    for (const line of [
      '1,000 URLs per month',
      'Advanced analytics',
      'Priority support',
      'Bulk processing',
    ])
      await expect(dialog.getByRole('region', { name: 'Premium' })).toContainText(line, {
        ignoreCase: true,
      });
    await expect(dialog).toContainText(/demo/);
    await expect(dialog.getByRole('link', { name: 'support@example.com' })).toHaveAttribute(
      'href',
      'mailto:support@example.com',
    );
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Upgrade to Premium' }).click();
    await expect(page.getByText('Successfully upgraded to Premium!')).toBeVisible();
    await expect(page.getByText(/nothing was charged/).first()).toBeVisible();
    await expect(plan).toContainText('25 of 1,000');
    for (const tab of [page, otherTab])
      await expect(tab.getByText(/Upgrade to Premium for 1,000/)).toHaveCount(0);
    await expect(otherTab.getByRole('region', { name: 'Your subscription' })).toContainText(
      '25 of 1,000',
    );
    await expect(otherTab.getByLabel('Destination')).toHaveValue(
      'https://elsewhere.example/in-another-tab',
    );
    await otherTab.close();
    // "See plans" is removed, so the heading takes the focus.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.getByRole('button', { name: 'Shorten URL' }).click();
    await expect(page.getByRole('region', { name: 'Your short URL' })).toBeVisible();
    await expect(plan).toContainText('26 of 1,000');
  },
);

test(
  'Pricing opens the plans in place, and a failed upgrade shows the reason',
  IN_SOAK,
  async ({ page, watch }) => {
    watch.allow(/402 \(Payment Required\)|ERR_FAILED|500/);
    await signInAsNew(page);
    await page.goto('/pricing');
    await page.getByRole('button', { name: 'Upgrade to Premium' }).click();
    await expect(page).toHaveURL('/pricing');
    const dialog = page.getByRole('dialog', { name: 'Choose Your Plan' });
    const upgrade = dialog.getByRole('button', { name: 'Upgrade to Premium' });
    const answers: [(route: Route) => Promise<void>, string][] = [
      [
        (route) =>
          route.fulfill({
            status: 402,
            json: { error: 'Not today.', code: 'payment_required', requestId: 'x' },
          }),
        'Not today.',
      ],
      [
        (route) => route.fulfill({ status: 500, body: 'no JSON' }),
        'Payment integration required. Please contact support for manual upgrade.',
      ],
      [
        (route) => route.abort(),
        'Payment system not yet integrated. Please contact support for manual upgrade.',
      ],
    ];
    for (const [answer, text] of answers) {
      await page.unroute('**/api/subscription');
      await page.route('**/api/subscription', (route) =>
        route.request().method() === 'POST' ? answer(route) : route.fallback(),
      );
      await upgrade.click();
      await expect(dialog.getByRole('alert')).toHaveText(text);
      await expect(dialog.getByRole('link', { name: 'support@example.com' })).toBeVisible();
    }
  },
);

test(
  'Premium is given up in Settings, and can be kept until the cycle ends',
  IN_SOAK,
  async ({ page, request }) => {
    const { email, headers } = await signInAsNew(page);
    expect((await page.request.post('/api/subscription', { headers, data: {} })).status()).toBe(
      200,
    );
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Manage plan' }).click();
    await page.getByRole('button', { name: 'Downgrade to Free…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Downgrade to Free?' });
    await expect(dialog).toContainText('Your links stay and keep redirecting.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Downgrade to Free' }).click();
    await expect(page.getByText(/^Premium until .*, then Free\.$/)).toBeVisible();
    expect((await mailTo(request, email, 2)).subject).toMatch(/^Your Hop plan changes to Free on /);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Keep Premium' }).click();
    await expect(page.getByText('You keep Premium.')).toBeVisible();
    await expect(page.locator('body')).not.toBeFocused();

    await page.getByRole('button', { name: 'Downgrade to Free…' }).click();
    await dialog.getByRole('radio', { name: 'Now' }).check();
    await dialog.getByRole('button', { name: 'Downgrade to Free' }).click();
    await expect(page.getByText('0 of 25')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Upgrade to Premium' })).toBeVisible();
    expect((await mailTo(request, email, 3)).subject).toBe('Your Hop plan is now Free');
  },
);

test(
  'an unreadable subscription counts as Free with 25 links and offers Retry',
  IN_SOAK,
  async ({ page, watch }) => {
    watch.allow(/503/);
    await signInAsNew(page);
    await page.route('**/api/subscription?*', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto('/dashboard');
    const plan = page.getByRole('region', { name: 'Your subscription' });
    await expect(plan).toContainText('Free');
    await expect(plan).toContainText('0 of 25');
    await page.unroute('**/api/subscription?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  },
);

test(
  'the dashboard shows totals and links, and tells an error from an empty list',
  IN_SOAK,
  async ({ page, context, watch }) => {
    watch.allow(/503/);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { headers } = await signInAsNew(page);
    await page.goto('/dashboard');
    const links = page.getByRole('region', { name: 'Your links' });
    await expect(links).toContainText('No URLs yet');
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);

    await makeLink(page.request, { headers });
    const link = await makeLink(page.request, { headers, customCode: newAlias() });
    await page.reload();
    const row = linkRows(page).filter({ hasText: link.code });
    await expect(row).toBeVisible();
    for (const figure of ['Total Links', 'Total Clicks', 'Active Links', 'Avg. Clicks'])
      await expect(page.getByText(figure, { exact: true })).toBeVisible();
    await expect(page.getByText('More than 0 clicks', { exact: true })).toBeVisible();
    await row.getByRole('button', { name: /^Copy/ }).click();
    await expect(row.getByRole('button', { name: 'Copied!' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link.shortUrl);
    await expect(row.getByRole('link', { name: /^Preview/ })).toHaveAttribute(
      'href',
      `${link.shortUrl}+`,
    );
    await row.getByRole('button', { name: /^More actions/ }).click();
    await page.getByRole('menuitem', { name: 'QR code' }).click();
    await page.getByRole('link', { name: 'Customize QR' }).click();
    await designQr(page, link);
    await page.goto('/dashboard');
    await row.getByRole('link', { name: `Analytics of ${link.code}, 0 clicks` }).click();
    await expect(page).toHaveURL(`/analytics/${link.code}`);

    await page.route('**/api/my-urls*', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto('/dashboard');
    await expect(links).toContainText('Your links could not be loaded.');
    await expect(links).not.toContainText('No URLs yet');
    await page.unroute('**/api/my-urls*');
    await links.getByRole('button', { name: 'Retry' }).click();
    await expect(links).toContainText(link.code);
  },
);

test(
  'Premium shortens a pasted list and returns the lines that failed',
  IN_SOAK,
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { headers } = await signInAsNew(page);
    expect((await page.request.post('/api/subscription', { headers, data: {} })).status()).toBe(
      200,
    );
    const shortenMany = page.getByRole('menuitem', { name: 'Shorten many links' });
    let answerPlan = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (answerPlan = resolve));
    const wait = async (route: Route): Promise<void> => {
      await isAsked;
      await route.continue();
    };
    await page.route('**/api/subscription*', wait, { times: 1 });
    await page.goto('/dashboard');
    // A click before the application has started does nothing.
    await expect(async () => {
      await page.getByRole('button', { name: 'Add many links' }).click();
      await expect(page.getByRole('menuitem', { name: 'Import links' })).toBeVisible({
        timeout: 1_000,
      });
    }).toPass();
    await expect(shortenMany).toHaveCount(0);
    answerPlan();
    await shortenMany.click();
    const dialog = page.getByRole('dialog', { name: 'Shorten many links' });
    const list = dialog.getByLabel('Destinations, one per line');
    await list.fill(
      'https://elsewhere.example/one\n\nhttp://localhost/secret\nelsewhere.example/two\n',
    );
    await dialog.getByRole('button', { name: 'Shorten 3 links' }).click();
    await expect(dialog).toContainText('2 links created, 1 line failed.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Copy all links' }).click();
    const readLines = async () =>
      (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n');
    await expect.poll(readLines).toHaveLength(2);
    const copied = await readLines();
    for (const [i, target] of [
      'https://elsewhere.example/one',
      'https://elsewhere.example/two',
    ].entries()) {
      const answer = await page.request.get(copied[i] ?? '', { maxRedirects: 0 });
      expect([answer.status(), answer.headers()['location']]).toEqual([302, target]);
    }
    await dialog.getByRole('button', { name: 'Edit failed lines' }).click();
    await expect(list).toHaveValue('http://localhost/secret');
    await list.fill('https://elsewhere.example/three');
    await dialog.getByRole('button', { name: 'Shorten 1 link' }).click();
    await expect(dialog).toContainText('1 link created.');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('region', { name: 'Your subscription' })).toContainText(
      '3 of 1,000',
    );
    await expect(page.getByRole('region', { name: 'Your links' })).toContainText(
      'elsewhere.example/three',
    );
  },
);
