import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { config } from '#web/shared/config.ts';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { AuthPage } from './auth-page.tsx';
import { CallbackPage } from './callback-page.tsx';

const before = config.auth;
beforeEach(() => {
  config.auth = { ...before, sso: { name: 'Acme' } };
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  config.auth = before;
});

describe('the sign-in page with a provider', () => {
  it('offers the provider above the form', () => {
    serveRoutes({});
    showPage(<AuthPage />, '/auth');
    expect(screen.getByRole('button', { name: 'Continue with Acme' })).toBeTruthy();
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
      cleanup();
    }
  });

  it.each([
    ['canceled', 'The sign-in with Acme was canceled.'],
    ['failed', 'ask an administrator of this site'],
    ['unavailable', 'We couldn’t reach Acme.'],
  ])('says what to do after %s', (outcome, text) => {
    serveRoutes({});
    showPage(<AuthPage />, `/auth?sso=${outcome}`);
    expect(screen.getByText(text, { exact: false })).toBeTruthy();
  });

  it('shows no text of the address', () => {
    serveRoutes({});
    showPage(<AuthPage />, '/auth?sso=Call%20555&error_description=Call%20555');
    expect(screen.queryByText(/555/)).toBeNull();
  });
});

describe('the page that the provider returns to', () => {
  it('says why it could not sign in, and leads back', async () => {
    serveRoutes({});
    showPage(<CallbackPage />, '/auth/callback?next=%2Fsettings');
    await waitFor(() => expect(screen.getByText(/address is incomplete/)).toBeTruthy());
    expect(screen.getByRole('link', { name: 'Back to sign in' }).getAttribute('href')).toBe(
      '/auth?next=%2Fsettings',
    );
  });
});
