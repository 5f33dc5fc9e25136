import type { Page } from '@playwright/test';
import { openAccountMenu } from './support/account-menu.ts';
import { expectAccessible } from './support/axe.ts';
import { mailTo } from './support/mailbox.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

const codeIn = (text: string): string => /^.*code: (\d{6})$/m.exec(text)?.[1] ?? '';
const box = (page: Page, name: string) => page.getByRole('textbox', { name });

test(
  'changing the password needs the current one or a mailed code',
  IN_SOAK,
  async ({ page, request, watch }) => {
    watch.allow(/400 \(Bad Request\)/);
    const { email, password } = await signInAsNew(page, 'password');
    await page.goto('/settings');
    const button = page.getByRole('button', { name: 'Change password' });
    await box(page, 'New password').fill('battery staple');
    await box(page, 'Current password').fill('not the password');
    await button.click();
    await expect(box(page, 'Current password')).toHaveAccessibleDescription(
      'That is not your current password.',
    );
    await expect(box(page, 'Current password')).toBeFocused();
    await box(page, 'Current password').fill(password);
    await box(page, 'New password').fill('12345');
    await button.click();
    await expect(box(page, 'New password')).toHaveAccessibleDescription(
      /Password should be at least 6 characters/,
    );
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
    const again = await request.post('/api/auth/v1/token?grant_type=password', {
      data: { email, password: 'third password' },
    });
    expect(again.status()).toBe(200);
  },
);

test(
  'Sign out everywhere ends every session, from Settings and the header',
  IN_SOAK,
  async ({ page, request, watch }) => {
    watch.allow(/401 \(Unauthorized\)/);
    const { email, password, headers } = await signInAsNew(page);
    const isSignedIn = async () => (await request.get('/api/me', { headers })).status() === 200;
    await page.goto('/settings/sessions');
    await page.getByRole('button', { name: 'Sign out everywhere…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign out everywhere?' });
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await isSignedIn()).toBe(true);
    await (
      await openAccountMenu(page)
    )
      .getByRole('menuitem', { name: 'Sign out everywhere' })
      .click();
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 360, height: 740 });
    await (
      await openAccountMenu(page)
    )
      .getByRole('menuitem', { name: 'Sign out everywhere' })
      .click();
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    await expect(page.getByText('You are signed out on every device.')).toBeVisible();
    await expect(page).toHaveURL('/');
    expect(await isSignedIn()).toBe(false);
    const again = await request.post('/api/auth/v1/token?grant_type=password', {
      data: { email, password },
    });
    expect(again.status()).toBe(200);
  },
);

test(
  'Sessions lists devices and ends one, or all others',
  IN_SOAK,
  async ({ page, request, watch }) => {
    watch.allow(/401 \(Unauthorized\)/);
    const { email, password } = await signInAsNew(page);
    const signIn = async (agent: string): Promise<() => Promise<boolean>> => {
      const data = { email, password };
      const answer = await request.post('/api/auth/v1/token?grant_type=password', {
        data,
        headers: { 'User-Agent': agent },
      });
      const headers = { Authorization: `Bearer ${(await answer.json()).access_token}` };
      return async () => (await request.get('/api/me', { headers })).status() === 200;
    };
    const phone = await signIn(
      'Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0',
    );
    const laptop = await signIn(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
    );
    await page.goto('/settings');
    await page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('link', { name: 'Sessions' })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeFocused();
    const rows = page.getByRole('main').getByRole('listitem');
    await expect(rows.first()).toContainText('This session');
    await expect(rows).toHaveCount(3);
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Sign out .*Firefox on Android/ }).press('Enter');
    await expect(rows).toHaveCount(2);
    expect([await phone(), await laptop()]).toEqual([false, true]);
    await page.getByRole('button', { name: 'Sign out all others…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all others' }).click();
    await expect(page.getByText('All other sessions are signed out.')).toBeVisible();
    await expect(rows).toHaveCount(1);
    expect(await laptop()).toBe(false);
  },
);

test('deleting the account needs the current password', IN_SOAK, async ({ page, watch }) => {
  watch.allow(/403 \(Forbidden\)/);
  const { password } = await signInAsNew(page, 'password');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await box(page, 'Type “delete my account” to confirm').fill('delete my account');
  const button = dialog.getByRole('button', { name: 'Delete account' });
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

test(
  'secrets of API keys and webhooks are shown once, and removing empties the lists',
  IN_SOAK,
  async ({ page, request, watch }) => {
    watch.allow(/400 \(Bad Request\)/);
    await signInAsNew(page);
    await page.goto('/settings');
    const weekly = page.getByRole('checkbox', { name: 'Send me a summary every Monday' });
    await weekly.focus();
    await page.keyboard.press('Space');
    await expect(page.getByText('The first email comes next Monday.')).toBeVisible();
    await page.reload();
    await expect(weekly).toBeChecked();
    const sections = page.getByRole('navigation', { name: 'Settings' });
    await sections.getByRole('link', { name: 'API' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeFocused();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expect(box(page, 'Name')).toHaveAccessibleDescription(/Enter a name for the key/);
    await box(page, 'Name').fill('Deploy script');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = page.getByRole('dialog', { name: 'Copy your API key' });
    const key = (await secret.getByText(/^hop_live_\w{38}$/).textContent()) ?? '';
    const ask = () => request.get('/api/v1/me', { headers: { Authorization: `Bearer ${key}` } });
    expect(await (await ask()).json()).toMatchObject({
      key: { name: 'Deploy script', scopes: ['links:read', 'links:write'] },
    });
    await secret.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText(key)).toBeHidden();
    await page.getByRole('button', { name: 'Actions for Deploy script' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await expect(page.getByText('No API keys yet')).toBeVisible();
    expect((await ask()).status()).toBe(401);

    await sections.getByRole('link', { name: 'Webhooks' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeFocused();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await box(page, 'Address').fill('https://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(box(page, 'Address')).toHaveAccessibleDescription(
      /not reachable from the public Internet/,
    );
    await box(page, 'Address').fill('https://hooks.example/in');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText(/^whsec_/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Show deliveries' }).click();
    await expect(page.getByText('Nothing delivered yet')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Actions for hooks.example/in' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await expect(page.getByText('No webhooks yet')).toBeVisible();
  },
);
