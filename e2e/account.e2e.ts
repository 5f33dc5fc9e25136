import { logOut, openAccountMenu } from './support/account-menu.ts';
import { expectAccessible } from './support/axe.ts';
import { query } from './support/database.ts';
import { delayResponses } from './support/delay-responses.ts';
import { newAlias } from './support/links.ts';
import { mailTo } from './support/mailbox.ts';
import { newEmail, signInAsNew } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

test(
  'a new member confirms the email and creates a link with an alias',
  IN_SOAK,
  async ({ page, request }) => {
    const email = newEmail();
    const alias = newAlias();
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign Up' }).first().click();
    const button = page.getByRole('tabpanel').getByRole('button', { name: 'Sign Up' });
    await expect(button).toBeDisabled();
    await page.getByLabel('Email').fill(email);
    await expect(button).toBeDisabled();
    await page.getByPlaceholder('Create a password (min. 6 characters)').fill('correct horse');
    await button.click();
    await expect(page.getByText('Check your email for the confirmation link!')).toBeVisible();
    await expectAccessible(page);

    const mail = await mailTo(request, email);
    expect(mail.text).toContain(mail.link);
    await page.goto(mail.link);
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await expect(page).toHaveURL('/dashboard');
    const menu = await openAccountMenu(page);
    await expect(menu.getByText(email)).toBeVisible();
    await expect(menu.getByRole('menuitem', { name: 'Settings' })).toHaveAttribute(
      'href',
      '/settings',
    );
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: /^Account of / })).toBeFocused();
    await expect(page.getByText('No URLs yet')).toBeVisible();

    const loadMembersPart = await delayResponses(page, '**/home-member-*.js');
    await page.getByRole('link', { name: /home page$/ }).click();
    await page.getByLabel('Destination').fill('https://example.com/spring');
    const field = page.getByLabel('Alias (optional)');
    // Characters that an alias cannot contain are removed while typing.
    await field.pressSequentially(`${alias} !ä`);
    await expect(field).toHaveValue(alias);
    await page.getByRole('button', { name: 'Shorten URL' }).click();
    await expect(page.getByRole('region', { name: 'Your short URL' })).toContainText(alias);
    // The plan counts a link that was created before the members' part of the page loaded.
    loadMembersPart();
    const plan = page.getByRole('region', { name: 'Your subscription' });
    await expect(plan).toContainText('1 of 25');

    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'My URLs' })
      .click();
    await expect(page.getByRole('region', { name: 'Your links' })).toContainText(alias);
    expect(
      query(
        'SELECT l.is_alias FROM links l JOIN users u ON u.id = l.user_id WHERE u.email = ?',
        email,
      ),
    ).toEqual([{ is_alias: 1 }]);
  },
);

test(
  'a mailed link sets a new password, and the old one no longer works',
  IN_SOAK,
  async ({ page, request, watch }) => {
    watch.allow(/400 \(Bad Request\)/);
    const { email } = await signInAsNew(page);
    // signInAsNew signed this tab in, but somebody who forgot the password is signed out.
    await page.goto('/');
    await logOut(page);
    await page.goto('/auth');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText('Check your email for the link to a new password.')).toBeVisible();
    const mail = await mailTo(request, email, 2);
    await page.goto(mail.link);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('textbox', { name: 'New password' }).fill('battery staple');
    await page.getByRole('button', { name: 'Save password' }).click();
    await expect(page).toHaveURL('/dashboard');
    await logOut(page);
    await page.goto('/auth');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByText('Invalid login credentials')).toBeVisible();
    await page.getByRole('textbox', { name: 'Password' }).fill('battery staple');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page).toHaveURL('/dashboard');
  },
);

test(
  'signing up with an address that has an account leads to signing in',
  IN_SOAK,
  async ({ page, request }) => {
    const { email, password } = await signInAsNew(page);
    await page.goto('/');
    await logOut(page);
    await page.goto('/auth?tab=sign-up&next=%2Fsettings');
    await page.getByLabel('Email').fill(email);
    await page.getByPlaceholder('Create a password (min. 6 characters)').fill('another one');
    await page.getByRole('tabpanel').getByRole('button', { name: 'Sign Up' }).click();
    await expect(page.getByText('Check your email for the confirmation link!')).toBeVisible();
    const mail = await mailTo(request, email, 2);
    expect(mail.subject).toBe('You already have a Hop account');
    await page.goto(/https?:\S+tab=forgot\S*/.exec(mail.text)?.[0] ?? '');
    await expect(
      page.getByRole('heading', { level: 1, name: 'Forgot your password?' }),
    ).toBeVisible();
    await page.goto(mail.link);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/settings');
  },
);

test('signing out in one tab signs out the other', IN_SOAK, async ({ page, context }) => {
  await signInAsNew(page);
  await page.goto('/dashboard');
  const other = await context.newPage();
  await other.goto('/dashboard');
  await expect(other.getByRole('heading', { level: 1, name: 'My URLs' })).toBeVisible();
  await logOut(page);
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect(other).toHaveURL(/\/auth/);
});

test(
  'a visitor signs in and returns to the page; a member is sent from /auth home',
  IN_SOAK,
  async ({ page }) => {
    const { email, password } = await signInAsNew(page);
    await page.goto('/');
    await logOut(page);
    await page.goto('/dashboard?q=x');
    await expect(page).toHaveURL(`/auth?next=${encodeURIComponent('/dashboard?q=x')}`);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/dashboard?q=x');
    await page.goto('/auth');
    await expect(page).toHaveURL('/dashboard');
    await page.goto('/auth?next=https://evil.example/');
    await expect(page).toHaveURL('/dashboard');
  },
);

test('an invalid email and a short password are reported at their fields', async ({ page }) => {
  await page.goto('/auth?tab=sign-up');
  await page.getByLabel('Email').fill('not an address');
  await page.getByPlaceholder('Create a password (min. 6 characters)').fill('12345');
  await page.getByRole('tabpanel').getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/.{10,}/);
  await expect(
    page.getByPlaceholder('Create a password (min. 6 characters)'),
  ).toHaveAccessibleDescription(/6 characters/);
  await expect(page.getByLabel('Email')).toBeFocused();
  // An invalid field is also red while it has the focus.
  const colours = () =>
    page.getByLabel('Email').evaluate((element) => {
      const { outlineColor, borderColor } = getComputedStyle(element);
      return outlineColor === borderColor ? 'equal' : `${outlineColor} around ${borderColor}`;
    });
  await expect.poll(colours).toBe('equal');
});
