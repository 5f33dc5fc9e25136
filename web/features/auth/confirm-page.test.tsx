import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#web/shared/session.ts';
import { ConfirmPage } from './confirm-page.tsx';

/** What the sign-in service answers, by the end of its path; and what it was asked. */
let answers: Record<string, () => Response>;
let asked: { path: string; body: unknown }[];

beforeEach(() => {
  asked = [];
  answers = {};
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const path = new URL(input instanceof Request ? input.url : String(input)).pathname.replace('/api/auth/v1', '');
    asked.push({ path, body: JSON.parse(typeof init?.body === 'string' ? init.body : 'null') });
    const answer = answers[path];
    if (answer === undefined) throw new TypeError('Failed to fetch');
    return answer();
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  // Reads the emptied storage: a visitor again.
  startSession();
});

const facts =
  (type: string, keeps = true) =>
  () =>
    Response.json({ type, email: 'ann@example.com', keeps_password: keeps });
const refused = (status: number, code: string) => () =>
  Response.json({ code, message: 'No.' }, { status, headers: { 'X-Supabase-Api-Version': '2024-01-01' } });
const session = (hasPassword: boolean) => () =>
  Response.json({
    access_token: 'a.b.c',
    refresh_token: 'r',
    token_type: 'bearer',
    expires_in: 3600,
    user: { id: 'u', email: 'ann@example.com', app_metadata: { has_password: hasPassword } },
  });

function Where() {
  const { pathname, search } = useLocation();
  return <p>at {pathname + search}</p>;
}
const open = (hash: string) =>
  render(
    <MemoryRouter initialEntries={[`/auth/confirm${hash}`]}>
      <ConfirmPage />
      <Where />
    </MemoryRouter>,
  );
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const SIGN_UP = '#type=signup&token_hash=abc&next=%2Fsettings';

test('a sign-up link says whose it is, and is used by the press alone', async () => {
  localStorage.setItem('hop-sign-up-secret', 's'.repeat(43));
  answers = { '/verify/describe': facts('signup'), '/verify': session(true) };
  open(SIGN_UP);
  await heading('Confirm your email address');
  expect(screen.getByText('For ann@example.com.')).toBeTruthy();
  const link = { type: 'signup', token_hash: 'abc', sign_up_secret: 's'.repeat(43) };
  expect(asked).toEqual([{ path: '/verify/describe', body: link }]);
  fireEvent.click(screen.getByRole('button', { name: 'Confirm and sign in' }));
  await screen.findByText('at /settings');
  expect(asked.at(-1)).toMatchObject({ path: '/verify', body: link });
  expect(localStorage.getItem('hop-sign-up-secret')).toBeNull();
});

test('where the password is not kept, choosing one is next', async () => {
  answers = { '/verify/describe': facts('signup', false), '/verify': session(false) };
  open(SIGN_UP);
  await screen.findByText(/Then you choose a password/);
  fireEvent.click(screen.getByRole('button', { name: 'Confirm and sign in' }));
  await screen.findByText('at /auth/reset?next=%2Fsettings');
});

test('a recovery link leads to the new password, and carries no sign-up secret', async () => {
  localStorage.setItem('hop-sign-up-secret', 's'.repeat(43));
  answers = { '/verify/describe': facts('recovery'), '/verify': session(true) };
  open('#type=recovery&token_hash=abc');
  await heading('Choose a new password');
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText('at /auth/reset?next=%2Fdashboard');
  expect(asked.at(-1)?.body).toMatchObject({ type: 'recovery', token_hash: 'abc' });
  expect(JSON.stringify(asked)).not.toContain('sign_up_secret');
  expect(localStorage.getItem('hop-sign-up-secret')).not.toBeNull();
});

test('the link of a notice says that it ends every session', async () => {
  answers = { '/verify/describe': facts('secure') };
  open('#type=recovery&token_hash=abc');
  await heading('Someone changed your password?');
  expect(screen.getByText(/signs out every device/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Sign out everywhere and continue' })).toBeTruthy();
});

test('a used link says so, at the visit and at the press, with the ways on', async () => {
  answers = { '/verify/describe': refused(403, 'otp_expired') };
  open(SIGN_UP);
  await heading('This link no longer works');
  expect(screen.getByRole('link', { name: 'Send a new link' }).getAttribute('href')).toBe('/auth?tab=resend&next=%2Fsettings');
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/auth?next=%2Fsettings');
  cleanup();

  answers = { '/verify/describe': facts('recovery'), '/verify': refused(403, 'otp_expired') };
  open('#type=recovery&token_hash=abc');
  fireEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  await heading('This link no longer works');
  expect(screen.getByRole('link', { name: 'Send a new link' }).getAttribute('href')).toContain('tab=forgot');
});

test('without an answer the link is not called dead, and may be tried again', async () => {
  for (const failing of [
    {},
    { '/verify/describe': refused(429, 'over_request_rate_limit') },
    { '/verify/describe': refused(503, 'x') },
  ]) {
    answers = failing;
    open(SIGN_UP);
    const retry = await screen.findByRole('button', { name: 'Retry' });
    answers = { '/verify/describe': facts('signup') };
    fireEvent.click(retry);
    await heading('Confirm your email address');
    cleanup();
  }
});

test('a refusal at the press is shown, and the page stays', async () => {
  answers = { '/verify/describe': facts('signup'), '/verify': refused(400, 'user_banned') };
  open(SIGN_UP);
  fireEvent.click(await screen.findByRole('button', { name: 'Confirm and sign in' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('No.'));
  expect(screen.getByText('at /auth/confirm')).toBeTruthy();
});

test.each(['', '#type=signup', '#type=magic&token_hash=abc', '#access_token=x'])('%s is an incomplete link', async (hash) => {
  open(hash);
  await heading('This link is incomplete');
  expect(asked).toEqual([]);
});
