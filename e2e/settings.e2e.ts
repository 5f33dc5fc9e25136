import type { Page } from '@playwright/test';
import { openAccountMenu } from './support/account-menu.ts';
import { expectAccessible } from './support/axe.ts';
import { mailTo } from './support/mailbox.ts';
import { signInAsNew } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const codeIn = (text: string): string => /^.*code: (\d{6})$/m.exec(text)?.[1] ?? '';
const box = (page: Page, name: string) => page.getByRole('textbox', { name });

test('changing the password needs the current one or a mailed code', async ({ page, request, watch }) => {
  watch.allow(/400 \(Bad Request\)/);
  const { email, password } = await signInAsNew(page);
  await page.goto('/settings');
  const button = page.getByRole('button', { name: 'Change password' });
  await box(page, 'New password').fill('battery staple');
  await expect(button).toBeDisabled();
  await box(page, 'Current password').fill('not the password');
  await button.click();
  await expect(box(page, 'Current password')).toHaveAccessibleDescription('That is not your current password.');
  await expect(box(page, 'Current password')).toBeFocused();
  await box(page, 'Current password').fill(password);
  await box(page, 'New password').fill('12345');
  await button.click();
  await expect(box(page, 'New password')).toHaveAccessibleDescription(/Use at least 6 characters/);
  await box(page, 'New password').fill('battery staple');
  await button.click();
  await expect(page.getByText('Password changed.')).toBeVisible();
  expect((await mailTo(request, email, 2)).subject).toContain('password was changed');

  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByLabel('6-digit code').fill(codeIn((await mailTo(request, email, 3)).text));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('You entered the code from the email')).toBeVisible();
  await box(page, 'New password').fill('third password');
  await button.click();
  await expect(page.getByText('Password changed.').last()).toBeVisible();
  await expect(box(page, 'Current password')).toBeVisible();
  const again = await request.post('/api/auth/v1/token?grant_type=password', { data: { email, password: 'third password' } });
  expect(again.status()).toBe(200);
});

test('Sign out everywhere ends every session, from Settings and the header', async ({ page, request, watch }) => {
  watch.allow(/401 \(Unauthorized\)/);
  const { email, password, headers } = await signInAsNew(page);
  const isSignedIn = async () => (await request.get('/api/me', { headers })).status() === 200;
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Sign out everywhere…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out everywhere?' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await isSignedIn()).toBe(true);
  await (await openAccountMenu(page)).getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 360, height: 740 });
  await (await openAccountMenu(page)).getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText('You are signed out on every device.')).toBeVisible();
  await expect(page).toHaveURL('/');
  expect(await isSignedIn()).toBe(false);
  const again = await request.post('/api/auth/v1/token?grant_type=password', { data: { email, password } });
  expect(again.status()).toBe(200);
});

test('deleting the account needs the current password', async ({ page, watch }) => {
  watch.allow(/403 \(Forbidden\)/);
  const { password } = await signInAsNew(page);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await box(page, 'Type “delete my account” to confirm').fill('delete my account');
  const button = dialog.getByRole('button', { name: 'Delete account' });
  await expect(button).toBeDisabled();
  const current = dialog.getByRole('textbox', { name: 'Current password' });
  await current.fill('not the password');
  await button.click();
  await expect(current).toHaveAccessibleDescription('That is not your current password.');
  await expectAccessible(page);
  await current.fill(password);
  await button.click();
  await expect(page.getByText('Your account has been deleted.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
});
