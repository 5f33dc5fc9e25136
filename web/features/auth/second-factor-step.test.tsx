import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadPendingSignIn } from '#web/shared/session/pending-sign-in.ts';
import { currentSession, startSession } from '#web/shared/session/session.ts';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { storeSession } from '#web/testing/session.ts';
import { AuthPage } from './auth-page.tsx';

const AUTH = '/api/auth/v1';
const VERIFY = `POST ${AUTH}/factors/f1/verify`;
const rejected = (status: number, code: string, message: string) => () =>
  Response.json({ code, message }, { status, headers: { 'X-Supabase-Api-Version': '2024-01-01' } });
const user = { id: 'u', aud: 'authenticated', email: 'a@example.com', app_metadata: {} };
const session = { access_token: 'a.b.c', refresh_token: 'r', expires_in: 3600, user };

/** A browser that has entered the password, after a reload. */
beforeEach(() => {
  storeSession();
  const [key = ''] = Object.keys(localStorage);
  const stored: { user: object } = JSON.parse(localStorage.getItem(key) ?? '{}');
  const waiting = { ...stored.user, app_metadata: { pending: true }, factors: [{ id: 'f1' }] };
  localStorage.setItem(key, JSON.stringify({ ...stored, user: waiting }));
  startSession();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  loadPendingSignIn(null);
  startSession();
});

const enter = async (label: string, code: string): Promise<void> => {
  fireEvent.change(await screen.findByLabelText(label), { target: { value: code } });
  await press('Sign In');
};
const alert = async () => (await screen.findByRole('alert')).textContent;

it('says that a code is wrong, and that too many were', async () => {
  let answer = rejected(422, 'mfa_verification_failed', 'That code is wrong.');
  const calls = serveRoutes({ [VERIFY]: () => answer() });
  showPage(<AuthPage />, '/auth');
  await enter('Code from your authenticator app', '12');
  expect(await alert()).toBe('Enter all 6 digits of the code.');
  expect(calls).toEqual([]);
  await enter('Code from your authenticator app', '123 456');
  await waitFor(async () => expect(await alert()).toBe('That code is wrong.'));
  const field = screen.getByDisplayValue('123 456');
  fireEvent.change(field, { target: { value: '123 45' } });
  expect(screen.queryByRole('alert')).toBeNull();
  answer = rejected(429, 'over_request_rate_limit', 'Too many wrong codes. Wait 15 minutes.');
  await enter('Code from your authenticator app', '654321');
  await waitFor(async () => expect(await alert()).toBe('Too many wrong codes. Wait 15 minutes.'));
  expect(currentSession().status).toBe('visitor');
  await pressUnanswered('Sign In');
});

it('takes a recovery code in place of the app', async () => {
  let answer: () => Response = rejected(422, 'mfa_verification_failed', 'That code is wrong.');
  const calls = serveRoutes({ [VERIFY]: () => answer() });
  showPage(<AuthPage />, '/auth');
  await press('Use a recovery code');
  await press('Use your authenticator app');
  const appHint = 'Six digits. A new code appears every 30 seconds.';
  expect(await screen.findByRole('textbox', { description: appHint })).toBeTruthy();
  await press('Use a recovery code');
  const hint = 'One of the ten codes that you saved. Each works once.';
  expect(await screen.findByRole('textbox', { description: hint })).toBeTruthy();
  await enter('Recovery code', 'ABCD-EFGH');
  expect(await alert()).toBe('Enter all 16 characters of the code.');
  await enter('Recovery code', 'ABCD-EFGH-IJKL-AAAA');
  await waitFor(async () => expect(await alert()).toBe('That code is wrong.'));
  const field = screen.getByLabelText('Recovery code');
  fireEvent.change(field, { target: { value: 'ABCD' } });
  expect(screen.queryByRole('alert')).toBeNull();
  answer = () => Response.json(session);
  await enter('Recovery code', 'ABCD-EFGH-IJKL-MNOP');
  await waitFor(() => expect(currentSession().status).toBe('member'));
  expect(calls.at(-1)?.body).toMatchObject({ code: 'ABCD-EFGH-IJKL-MNOP' });
});

it('requests a reset only after saying that it takes 24 hours', async () => {
  let answer = () => Response.json({ msg: 'Try again in a moment.' }, { status: 429 });
  const calls = serveRoutes({ [`POST ${AUTH}/factors/reset`]: () => answer() });
  const sent = vi.spyOn(globalThis, 'fetch');
  showPage(<AuthPage />, '/auth');
  await press('I have no code');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByText(/after a wait of 24 hours/)).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Sign in without a code');
  await press('Back');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Enter your code');
  await press('I have no code');
  expect(calls).toEqual([]);
  await press('Start the 24 hours');
  expect(await alert()).toBe('Try again in a moment.');
  answer = () => Response.json({ ready_at: '2026-12-01T10:00:00.000Z' });
  await press('Start the 24 hours');
  expect(await screen.findByText('We sent an email to a@example.com.')).toBeTruthy();
  expect(
    screen.getByText(
      /^You can close this page\. After Dec 1, 2026.* we email you the link that turns the code off\.$/,
    ),
  ).toBeTruthy();
  // The token of a sign-in that waits for its code. Pages treat this person as a visitor and see no
  // token.
  expect(
    sent.mock.calls.map(([, init]) => new Headers(init?.headers).get('authorization')),
  ).toEqual(['Bearer t', 'Bearer t']);
  cleanup();
  showPage(<AuthPage />, '/auth');
  await press('I have no code');
  await pressUnanswered('Start the 24 hours');
});

it('offers a passkey where the browser has them', async () => {
  serveRoutes({
    [`POST ${AUTH}/passkeys/authentication/options`]: rejected(403, 'x', 'Not here.'),
  });
  showPage(<AuthPage />, '/auth');
  await screen.findByLabelText('Code from your authenticator app');
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  cleanup();
  vi.stubGlobal('PublicKeyCredential', { parseRequestOptionsFromJSON: () => ({}) });
  const nothing = async () => null;
  const value = { create: nothing, get: nothing };
  Object.defineProperty(navigator, 'credentials', { configurable: true, value });
  showPage(<AuthPage />, '/auth');
  await press('Use a passkey');
  expect(await alert()).toBe('Not here.');
});

it('goes back to the forms for another account', async () => {
  serveRoutes({ [`POST ${AUTH}/logout`]: () => new Response(null, { status: 204 }) });
  showPage(<AuthPage />, '/auth');
  await press('Use another account');
  expect(await screen.findByLabelText('Email')).toBeTruthy();
});
