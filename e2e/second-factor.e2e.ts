import type { Page } from '@playwright/test';
import { appCode } from '#worker/testing/app-code.ts';
import { logOut } from './support/account-menu.ts';
import { expectAccessible } from './support/axe.ts';
import { pressByTab, tabTo } from './support/keyboard.ts';
import { mailTo } from './support/mailbox.ts';
import { signInAsNew } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test.use({ viewport: { width: 360, height: 740 } });

async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/auth?next=/settings');
  await tabTo(page, /^Email/);
  await page.keyboard.type(email);
  await tabTo(page, /^Password/);
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
}

test('an app is set up by keyboard; sign-in then asks for its code or a recovery code', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/422/);
  const { email, password } = await signInAsNew(page, 'password');
  const heading = (name: string) => page.getByRole('heading', { name });

  await page.goto('/settings');
  await pressByTab(page, /^Set up an authenticator app…$/);
  await expect(page.getByRole('textbox', { name: 'Current password' })).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');

  await expect(heading('Scan this with your app')).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectAccessible(page);
  const secret = await page.getByText(/^[A-Z2-7]{32}$/).innerText();
  await tabTo(page, /^Code that the app shows/);
  await page.keyboard.type(appCode(secret));
  await page.keyboard.press('Enter');

  await expect(heading('Save your recovery codes')).toBeVisible();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [recoveryCode = ''] = await codes.allInnerTexts();
  await expectAccessible(page);
  await pressByTab(page, /^I saved them$/);
  await expect(page.getByText(/10 recovery codes left/)).toBeVisible();
  await expect(codes).toHaveCount(0);
  expect((await mailTo(request, email, 2)).subject).toContain('An authenticator app was added');

  await logOut(page);
  await enterPassword(page, email, password);
  const appField = page.getByLabel('Code from your authenticator app');
  await expect(appField).toBeFocused();
  await expectAccessible(page);
  // Nothing but the code is open to this sign-in, after a reload too.
  await page.goto('/settings');
  await expect(appField).toBeVisible();
  await appField.focus();
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/That code is wrong/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  // The next code, because each is accepted once, and this half minute may be the same.
  await page.keyboard.type(appCode(secret, 1));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/settings');
  await expect(page.getByText(/10 recovery codes left/)).toBeVisible();

  await logOut(page);
  await enterPassword(page, email, password);
  await pressByTab(page, /^Use a recovery code$/);
  await expect(page.getByLabel('Recovery code')).toBeFocused();
  await page.keyboard.type(recoveryCode);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/settings');
  await expect(page.getByText(/9 recovery codes left/)).toBeVisible();
  await expectAccessible(page);
});
