import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { DeletePanel } from './delete-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { ProviderPanel } from './provider-panel.tsx';

const IDENTITIES = '/api/auth/v1/user/identities';
const identity = { email: 'ann@acme.example', connected_at: '2026-11-20T12:00:00.000Z' };
const before = config.auth;
beforeEach(() => {
  config.auth = { ...before, sso: { name: 'Acme' } };
});
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
  config.auth = before;
});
const showPanel = () => showPage(<ProviderPanel name="Acme" email="a@example.com" />);

describe('ProviderPanel', () => {
  it('connects after the current password', async () => {
    signInAsMember();
    const refusals = [
      { error_code: 'current_password_invalid', msg: 'That is not your current password.' },
      { error_code: 'unexpected_failure', msg: 'Not now.' },
    ];
    const calls = serveRoutes({
      [`GET ${IDENTITIES}`]: { identity: null, can_disconnect: true },
      [`POST ${IDENTITIES}/authorize`]: () => Response.json(refusals.shift(), { status: 400 }),
    });
    showPanel();
    fireEvent.change(await screen.findByLabelText('Current password'), {
      target: { value: 'a guess' },
    });
    await press('Connect Acme');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'That is not your current password.',
    );
    expect(writesOf(calls)).toMatchObject([{ body: { current_password: 'a guess' } }]);
    const field = screen.getByLabelText('Current password');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await press('Connect Acme');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Not now.'));
    expect(field.getAttribute('aria-invalid')).toBeNull();
  });

  it('leads to the provider, and keeps in the tab what proves that it began here', async () => {
    signInAsMember();
    const url = 'https://acme.example/authorize';
    const calls = serveRoutes({
      [`GET ${IDENTITIES}`]: { identity: null, can_disconnect: true },
      [`POST ${IDENTITIES}/authorize`]: { url },
    });
    const assign = vi.spyOn(window.location, 'assign').mockReturnValue();
    showPanel();
    fireEvent.change(await screen.findByLabelText('Current password'), {
      target: { value: 'secret' },
    });
    await press('Connect Acme');
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(url));
    const verifier = new TextEncoder().encode(sessionStorage.getItem('hop-connect-verifier') ?? '');
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', verifier));
    const base64 = btoa(String.fromCharCode(...digest)).replace('=', '');
    const challenge = base64.replaceAll('+', '-').replaceAll('/', '_');
    expect(writesOf(calls)[0]?.body).toEqual({
      code_challenge: challenge,
      current_password: 'secret',
    });
    sessionStorage.clear();
  });

  it('offers a code by email in place of the password only where there are passwords', async () => {
    signInAsMember();
    serveRoutes({ [`GET ${IDENTITIES}`]: { identity: null, can_disconnect: true } });
    for (const passwords of [true, false]) {
      config.auth = { ...config.auth, passwords };
      showPanel();
      await screen.findByLabelText('Current password');
      const offer = screen.queryByRole('button', { name: 'Forgot password?' });
      expect(offer !== null, `passwords: ${passwords}`).toBe(passwords);
      cleanup();
    }
  });

  it('disconnects where another way in remains', async () => {
    let isConnected = true;
    const refusals = [{ error_code: 'unexpected_failure', msg: 'Not now.' }];
    signInAsMember();
    const calls = serveRoutes({
      [`GET ${IDENTITIES}`]: () => ({
        identity: isConnected ? identity : null,
        can_disconnect: true,
      }),
      [`DELETE ${IDENTITIES}`]: () => {
        const refusal = refusals.pop();
        if (refusal !== undefined) return Response.json(refusal, { status: 503 });
        isConnected = false;
        return new Response(null, { status: 204 });
      },
    });
    showPanel();
    await screen.findByText('Connected as ann@acme.example on Nov 20, 2026.');
    await press('Disconnect Acme');
    expect((await screen.findByRole('alert')).textContent).toBe('Not now.');
    await press('Disconnect Acme');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Acme is disconnected.' }]));
    expect(await screen.findByRole('button', { name: 'Connect Acme' })).toBeTruthy();
    expect(writesOf(calls)).toHaveLength(2);
    fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'x' } });
    await pressUnanswered('Connect Acme');
    cleanup();
    isConnected = true;
    showPanel();
    await screen.findByRole('button', { name: 'Disconnect Acme' });
    await pressUnanswered('Disconnect Acme');
  });

  it('says why a provider stays connected', async () => {
    signInAsMember({ hasPassword: false, atProvider: 1 });
    const unnamed = { ...identity, email: '' };
    serveRoutes({ [`GET ${IDENTITIES}`]: { identity: unnamed, can_disconnect: false } });
    showPanel();
    await screen.findByText(/stays connected, because it is your way in/);
    expect(screen.getByText('Connected on Nov 20, 2026.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Disconnect Acme' })).toBeNull();
  });
});

describe('a member without a password', () => {
  const openDelete = async (minutes: number): Promise<void> => {
    config.auth = { ...config.auth, passwords: false };
    signInAsMember({ hasPassword: false, atProvider: minutes });
    showPage(<DeletePanel email="a@example.com" />);
    await press('Delete account…');
  };

  it('signs in at the provider again before the account is deleted', async () => {
    serveRoutes({});
    await openDelete(11);
    expect(await screen.findByRole('button', { name: 'Continue with Acme' })).toBeTruthy();
    expect(screen.queryByLabelText('Current password')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull();
    const assign = vi.spyOn(window.location, 'assign').mockReturnValue();
    await press('Continue with Acme');
    await waitFor(() => expect(assign).toHaveBeenCalledOnce());
    const { searchParams } = new URL(String(assign.mock.lastCall?.[0]), 'http://localhost');
    expect(new URL(searchParams.get('redirect_to') ?? '').pathname).toBe('/settings');
    assign.mockRestore();
  });

  it('signs in at the provider again before it is connected', async () => {
    signInAsMember({ hasPassword: false, atProvider: 11 });
    serveRoutes({ [`GET ${IDENTITIES}`]: { identity: null, can_disconnect: true } });
    showPanel();
    expect(await screen.findByRole('button', { name: 'Continue with Acme' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Connect Acme' })).toBeNull();
  });

  it('deletes the account after a recent sign-in at the provider', async () => {
    const calls = serveRoutes({ 'DELETE /api/account': { success: true } });
    await openDelete(1);
    expect(await screen.findByText(/just signed in with Acme/)).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Type “delete my account” to confirm'), {
      target: { value: 'delete my account' },
    });
    await press('Delete account');
    await waitFor(() => expect(writesOf(calls)[0]?.call).toBe('DELETE /api/account'));
    expect(writesOf(calls)[0]?.body).toEqual({ confirm: 'delete my account', links: 'keep' });
  });

  it('signs in again if the server finds the sign-in too old', async () => {
    const answer = { error: 'Enter your current password.', field: 'currentPassword' };
    serveRoutes({ 'DELETE /api/account': () => Response.json(answer, { status: 400 }) });
    await openDelete(1);
    fireEvent.change(await screen.findByLabelText('Type “delete my account” to confirm'), {
      target: { value: 'delete my account' },
    });
    await press('Delete account');
    expect(await screen.findByRole('button', { name: 'Continue with Acme' })).toBeTruthy();
  });

  it('signs in again if the sign-in service finds it too old', async () => {
    signInAsMember({ hasPassword: false, atProvider: 1 });
    const answer = { code: 400, error_code: 'current_password_invalid', msg: 'Enter it.' };
    serveRoutes({ 'PUT /api/auth/v1/user': () => Response.json(answer, { status: 400 }) });
    showPage(<PasswordPanel email="a@example.com" />);
    fireEvent.change(screen.getByLabelText('New password', { selector: 'input' }), {
      target: { value: 'a long enough one' },
    });
    await press('Change password');
    expect(await screen.findByRole('button', { name: 'Continue with Acme' })).toBeTruthy();
  });

  it('chooses a first password without a current one', () => {
    signInAsMember({ hasPassword: false, atProvider: 1 });
    serveRoutes({});
    showPage(<PasswordPanel email="a@example.com" />);
    expect(screen.getByLabelText('New password', { selector: 'input' })).toBeTruthy();
    expect(screen.queryByLabelText('Current password', { selector: 'input' })).toBeNull();
  });
});
