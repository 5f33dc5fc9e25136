import type { APIRequestContext, Page } from '@playwright/test';
import { newClientAddress } from './support/client-address.ts';
import { openAccountMenu } from './support/account-menu.ts';
import { expectAccessible } from './support/axe.ts';
import { tabTo } from './support/keyboard.ts';
import { mailTo, partsOf } from './support/mailbox.ts';
import { newEmail, signInAs, signInAsNew } from './support/sign-in.ts';
import { IN_SOAK, IS_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';
import { ErrorWatch } from './support/error-watch.ts';

const PHONE = { width: 360, height: 740 };
const BOX = 'Create a password (min. 6 characters)';

/**
 * Requests a link as a mail gateway does before delivery, in our format and in that of other
 * clients.
 */
async function scan(request: APIRequestContext, link: string): Promise<void> {
  const { type, token_hash } = partsOf(link);
  const other = `/api/auth/v1/verify?token=${token_hash}&type=${type}`;
  for (const url of [link, other]) {
    for (let times = 0; times < 3; times += 1) await request.get(url);
    await request.head(url);
  }
}

/**
 * Opens the link and reloads the page, as people do. Fails if that uses it up or leaves its token in the address.
 */
async function openTwice(page: Page, link: string, heading: string): Promise<void> {
  const used: string[] = [];
  const note = (request: { url: () => string }): void => {
    if (new URL(request.url()).pathname === '/api/auth/v1/verify') used.push(request.url());
  };
  page.on('request', note);
  for (const open of [() => page.goto(link), () => page.reload()]) {
    await open();
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page).toHaveURL('/auth/confirm');
  }
  expect(used).toEqual([]);
  page.off('request', note);
}

async function signUp(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/auth?tab=sign-up');
  await page.getByLabel('Email').fill(email);
  await page.getByPlaceholder(BOX).fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Check your email for the confirmation link!')).toBeVisible();
}

async function expectUsed(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await expect(
    page.getByRole('heading', { level: 1, name: 'This link no longer works' }),
  ).toBeVisible();
  await expectAccessible(page);
}

test('[A3] a mail scanner confirms nothing, and the button does, by keyboard', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/403 \(Forbidden\)/);
  await page.setViewportSize(PHONE);
  const email = newEmail();
  await signUp(page, email, 'correct horse');
  const { link } = await mailTo(request, email);
  await scan(request, link);
  const early = await request.post('/api/auth/v1/token?grant_type=password', {
    data: { email, password: 'correct horse' },
  });
  expect(await early.json()).toMatchObject({ error_code: 'email_not_confirmed' });
  await openTwice(page, link, 'Confirm your email address');
  await tabTo(page, /^Confirm and sign in$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard');
  await expectUsed(page, link);
  await expect(page.getByText(`You are signed in as ${email}.`)).toBeVisible();
  const late = await request.post('/api/auth/v1/token?grant_type=password', {
    data: { email, password: 'correct horse' },
  });
  expect(late.status()).toBe(200);
});

test(
  '[A2] confirming in another browser drops the password of the sign-up',
  IN_SOAK,
  async ({ page, request, browser, baseURL, watch }) => {
    watch.allow(/40[03] \((Forbidden|Bad Request)\)/);
    const email = newEmail();
    await signUp(page, email, 'stranger horse');
    const { link } = await mailTo(request, email);
    await scan(request, link);

    const context = await browser.newContext({ viewport: PHONE, colorScheme: 'dark' });
    const watchOther = new ErrorWatch(context, baseURL ?? '');
    const other = await context.newPage();
    await openTwice(other, link, 'Confirm your email address');
    await other.getByRole('button', { name: 'Confirm and sign in' }).click();
    await expect(other.getByRole('heading', { level: 1, name: 'Choose a password' })).toBeVisible();
    await expectAccessible(other);
    await other.goto('/settings');
    await expect(other).toHaveURL('/auth/reset?next=%2Fsettings');
    await other.getByPlaceholder(BOX).fill('battery staple');
    await other.keyboard.press('Enter');
    await expect(other).toHaveURL('/settings');
    watchOther.expectNoErrors();
    await context.close();

    await expectUsed(page, link);
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill('stranger horse');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Invalid login credentials')).toBeVisible();
  },
);

test('[A17] a new password ends other sessions, and its notice undoes the change', async ({
  page,
  request,
  browser,
  baseURL,
  watch,
}) => {
  watch.allow(/40[013] \(/);
  const { email } = await signInAsNew(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'My URLs' })).toBeVisible();

  const context = await browser.newContext({
    viewport: PHONE,
    colorScheme: 'dark',
    extraHTTPHeaders: { 'CF-Connecting-IP': newClientAddress() },
  });
  const watchOther = new ErrorWatch(context, baseURL ?? '');
  watchOther.allow(/40[013] \(/);
  const other = await context.newPage();
  await other.goto('/auth?tab=forgot');
  await other.getByLabel('Email').fill(email);
  await other.keyboard.press('Enter');
  await expect(other.getByText('Check your email for the link to a new password.')).toBeVisible();
  const { link } = await mailTo(request, email, 2);
  await scan(request, link);
  await openTwice(other, link, 'Choose a new password');
  await other.getByRole('button', { name: 'Continue' }).click();
  await other.getByPlaceholder(BOX).fill('battery staple');
  await other.getByRole('button', { name: 'Save password' }).click();
  await expect(other).toHaveURL('/dashboard');
  await expectUsed(other, link);

  // The earlier session has ended.
  await page.reload();
  await expect(page).toHaveURL(/\/auth\?next=/);
  // The owner did not change the password and follows the link in the notice.
  const notice = await mailTo(request, email, 3);
  await scan(request, notice.link);
  await openTwice(page, notice.link, 'Did someone else change your password?');
  await page.getByRole('button', { name: 'Sign out everywhere and continue' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Choose a password' })).toBeVisible();
  await other.goto('/dashboard');
  await expect(other).toHaveURL(/\/auth\?next=/);
  watchOther.expectNoErrors();
  await context.close();
  await page.getByPlaceholder(BOX).fill('owner horse');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard');
});

test(
  'setting a new password works by keyboard while another account is signed in',
  IN_SOAK,
  async ({ page, request, browser }) => {
    const owner = await (await browser.newContext()).newPage();
    const { email } = await signInAsNew(owner);
    await owner.context().close();
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/auth?tab=forgot');
    await tabTo(page, /^Email$/);
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Check your email for the link to a new password.')).toBeVisible();
    const { link } = await mailTo(request, email, 2);
    const somebody = await signInAs(page, 'user');
    await openTwice(page, link, 'Choose a new password');
    await expect(
      page.getByText(
        `You are signed in as ${somebody.email}. Continuing signs you in as ${email}.`,
      ),
    ).toBeVisible();
    await tabTo(page, /^Continue$/);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'New password' })).toBeFocused();
    await expectAccessible(page);
    await tabTo(page, /^New password$/);
    await page.keyboard.type('battery staple');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/dashboard');
    await expect((await openAccountMenu(page)).getByText(email)).toBeVisible();
  },
);

test('[A5] tokens in a fragment sign nobody in and are removed from the history', async ({
  page,
  request,
}) => {
  const attacker = await request.post('/api/auth/v1/token?grant_type=password', {
    data: { email: 'user@example.com', password: 'demo-user' },
  });
  const { access_token, refresh_token } = await attacker.json();
  const { email } = await signInAsNew(page);
  const forged = new URLSearchParams({
    access_token,
    refresh_token,
    expires_in: '3600',
    token_type: 'bearer',
    type: 'signup',
  });
  for (const path of ['/', ...(IS_SOAK ? ['/auth/confirm', '/dashboard', '/auth'] : [])]) {
    await page.goto(`${path}#${forged.toString()}`);
    await expect(page.getByRole('button', { name: `Account of ${email}` })).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(page.url()).not.toContain('#');
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(access_token);
    const kept = await page.evaluate(() => localStorage.getItem('sb-localhost-auth-token'));
    expect(JSON.parse(kept ?? '{}')).toMatchObject({ user: { email } });
  }
});
