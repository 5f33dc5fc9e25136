import { cleanup, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { startSession, storageKey } from '#web/shared/session/session.ts';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import {
  currentAddress,
  currentState,
  goBack,
  press,
  pressUnanswered,
  showPage,
} from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { useAnnouncement } from '#web/ui/announcer.ts';
import { AuthPage } from './auth-page.tsx';
import { CallbackPage } from './callback-page.tsx';

const AUTH = '/api/auth/v1';
const before = config.auth;
beforeEach(() => {
  config.auth = { ...before, sso: { name: 'Acme' } };
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
  config.auth = before;
});

describe('the sign-in page with a provider', () => {
  it('offers the provider above the form', () => {
    vi.stubGlobal('PublicKeyCredential', { parseRequestOptionsFromJSON: () => ({}) });
    serveRoutes({});
    showPage(<AuthPage />, '/auth');
    const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent);
    expect(buttons.slice(0, 2)).toEqual(['Sign in with a passkey', 'Continue with Acme']);
    expect(screen.getByLabelText('Email')).toBeTruthy();
  });

  it('the page has nothing else where passwords are off, whatever the address asks for', () => {
    config.auth = { ...config.auth, passwords: false };
    serveRoutes({});
    for (const address of ['/auth', '/auth?tab=sign-up', '/auth?tab=forgot']) {
      showPage(<AuthPage />, address);
      expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
        'Continue with Acme',
      ]);
      expect(screen.queryByLabelText('Email')).toBeNull();
      expect(screen.queryByText('or with your email address')).toBeNull();
      cleanup();
    }
  });

  it.each([
    [undefined, 'Create your account', 1],
    ['closed', 'Welcome back', 0],
  ] as const)('says what a sign-up at the provider does while SIGN_UP is %s', (rule, title, n) => {
    config.auth = { ...config.auth, passwords: false, ...(rule && { signUp: rule }) };
    serveRoutes({});
    showPage(<AuthPage />, '/auth?tab=sign-up');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
    expect(screen.queryAllByText(/first sign-in there creates your account/)).toHaveLength(n);
  });

  it.each([
    ['canceled', 'The sign-in with Acme was canceled.'],
    ['expired', 'its page was opened twice'],
    ['failed', 'ask an administrator of this site'],
    ['unavailable', 'We couldn’t reach Acme.'],
    ['stays', 'You are still signed in there'],
  ])('says what to do after %s', (outcome, text) => {
    serveRoutes({});
    showPage(<AuthPage />, `/auth?sso=${outcome}`);
    expect(screen.getByText(text, { exact: false })).toBeTruthy();
  });

  it('shows no text of the address', () => {
    serveRoutes({});
    showPage(<AuthPage />, '/auth?sso=Call%20555&error=555&error_description=Call%20555');
    expect(screen.queryByText(/555/)).toBeNull();
    expect(screen.getByText('This link was already used or has expired.')).toBeTruthy();
  });
});

const user = { id: 'u', aud: 'authenticated', email: 'a@example.com', app_metadata: {} };

describe('the page that the provider returns to', () => {
  it('says why it could not sign in, and leads back', async () => {
    serveRoutes({});
    const { result: announced } = renderHook(useAnnouncement);
    showPage(<CallbackPage />, '/auth/callback?mailbox=missing&next=%2Fsettings');
    await waitFor(() => expect(screen.getByText(/address is incomplete/)).toBeTruthy());
    expect(announced.current).toMatch(/^This address is incomplete/);
    expect(screen.getByRole('link', { name: 'Back to sign in' }).getAttribute('href')).toBe(
      '/auth?next=%2Fsettings',
    );
  });

  it.each([
    ['', 'Signing you in', 'token'],
    ['&connect=1&mailbox=missing', 'Connecting', 'user/identities'],
  ])('sends the code of “%s” once, and opens the next page', async (query, title, path) => {
    signInAsMember();
    localStorage.setItem(`${storageKey(config.auth.url)}-code-verifier`, '"our verifier"');
    const requests = serveRoutes({
      [`POST ${AUTH}/${path}`]: {
        access_token: 'a.b.c',
        refresh_token: 'r',
        expires_in: 3600,
        user,
      },
    });
    const pages = (
      <StrictMode>
        <Routes>
          <Route path="/auth/callback" element={<CallbackPage />} />
          <Route path="*" element={null} />
        </Routes>
      </StrictMode>
    );
    showPage(pages, '/before', `/auth/callback?code=once&next=%2Fsettings${query}`);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
    await waitFor(() => expect(currentAddress()).toBe('/settings'));
    expect(requests.filter(({ call }) => call.includes(path))).toHaveLength(1);
    goBack();
    expect(currentAddress()).toBe('/before');
  });

  it('asks for an address and the code mailed to it before it signs in', async () => {
    const { result: announced } = renderHook(useAnnouncement);
    localStorage.setItem(`${storageKey(config.auth.url)}-code-verifier`, '"our verifier"');
    const requests = serveRoutes({
      [`POST ${AUTH}/callback/mailbox`]: {},
      [`POST ${AUTH}/callback/mailbox/verify`]: {},
      [`POST ${AUTH}/token`]: Response.json(
        { code: 403, error_code: 'provider_refused', msg: 'You have no account here.' },
        { status: 403 },
      ),
    });
    showPage(
      <CallbackPage />,
      '/auth/callback?code=once&mailbox=unverified#email=ann%40acme.example',
    );
    expect(screen.getByText(/Acme has not verified your email address/)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ann@acme.example');
    fireEvent.click(screen.getByRole('button', { name: 'Email me a code' }));
    const code = await screen.findByLabelText('6-digit code');
    expect(currentState()).toEqual({ sentTo: 'ann@acme.example' });
    expect(currentAddress()).toMatch(/#email=ann%40acme\.example$/);
    expect(announced.current).toBe('We sent a code to ann@acme.example.');
    expect(screen.getByText(/^We sent a code to/).textContent).toMatch(/works for 10 minutes\.$/);
    expect(document.activeElement?.contains(code)).toBe(true);
    fireEvent.change(code, {
      target: { value: '123 456' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(screen.getByText('You have no account here.')).toBeTruthy());
    const proof = { auth_code: 'once', code_verifier: 'our verifier' };
    expect(requests.slice(0, 2)).toEqual([
      { call: `POST ${AUTH}/callback/mailbox`, body: { ...proof, email: 'ann@acme.example' } },
      { call: `POST ${AUTH}/callback/mailbox/verify`, body: { ...proof, token: '123456' } },
    ]);
  });

  it('sends another code to the same address after the browser has reloaded the page', async () => {
    localStorage.setItem(`${storageKey(config.auth.url)}-code-verifier`, '"our verifier"');
    const busy = Response.json({ error_code: 'x', msg: 'Wait a minute.' }, { status: 429 });
    const refusals = [busy];
    const requests = serveRoutes({
      [`POST ${AUTH}/callback/mailbox`]: () => refusals.pop() ?? Response.json({}),
    });
    showPage(<CallbackPage />, {
      pathname: '/auth/callback',
      search: '?code=once&mailbox=missing',
      state: { sentTo: 'ann@acme.example' },
    });
    await press('Send another code');
    expect(await screen.findByText('Wait a minute.')).toBeTruthy();
    await press('Send another code');
    await waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[1]?.body).toMatchObject({ email: 'ann@acme.example' });
    await waitFor(() => expect(screen.queryByText('Wait a minute.')).toBeNull());
    await pressUnanswered('Send another code');
    await press('Use another address');
    expect(await screen.findByRole('button', { name: 'Email me a code' })).toBeTruthy();
    expect(currentState()).toEqual({ sentTo: '' });
  });

  it('says what to do without the verifier of this browser, or without a session', async () => {
    serveRoutes({
      [`POST ${AUTH}/user/identities`]: Response.json(
        { code: 401, error_code: 'no_authorization', msg: 'A bearer token' },
        { status: 401 },
      ),
    });
    showPage(<CallbackPage />, '/auth/callback?code=once');
    expect(await screen.findByText(/began in another browser/)).toBeTruthy();
    cleanup();
    showPage(<CallbackPage />, '/auth/callback?code=twice&connect=1');
    expect(await screen.findByText(/You are signed out/)).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Not connected');
    expect(screen.getByRole('link', { name: 'Back to Settings' }).getAttribute('href')).toBe(
      '/settings',
    );
  });

  it('says that the sign-in began in another browser', async () => {
    const requests = serveRoutes({});
    showPage(<CallbackPage />, '/auth/callback?code=once&mailbox=exists#email=ann%40acme.example');
    expect(screen.getByText(/already has an account here/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Email me a code' }));
    expect(await screen.findByText(/began in another browser/)).toBeTruthy();
    expect(requests).toEqual([]);
  });

  it('keeps the form when the mailed code is wrong, and goes back to the address', async () => {
    localStorage.setItem(`${storageKey(config.auth.url)}-code-verifier`, '"our verifier"');
    serveRoutes({
      [`POST ${AUTH}/callback/mailbox`]: {},
      [`POST ${AUTH}/callback/mailbox/verify`]: Response.json(
        { code: 403, error_code: 'otp_expired', msg: 'Token has expired or is invalid' },
        { status: 403 },
      ),
    });
    showPage(<CallbackPage />, '/auth/callback?code=once&mailbox=missing');
    expect(screen.getByText(/^Acme sent no email address/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to sign in' }).getAttribute('href')).toBe(
      '/auth?next=%2Fdashboard',
    );
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ann@acme.example' } });
    fireEvent.click(screen.getByRole('button', { name: 'Email me a code' }));
    fireEvent.change(await screen.findByLabelText('6-digit code'), { target: { value: '000000' } });
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText(/This code is wrong or has expired/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Use another address' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe(
      'ann@acme.example',
    );
  });
});
