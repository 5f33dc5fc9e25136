import { SIGNALS } from '#contract/system/system.ts';
import { expectAccessible } from './support/axe.ts';
import { CLAIM } from './support/claim-admin.ts';
import { query } from './support/database.ts';
import { delayResponses } from './support/delay-responses.ts';
import { makeLink } from './support/links.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';
import { untilStarted } from './support/until-started.ts';

test(
  '/admin asks a visitor to sign in and tells a member that access is missing',
  IN_SOAK,
  async ({ page }) => {
    await page.goto('/admin');
    await expect(page).toHaveURL('/admin');
    await expect(page.getByRole('main').getByText('Sign in to continue')).toBeVisible();
    await signInAsNew(page);
    await page.goto('/admin');
    await expect(page.getByText('You don’t have access to this page')).toBeVisible();
  },
);

test('a one-time link from the command line makes the account that opens it an admin', async ({
  page,
}) => {
  const [link = 'no link'] = /http\S+/.exec(process.env[CLAIM] ?? '') ?? [];
  await page.goto(link);
  await expect(page).toHaveURL('/admin/claim');
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  const { email, password } = await signInAsNew(page);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${email} will see all users and links`)).toBeVisible();
  await page.getByRole('button', { name: 'Become an administrator' }).click();
  await expect(page).toHaveURL('/admin');
  await page.getByRole('tab', { name: 'System' }).click();
  await expect(page).toHaveURL(/tab=system/);
  const signals = page.getByRole('list', { name: 'Signals' }).getByRole('listitem');
  // Domains is shown only where members bring some.
  await expect(signals).toHaveCount(SIGNALS.length - 1);
  await expect(signals.filter({ hasText: 'Database: Fine.' })).toContainText('D1 answers.');
  await expectAccessible(page);
});

test(
  'an administrator changes plan and role by keyboard, and the audit log says so',
  IN_SOAK,
  async ({ page, browser, baseURL }) => {
    const memberPage = await browser.newPage({ baseURL: baseURL ?? '' });
    const member = await signInAsNew(memberPage);
    await memberPage.request.get('/api/subscription', { headers: member.headers });
    await makeLink(memberPage.request, { headers: member.headers });
    await memberPage.close();

    await signInAs(page, 'admin');
    await page.goto('/admin');
    for (const label of ['Total Users', 'Premium Users', 'Free Users', 'Total URLs']) {
      await expect(
        page.locator('dl').locator('div', { hasText: label }).locator('dd').first(),
      ).toHaveText(/^[\d,]+$/);
    }
    await page.getByRole('tab', { name: 'Statistics' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(/tab=users/);
    const answerSearch = await delayResponses(
      page,
      `**/api/admin?*${encodeURIComponent(member.email)}*`,
    );
    const row = page.getByRole('row').filter({ hasText: member.email });
    await expect(row).toBeVisible();
    const searched = page.waitForResponse((response) =>
      response.url().includes(encodeURIComponent(member.email)),
    );
    const searching = page.waitForRequest((request) =>
      request.url().includes(encodeURIComponent(member.email)),
    );
    await page.getByRole('searchbox', { name: 'Search by email or id' }).fill(member.email);
    await searching;
    // The rows stay while the search runs, and a focused row keeps the focus when the results arrive.
    await row.getByRole('combobox').focus();
    answerSearch();
    await searched;
    await expect(page.getByRole('main').getByRole('row')).toHaveCount(2);
    await expect(row.getByRole('combobox')).toBeFocused();
    await expect(row).toContainText('1/25');
    await expect(row).toContainText(member.id.slice(0, 8));
    await expect(row).toContainText('1 URL');

    await page.keyboard.press('P');
    await expect(page.getByText('Plan updated successfully!')).toBeVisible();
    await expect(row).toContainText('1/1,000');
    expect(query('SELECT plan FROM subscriptions WHERE user_id = ?', member.id)).toEqual([
      { plan: 'premium' },
    ]);

    const choose = async (action: string): Promise<void> => {
      await row.getByRole('button', { name: /^More actions/ }).press('Enter');
      await page.getByRole('menuitem', { name: action }).press('Enter');
    };
    await choose('Reset Usage');
    await page.getByRole('dialog').getByRole('button', { name: 'Reset Usage' }).press('Enter');
    await expect(page.getByText('Usage reset successfully!')).toBeVisible();
    await expect(row).toContainText('0/1,000');

    for (const action of ['Make administrator', 'Remove administrator']) {
      await choose(action);
      await expect(page.getByRole('dialog', { name: `${action}?` })).toContainText(member.email);
      await page.getByRole('dialog').getByRole('button', { name: action }).press('Enter');
      await expect(row.getByText('Admin', { exact: true })).toHaveCount(
        action === 'Make administrator' ? 1 : 0,
      );
    }

    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByRole('searchbox', { name: 'Search the audit log' }).fill(member.email);
    const entries = page.getByRole('main').getByRole('listitem');
    await expect(entries).toHaveCount(4);
    await expect(entries.nth(0)).toContainText(`Role of ${member.email}: Administrator → Member`);
    await expect(entries.nth(2)).toContainText(`Usage of ${member.email}: 1 of 1,000 → 0`);
    await expect(entries.nth(3)).toContainText(`Plan of ${member.email}: Free → Premium`);
    await expect(entries.nth(3)).toContainText('by admin@example.com');
    await expect(entries.nth(3)).not.toContainText(member.id, { useInnerText: true });
    await entries.nth(3).getByText('Stored entry').click();
    await expect(entries.nth(3)).toContainText(`"subject": "user:${member.id}"`, {
      useInnerText: true,
    });
    await expectAccessible(page);
  },
);

test(
  'a failed change and an unreachable server have their own messages',
  IN_SOAK,
  async ({ page, watch }) => {
    watch.allow(/500|net::ERR_FAILED/);
    await signInAs(page, 'admin');
    await page.goto('/admin?tab=users');
    const row = page.getByRole('row').filter({ hasText: 'user@example.com' });
    const answerWith = async (how: 'refuse' | 'abort') => {
      await page.unroute('**/api/admin');
      await page.route('**/api/admin', (route) =>
        how === 'abort'
          ? route.abort('failed')
          : route.fulfill({
              status: 500,
              contentType: 'application/json',
              body: '{"error":"Broken","code":"internal","requestId":"x"}',
            }),
      );
    };
    const reset = async () => {
      await row.getByRole('button', { name: /^More actions/ }).click();
      await page.getByRole('menuitem', { name: 'Reset Usage' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset Usage' }).click();
    };
    await answerWith('refuse');
    await row.getByRole('combobox').selectOption('premium');
    await expect(page.getByText('Failed to update plan')).toBeVisible();
    await reset();
    await expect(page.getByText('Failed to reset usage')).toBeVisible();
    await answerWith('abort');
    await row.getByRole('combobox').selectOption('premium');
    await expect(page.getByText('Error updating plan')).toBeVisible();
    await reset();
    await expect(page.getByText('Error resetting usage')).toBeVisible();
    expect(
      query(
        "SELECT plan FROM subscriptions s JOIN users u ON u.id = s.user_id WHERE u.email = 'user@example.com'",
      ),
    ).toEqual([{ plan: 'free' }]);
  },
);

test('a report leads to a 410 page with the reason, and can be undone', async ({
  page,
  browser,
  baseURL,
}) => {
  const visitor = await browser.newPage({ baseURL: baseURL ?? '' });
  const { code } = await makeLink(visitor.request, { target: 'https://shop.example.net/offer' });
  await visitor.goto(`/${code}+`);
  await visitor.getByRole('link', { name: 'Report this link' }).click();
  await expect(visitor.getByLabel('Short URL')).toHaveValue(code);
  await untilStarted(visitor);
  await visitor.getByRole('radio', { name: 'Phishing' }).check();
  await visitor.getByLabel('Details (optional)').fill('It asks for my bank password.');
  await visitor.getByRole('button', { name: 'Send report' }).click();
  await expect(visitor.getByText('Thank you. We received your report.')).toBeVisible();

  await signInAs(page, 'admin');
  await page.goto('/admin?tab=reports');
  const listed = page
    .getByRole('list', { name: 'Reports' })
    .getByRole('listitem')
    .filter({ hasText: code });
  await listed.getByRole('link').press('Enter');
  const report = page.getByRole('article');
  await expect(report.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(report).toContainText('It asks for my bank password.');
  await expect(report).toContainText('A visitor, without an account');
  await expect(report.getByText('shop.example.net', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await report.getByRole('button', { name: 'Disable link…' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Pretends to be a bank');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable links' }).click();
  await expect(listed).toHaveCount(0);
  await expect(report).toContainText('Disabled the link');

  const gone = await visitor.goto(`/${code}`);
  expect(gone?.status()).toBe(410);
  await expect(visitor.getByText('Pretends to be a bank')).toBeVisible();
  await visitor.close();

  await page.getByLabel('Status').selectOption('acted');
  await listed.getByRole('link').click();
  await report.getByRole('button', { name: 'Restore link…' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('A mistake');
  await page.getByRole('dialog').getByRole('button', { name: 'Restore links' }).click();
  await expect
    .poll(() => query('SELECT status FROM links WHERE code = ?', code))
    .toEqual([{ status: 'active' }]);
});

test(
  'a suspension stops links and sessions, and can be lifted',
  IN_SOAK,
  async ({ page, browser, baseURL }) => {
    const memberPage = await browser.newPage({ baseURL: baseURL ?? '' });
    const member = await signInAsNew(memberPage);
    const { code } = await makeLink(memberPage.request, { headers: member.headers });

    await signInAs(page, 'admin');
    await page.goto('/admin?tab=users');
    const own = page.getByRole('row').filter({ hasText: 'admin@example.com' });
    await own.getByRole('button', { name: /^More actions/ }).press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Reset Usage' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: /Suspend/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
    const row = page.getByRole('row').filter({ hasText: member.email });
    await row.getByRole('button', { name: /^More actions/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Suspend user' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Suspend user' });
    await expect(dialog).toContainText(
      'A new account with the same email address is suspended too.',
    );
    await dialog.getByLabel('Reason').fill('Sent spam');
    await dialog.getByLabel('Reason').press('Enter');
    await expect(page.getByText('User suspended.')).toBeVisible();
    await expect(row.getByText('Suspended')).toBeVisible();

    expect((await memberPage.goto(`/${code}`))?.status()).toBe(410);
    await expect(memberPage.getByText('Sent spam')).toBeVisible();
    expect(
      (await memberPage.request.get('/api/my-urls', { headers: member.headers })).status(),
    ).toBe(401);

    await row.getByRole('button', { name: /^More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Lift suspension' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('A mistake');
    await page.getByRole('dialog').getByRole('button', { name: 'Lift suspension' }).click();
    await expect(page.getByText('Suspension lifted.')).toBeVisible();
    await expect(row.getByText('Suspended')).toHaveCount(0);
    expect(query('SELECT status FROM links WHERE code = ?', code)).toEqual([{ status: 'active' }]);
    await memberPage.close();
  },
);
