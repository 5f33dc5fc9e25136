import type { Page } from '@playwright/test';
import { logOut } from './support/account-menu.ts';
import { expectAccessible } from './support/axe.ts';
import { mailTo } from './support/mailbox.ts';
import { newEmail } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

/**
 * Returns the 6-digit code in a mail, which replaces the mail's link for people who read mail on
 * another device.
 */
const codeOf = (text: string): string => /^.*code: (\d{6})$/m.exec(text)?.[1] ?? '';

async function enter(page: Page, code: string): Promise<void> {
  await page.getByLabel('6-digit code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test(
  'the code of a mail confirms a sign-up, and another sets a new password',
  IN_SOAK,
  async ({ page, request, watch }) => {
    watch.allow(/403 \(Forbidden\)/);
    const email = newEmail();
    await page.goto('/auth?tab=sign-up');
    await page.getByLabel('Email').fill(email);
    await page.getByPlaceholder('Create a password (min. 6 characters)').fill('correct horse');
    await page.getByRole('tabpanel').getByRole('button', { name: 'Sign Up' }).click();
    await expect(page.getByText('Check your email for the confirmation link!')).toBeVisible();
    const code = codeOf((await mailTo(request, email)).text);
    await enter(page, '12');
    await expect(page.getByText('Enter all 6 digits of the code.')).toBeVisible();
    await enter(page, code === '000000' ? '000001' : '000000');
    await expect(page.getByText('This code is wrong or has expired.')).toBeVisible();
    await enter(page, `${code.slice(0, 3)} ${code.slice(3)}`);
    await expect(page).toHaveURL('/dashboard');

    await logOut(page);
    await page.goto('/auth?tab=forgot');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('link', { name: 'Enter the 6-digit code instead' }).click();
    await expectAccessible(page);
    await enter(page, codeOf((await mailTo(request, email, 2)).text));
    await page.getByRole('textbox', { name: 'New password' }).fill('battery staple');
    await page.getByRole('button', { name: 'Save password' }).click();
    await expect(page).toHaveURL('/dashboard');
  },
);
