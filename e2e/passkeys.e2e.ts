import type { CDPSession, Page } from '@playwright/test';
import { appCode } from '#worker/testing/app-code.ts';
import { logOut } from './support/account-menu.ts';
import { expectAccessible } from './support/axe.ts';
import { execute } from './support/database.ts';
import { pressByTab } from './support/keyboard.ts';
import { mailTo } from './support/mailbox.ts';
import { signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

/** Chromium's authenticator in software, which verifies its user. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  });
  // A touch for a button would also answer the suggestions of the address field.
  let suggests = false;
  await page.exposeFunction('hopSuggests', () => suggests);
  await page.addInitScript(() => {
    if ('PublicKeyCredential' in window)
      Reflect.set(
        PublicKeyCredential,
        'isConditionalMediationAvailable',
        Reflect.get(window, 'hopSuggests'),
      );
  });
  const touchFor = async (ask: () => Promise<unknown>): Promise<void> => {
    await setPresence(cdp, authenticatorId, true);
    await ask();
  };
  return {
    /** Touches the authenticator while `ask` is on the page. */
    touchFor,
    /**
     * Touches it while `open` opens a page that suggests passkeys. The page may ask for them after
     * it has loaded, so they are suggested until the rest.
     */
    async touchSuggestion(open: () => Promise<unknown>): Promise<void> {
      suggests = true;
      await touchFor(open);
    },
    async rest(): Promise<void> {
      suggests = false;
      await setPresence(cdp, authenticatorId, false);
    },
    /** Replaces the passkey by a copy from before its last uses. */
    async copyFromBefore(): Promise<void> {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
      for (const credential of credentials)
        await cdp.send('WebAuthn.addCredential', {
          authenticatorId,
          credential: { ...credential, signCount: 0 },
        });
    },
  };
}

type Authenticator = Awaited<ReturnType<typeof addAuthenticator>>;

const setPresence = (cdp: CDPSession, authenticatorId: string, enabled: boolean) =>
  cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });

/** Adds a passkey on the page Settings of an account with this password. */
async function addPasskey(page: Page, authenticator: Authenticator, password: string) {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Add a passkey…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Current password' }).fill(password);
  await expectAccessible(page);
  await authenticator.touchFor(() => page.getByRole('button', { name: 'Create passkey' }).click());
  await expect(page.getByText('Passkey added. You can now sign in with it.')).toBeVisible();
  await authenticator.rest();
}

test('a passkey is added, signs in, and works no more once removed', async ({
  page,
  request,
  watch,
}) => {
  watch.allow(/403 \(Forbidden\)/);
  const authenticator = await addAuthenticator(page);
  const { email, password } = await signInAsNew(page, 'password');
  const button = (name: string) => page.getByRole('button', { name });
  await addPasskey(page, authenticator, password);
  await expect(page.getByText(/On a device or in its password manager/)).toBeVisible();
  expect((await mailTo(request, email, 2)).subject).toContain('A passkey was added');
  await expectAccessible(page);

  // The browser's dialog, and no address.
  await logOut(page);
  await page.goto('/auth?next=/settings/sessions');
  await expectAccessible(page);
  await authenticator.touchFor(() => button('Sign in with a passkey').click());
  await expect(page).toHaveURL('/settings/sessions');
  await expect(page.getByText(/with a passkey/)).toBeVisible();
  await authenticator.rest();

  // The browser's suggestion for the field.
  await logOut(page);
  await authenticator.touchSuggestion(() => page.goto('/auth?next=/settings'));
  await expect(page).toHaveURL('/settings');
  await expect(page.getByText('You have just used a passkey').first()).toBeVisible();
  await authenticator.rest();

  await page.getByRole('button', { name: /^Remove / }).click();
  await button('Remove passkey').click();
  await expect(page.getByText('Passkey removed.')).toBeVisible();
  await logOut(page);
  await page.goto('/auth');
  await authenticator.touchFor(() => button('Sign in with a passkey').click());
  await expect(page.getByText('We don’t know this passkey.')).toBeVisible();
  await expectAccessible(page);
});

test(
  'a passkey proves who a member with a password is, and its copy is refused',
  IN_SOAK,
  async ({ page, watch }) => {
    watch.allow(/40[03] \((Bad Request|Forbidden)\)/);
    const authenticator = await addAuthenticator(page);
    const { password } = await signInAsNew(page, 'password');
    await addPasskey(page, authenticator, password);
    await page.getByRole('textbox', { name: 'New password' }).fill('battery staple');
    await authenticator.touchFor(() =>
      page.getByRole('button', { name: 'Use a passkey instead' }).click(),
    );
    await expect(page.getByText('You have just used a passkey')).toBeVisible();
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Password changed.')).toBeVisible();
    await authenticator.rest();

    await authenticator.copyFromBefore();
    await logOut(page);
    await page.goto('/auth');
    await authenticator.touchFor(() =>
      page.getByRole('button', { name: 'Sign in with a passkey' }).click(),
    );
    await expect(page.getByText('This passkey may have been copied.')).toBeVisible();
  },
);

test(
  'a passkey is a second factor: at sign-in, and in place of a code that is too old',
  IN_SOAK,
  async ({ page, watch }) => {
    watch.allow(/403 \(Forbidden\)/);
    const authenticator = await addAuthenticator(page);
    const { id, email, password, headers } = await signInAsNew(page, 'password');
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await page.goto('/settings');
    await pressByTab(page, /^Add a passkey…$/);
    await expect(page.getByRole('textbox', { name: 'Current password' })).toBeFocused();
    await page.keyboard.type(password);
    await authenticator.touchFor(() => page.keyboard.press('Enter'));
    await expect(page.getByText('Passkey added. You can now sign in with it.')).toBeVisible();
    await authenticator.rest();
    const factors = '/api/auth/v1/factors';
    const data = { factor_type: 'totp', current_password: password };
    const begun = await page.request.post(factors, { headers, data });
    const { id: factor, totp } = await begun.json();
    const code = { code: appCode(totp.secret) };
    const on = await page.request.post(`${factors}/${factor}/verify`, { headers, data: code });
    expect(on.status()).toBe(200);

    await logOut(page);
    await page.goto('/auth?next=/settings/api');
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
    await authenticator.touchFor(() => pressByTab(page, /^Use a passkey$/));
    await expect(page).toHaveURL('/settings/api');
    await authenticator.rest();

    // As if the sign-in were older than ten minutes.
    const old = JSON.stringify([
      { method: 'totp', timestamp: 1 },
      { method: 'password', timestamp: 1 },
    ]);
    await execute('update auth_sessions set amr = ? where user_id = ?', old, id);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Deploy script');
    await page.keyboard.press('Enter');
    await expect(question).toBeVisible();
    await expectAccessible(page);
    await authenticator.touchFor(() => pressByTab(page, /^Use a passkey$/));
    await expect(page.getByText('This is the only time we show the key')).toBeVisible();
    await expect(question).toBeHidden();
  },
);
