import { cleanup, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentTitle } from '#contract/pages/page-titles.ts';
import { PLANS } from '#contract/site.ts';
import { config } from '#web/shared/page/config.ts';
import { startSession } from '#web/shared/session/session.ts';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import {
  currentAddress,
  goBack,
  press,
  pressUnanswered,
  showPage,
} from '#web/testing/render-page.tsx';
import { takeToasts, useAnnouncement } from '#web/ui/announcer.ts';
import { AuthPage } from './auth-page.tsx';
import { ResetPage } from './reset-page.tsx';

const AUTH = '/api/auth/v1';
const rejected = (status: number, code: string, message: string) => () =>
  Response.json({ code, message }, { status, headers: { 'X-Supabase-Api-Version': '2024-01-01' } });
const user = {
  id: 'u',
  aud: 'authenticated',
  email: 'ann@example.com',
  app_metadata: { has_password: true },
};
const session = { access_token: 'a.b.c', refresh_token: 'r', expires_in: 3600, user };

afterEach(() => {
  cleanup();
  takeToasts();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

const type = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });
const autocompleteOf = (label: string) =>
  screen.getByLabelText(label, { selector: 'input' }).getAttribute('autocomplete');
const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

it.each([
  ['/auth', 'Welcome back', 'Sign In', 'Sign in'],
  ['/auth?tab=sign-in', 'Welcome back', 'Sign In', 'Sign in'],
  ['/auth?tab=sign-up', 'Create your account', 'Sign Up', 'Sign up'],
  ['/auth?tab=nothing&sso=failed', 'Welcome back', 'Sign In', 'Sign in'],
  ['/auth?tab=forgot', 'Forgot your password?', 'Send link', 'Forgot your password?'],
  ['/auth?tab=resend', 'Confirm your email address', 'Send link', 'Confirm your email address'],
])('%s shows the form “%s”', (address, heading, button, title) => {
  serveRoutes({});
  showPage(<AuthPage />, address);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading);
  expect(screen.getByRole('button', { name: button })).toBeTruthy();
  expect(document.title).toBe(documentTitle(title));
  // Without a provider there is no sign-in that failed there.
  expect(screen.queryByRole('alert')).toBeNull();
});

it('the button is disabled until both fields are filled, and says what is missing', () => {
  serveRoutes({});
  showPage(<AuthPage />, '/auth');
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Sign In' });
  const hint = () =>
    document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent;
  expect([button.disabled, hint()]).toEqual([true, 'Enter your email address and your password.']);
  type('Email', 'ann@example.com');
  expect([button.disabled, hint()]).toEqual([true, 'Enter your password.']);
  type('Password', 'a password');
  expect([button.disabled, hint()]).toEqual([false, undefined]);
  expect(screen.queryByText(/^Enter/)).toBeNull();
  // Browsers suggest passkeys in the first.
  expect(['Email', 'Password'].map(autocompleteOf)).toEqual([
    'username webauthn',
    'current-password',
  ]);
});

it('the rule for a new password is a hint of its field', () => {
  serveRoutes({});
  showPage(<AuthPage />, '/auth?tab=sign-up');
  const field = screen.getByLabelText('Password', { selector: 'input' });
  expect(['Email', 'Password'].map(autocompleteOf)).toEqual(['email', 'new-password']);
  const hint = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(hint?.textContent).toBe(
    'At least 6 characters. Common passwords and your email address are refused.',
  );
  expect(screen.getByText(/links a month for free/).textContent).toMatch(
    new RegExp(`^${PLANS.free.monthlyLimit} links`),
  );
  expect([hrefOf('terms'), hrefOf('privacy policy')]).toEqual(['/terms', '/privacy']);
});

it('the tabs and the links below keep the page that was asked for', async () => {
  serveRoutes({});
  showPage(<AuthPage />, '/before', '/auth?next=%2Fsettings');
  expect(screen.getByRole('tablist', { name: 'Sign in or sign up' })).toBeTruthy();
  expect(hrefOf('Forgot password?')).toBe('/auth?next=%2Fsettings&tab=forgot');
  fireEvent.click(screen.getByRole('tab', { name: 'Sign Up' }));
  await waitFor(() => expect(currentAddress()).toBe('/auth?next=%2Fsettings&tab=sign-up'));
  goBack();
  expect(currentAddress()).toBe('/before');
});

it('a wrong password keeps what was typed and says why', async () => {
  const calls = serveRoutes({
    [`POST ${AUTH}/token`]: rejected(400, 'invalid_credentials', 'Wrong email or password.'),
  });
  showPage(<AuthPage />, '/auth');
  type('Email', ' ann@example.com ');
  type('Password', ' a password ');
  await press('Sign In');
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong email or password.');
  expect(calls[0]?.body).toMatchObject({ email: 'ann@example.com', password: ' a password ' });
  expect(screen.getByDisplayValue('ann@example.com')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Resend confirmation link' })).toBeNull();
  await pressUnanswered('Sign In');
});

it('an unconfirmed address is offered another mail, for the page that was asked for', async () => {
  const calls = serveRoutes({
    [`POST ${AUTH}/token`]: rejected(400, 'email_not_confirmed', 'Confirm your address.'),
    [`POST ${AUTH}/resend`]: {},
  });
  showPage(<AuthPage />, '/auth?next=%2Fsettings');
  type('Email', 'ann@example.com');
  type('Password', 'a password');
  await press('Sign In');
  await press('Resend confirmation link');
  expect(await screen.findByText('Check your email for the confirmation link!')).toBeTruthy();
  expect(calls.at(-1)?.call).toContain(encodeURIComponent('/settings'));
  expect(calls.at(-1)?.body).toMatchObject({ type: 'signup', email: 'ann@example.com' });
});

it.each([
  ['a confirmation', { user }, true],
  ['a session', session, false],
])('a sign-up that is answered with %s', async (_, answer, mails) => {
  const calls = serveRoutes({
    [`POST ${AUTH}/signup`]: answer,
  });
  showPage(<AuthPage />, '/auth?tab=sign-up');
  type('Email', 'ann@example.com');
  type('Password', 'a password');
  await press('Sign Up');
  await waitFor(() => expect(calls.at(-1)?.call).toContain(`POST ${AUTH}/signup`));
  if (mails) expect(await screen.findByText(/We sent it to ann@example\.com/)).toBeTruthy();
  else await waitFor(() => expect(localStorage.length).toBeGreaterThan(0));
  expect(screen.queryAllByText(/confirmation link!/)).toHaveLength(mails ? 1 : 0);
});

it('the code of a mail confirms a sign-up without its link', async () => {
  const refusal = rejected(429, 'over_email_send_rate_limit', 'Wait a minute.');
  const answers = [refusal, () => Response.json({}), refusal];
  const calls = serveRoutes({
    [`POST ${AUTH}/signup`]: { user },
    [`POST ${AUTH}/resend`]: () => answers.shift()?.(),
    [`POST ${AUTH}/verify`]: session,
  });
  const { result: announced } = renderHook(useAnnouncement);
  showPage(<AuthPage />, '/auth?tab=sign-up&next=%2Fsettings');
  type('Email', 'ann@example.com');
  type('Password', 'a password');
  await press('Sign Up');
  await screen.findByText(/confirmation link!/);
  await press('Resend email');
  expect(await screen.findByText('Wait a minute.')).toBeTruthy();
  expect(screen.queryByText(/^No email after a minute/)).toBeNull();
  await press('Resend email');
  await waitFor(() => expect(announced.current).toBe('We sent another email.'));
  expect(screen.getByText('We sent another email.')).toBeTruthy();
  await press('Resend email');
  expect(await screen.findByText('Wait a minute.')).toBeTruthy();
  expect(screen.queryByText('We sent another email.')).toBeNull();
  expect(calls.at(-1)?.call).toMatch(/\/resend\?redirect_to=.*%2Fsettings$/);
  expect(calls.at(-1)?.body).toMatchObject({ type: 'signup', email: 'ann@example.com' });
  type('Or enter the 6-digit code', '12');
  await press('Continue');
  expect(await screen.findByText('Enter all 6 digits of the code.')).toBeTruthy();
  expect(calls.at(-1)?.call).toContain('/resend');
  type('Or enter the 6-digit code', '123 456');
  await press('Continue');
  await waitFor(() => expect(localStorage.length).toBeGreaterThan(0));
  expect(calls.at(-1)).toMatchObject({
    call: `POST ${AUTH}/verify`,
    body: { email: 'ann@example.com', token: '123456', type: 'signup' },
  });
});

it('the code of a recovery mail leads to a new password', async () => {
  const calls = serveRoutes({
    [`POST ${AUTH}/recover`]: {},
    [`POST ${AUTH}/verify`]: session,
    [`PUT ${AUTH}/user`]: user,
  });
  showPage(
    <Routes>
      <Route path="/auth" element={<AuthPage />} />
      <Route path="/auth/reset" element={<ResetPage />} />
      <Route path="*" element={null} />
    </Routes>,
    '/auth?tab=forgot&next=%2Fsettings',
  );
  type('Email', 'ann@example.com');
  await press('Send link');
  fireEvent.click(await screen.findByRole('link', { name: 'Enter the 6-digit code instead' }));
  expect(screen.getByText(/^If ann@example\.com has an account/)).toBeTruthy();
  type('6-digit code', '123456');
  await press('Continue');
  fireEvent.change(await screen.findByLabelText('New password', { selector: 'input' }), {
    target: { value: 'a new password' },
  });
  await press('Save password');
  await waitFor(() => expect(currentAddress()).toBe('/settings'));
  expect(calls.slice(1).map(({ body }) => body)).toMatchObject([
    { email: 'ann@example.com', token: '123456', type: 'recovery' },
    { password: 'a new password' },
  ]);
});

describe('where not everybody may sign up', () => {
  const before = config.auth;
  afterEach(() => {
    config.auth = before;
  });

  it('the page has no tabs and no form for it, if nobody may', () => {
    config.auth = { ...before, signUp: 'closed' };
    showPage(<AuthPage />, '/auth');
    expect(screen.queryByRole('tab')).toBeNull();
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeTruthy();
    cleanup();
    showPage(<AuthPage />, '/auth?tab=sign-up');
    expect(screen.getByText('Sign-up is currently closed.')).toBeTruthy();
    expect(screen.getByText('Ask the people who run this site for an account.')).toBeTruthy();
    expect(hrefOf('Sign in')).toBe('/auth');
    expect(screen.queryByLabelText('Email')).toBeNull();
  });

  it('the tab has only the provider, if only its people may', () => {
    config.auth = { ...before, sso: { name: 'Acme' }, signUp: 'sso' };
    showPage(<AuthPage />, '/auth?tab=sign-up');
    expect(screen.getByRole('button', { name: 'Continue with Acme' })).toBeTruthy();
    expect(screen.queryByLabelText('Email')).toBeNull();
    expect(screen.getByText(/first sign-in there creates your account/)).toBeTruthy();
  });
});

describe('with a hosted project', () => {
  const before = config.auth;
  beforeEach(() => {
    config.auth = { ...before, mode: 'hosted' };
  });
  afterEach(() => {
    config.auth = before;
  });

  it('the page offers the providers of its settings', async () => {
    serveRoutes({ [`GET ${AUTH}/settings`]: { external: { github: true, email: true } } });
    showPage(<AuthPage />, '/auth?next=%2Fsettings');
    const assign = vi.spyOn(window.location, 'assign').mockImplementationOnce(() => {
      throw new Error('Blocked.');
    });
    await press('Continue with GitHub');
    expect((await screen.findByRole('alert')).textContent).toBe('Blocked.');
    assign.mockReturnValue();
    await press('Continue with GitHub');
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(2));
    const { searchParams } = new URL(String(assign.mock.lastCall?.[0]), 'http://localhost');
    expect(searchParams.get('provider')).toBe('github');
    expect(new URL(searchParams.get('redirect_to') ?? '').pathname).toBe('/settings');
    assign.mockRestore();
    expect(screen.getByText('or with your email address')).toBeTruthy();
    expect(screen.getByLabelText('Email')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull();
  });

  it('a sign-up without passwords is the first sign-in at a provider', async () => {
    serveRoutes({ [`GET ${AUTH}/settings`]: { external: { google: true, email: false } } });
    showPage(<AuthPage />, '/auth?tab=sign-up');
    expect(await screen.findByText(/^Your first sign-in there creates/)).toBeTruthy();
    expect(screen.queryByLabelText('Email')).toBeNull();
  });

  it('the page has no form without passwords, and says that sign-up is closed', async () => {
    serveRoutes({
      [`GET ${AUTH}/settings`]: { external: { google: true, email: false }, disable_signup: true },
    });
    showPage(<AuthPage />, '/auth');
    expect(await screen.findByRole('button', { name: 'Continue with Google' })).toBeTruthy();
    expect(screen.queryByText('or with your email address')).toBeNull();
    expect(screen.queryByLabelText('Email')).toBeNull();
    fireEvent.click(screen.getByRole('tab', { name: 'Sign Up' }));
    expect(await screen.findByText('Sign-up is currently closed.')).toBeTruthy();
  });
});

it('the page after a recovery mail says the same for every address', async () => {
  const calls = serveRoutes({ [`POST ${AUTH}/recover`]: {} });
  showPage(<AuthPage />, '/auth?tab=forgot&next=%2Fsettings');
  expect(screen.getByText('We’ll email you a link to choose a new one.')).toBeTruthy();
  type('Email', 'nobody@example.com');
  await press('Send link');
  expect(
    await screen.findByText('If nobody@example.com has an account, we sent it a link.'),
  ).toBeTruthy();
  // The form that had the focus has gone.
  expect(document.activeElement?.textContent).toContain('we sent it a link.');
  expect(document.activeElement?.textContent).toContain('Check your spam folder.');
  expect(screen.queryByRole('link', { name: 'open the mailbox' })).toBeNull();
  expect(hrefOf('Back to sign in')).toBe('/auth?tab=sign-in&next=%2Fsettings');
  config.devMailbox = true;
  await press('Resend email');
  const mailbox = await screen.findByRole('link', { name: 'open the mailbox' });
  config.devMailbox = false;
  expect([mailbox.getAttribute('href'), mailbox.getAttribute('target')]).toEqual([
    '/dev/mailbox',
    '_blank',
  ]);
  await waitFor(() => expect(calls).toHaveLength(2));
  expect((await screen.findAllByText('We sent another email.')).length).toBeGreaterThan(0);
  const [first, second] = calls.map(({ call }) => call);
  expect([first, second]).toEqual([second, expect.stringMatching(/=.*%2Fsettings$/)]);
  await pressUnanswered('Resend email');
});

it.each([
  ['forgot', 'recover'],
  ['resend', 'resend'],
])('a mail of “%s” that could not be sent leaves the form', async (tab, path) => {
  serveRoutes({
    [`POST ${AUTH}/${path}`]: rejected(429, 'over_email_send_rate_limit', 'Wait a minute.'),
  });
  const state = { email: 'ann@example.com' };
  showPage(<AuthPage />, { pathname: '/auth', search: `?tab=${tab}`, state });
  await press('Send link');
  expect((await screen.findByRole('alert')).textContent).toBe('Wait a minute.');
  expect(screen.getByDisplayValue('ann@example.com')).toBeTruthy();
});

it('a visitor without a link cannot choose a password', () => {
  showPage(<ResetPage />, '/auth/reset?next=%2Fsettings');
  expect(screen.queryByLabelText('New password', { selector: 'input' })).toBeNull();
  expect(hrefOf('Send a new link')).toBe('/auth?tab=forgot&next=%2Fsettings');
  expect(screen.getByRole('alert').textContent).toMatch(/^Open the link in your email/);
  cleanup();
  showPage(<ResetPage />, '/auth/reset?error=access_denied');
  expect(screen.getByRole('alert').textContent).toBe('This link was already used or has expired.');
  cleanup();
  const before = config.auth;
  config.auth = { ...before, sso: { name: 'Acme' }, passwords: false };
  showPage(<ResetPage />, '/auth/reset?next=%2Fsettings');
  expect(currentAddress()).toBe('/auth?next=%2Fsettings');
  config.auth = before;
});

it.each([
  [true, 'New password', 'Password changed.'],
  [false, 'Choose a password', 'Password saved.'],
])('a member with a password: %s, chooses one and goes on', async (hasPassword, title, text) => {
  signInAsMember({ hasPassword });
  const calls = serveRoutes({ [`PUT ${AUTH}/user`]: user });
  showPage(<ResetPage />, '/auth/reset?next=%2Fsettings');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
  expect(screen.getByText('For a@example.com.')).toBeTruthy();
  const label = hasPassword ? 'New password' : 'Password';
  const field = screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
  expect([field.name, field.autocomplete]).toEqual(['new-password', 'new-password']);
  type(label, 'a new password');
  await press('Save password');
  await waitFor(() => expect(currentAddress()).toBe('/settings'));
  expect(calls.at(-1)?.body).toMatchObject({ password: 'a new password' });
  expect(takeToasts()).toMatchObject([{ text, note: 'Your other devices are signed out.' }]);
});

it('a password that was refused stays in the form with the reason', async () => {
  signInAsMember();
  serveRoutes({ [`PUT ${AUTH}/user`]: rejected(422, 'weak_password', 'Too common.') });
  showPage(<ResetPage />, '/auth/reset?next=%2Fsettings');
  type('New password', 'password1234');
  await press('Save password');
  expect((await screen.findByRole('alert')).textContent).toBe('Too common.');
  expect(screen.getByDisplayValue('password1234')).toBeTruthy();
  expect(currentAddress()).toBe('/auth/reset?next=%2Fsettings');
  const calls = serveRoutes({
    [`PUT ${AUTH}/user`]: rejected(400, 'current_password_required', 'Prove it.'),
    [`POST ${AUTH}/recover`]: {},
    [`POST ${AUTH}/verify`]: session,
  });
  await press('Save password');
  expect(await screen.findByText(/^To save your password, confirm/)).toBeTruthy();
  await press('Email me a code');
  await screen.findByLabelText('6-digit code');
  // A link of the mail leads to the page that was asked for.
  expect(calls.map(({ call }) => call)).toContainEqual(
    expect.stringMatching(/\/recover\?redirect_to=.*%2Fsettings$/),
  );
  type('6-digit code', '123456');
  await press('Continue');
  expect(await screen.findByDisplayValue('password1234')).toBeTruthy();
});
