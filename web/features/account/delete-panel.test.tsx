import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { authClient, currentSession } from '#web/shared/session/session.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { currentAddress, press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { DeletePanel } from './delete-panel.tsx';

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
  config.auth.mode = 'embedded';
});

/**
 * Responds to DELETE /api/account, and to the sign-out that follows with 204. Returns the request
 * bodies.
 */
function answerWith(status: number, answer: object): unknown[] {
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (path: unknown, init: RequestInit = {}) => {
    if (path !== '/api/account') return new Response(null, { status: 204 });
    bodies.push(typeof init.body === 'string' ? JSON.parse(init.body) : null);
    return Response.json(answer, { status });
  });
  return bodies;
}

async function fillIn(): Promise<HTMLElement> {
  showPage(<DeletePanel email="a@example.com" />, '/settings');
  await press('Delete account…');
  const password = await screen.findByLabelText('Current password');
  fireEvent.change(password, { target: { value: 'a password' } });
  const confirm = screen.getByLabelText('Type “delete my account” to confirm');
  fireEvent.change(confirm, { target: { value: 'delete my account' } });
  return password;
}

describe('DeletePanel', () => {
  it('keeps the links of a deleted account unless the member chooses otherwise', async () => {
    const bodies = answerWith(200, { success: true });
    showPage(<DeletePanel email="a@example.com" />);
    for (const closing of ['Close', 'Cancel']) {
      await press('Delete account…');
      await press(closing);
      await waitFor(() => expect(screen.queryByLabelText('Current password')).toBeNull());
    }
    cleanup();
    await fillIn();
    await press('Delete account');
    await waitFor(() => expect(bodies).toMatchObject([{ links: 'keep' }]));
  });

  it('deletes the links of a deleted account if the member chooses that', async () => {
    const bodies = answerWith(200, { success: true });
    await fillIn();
    const question = screen.getByRole('group', { name: 'What happens to your links?' });
    expect([...question.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
      'They still redirect, without an owner. Nobody can edit them.',
      'They show a “gone” page. Nobody else can use their codes.',
    ]);
    fireEvent.click(screen.getByLabelText('Delete the links'));
    await press('Delete account');
    await waitFor(() => expect(bodies).toMatchObject([{ links: 'remove' }]));
  });

  it('a sign-out that fails afterwards leaves nobody on the page of a deleted account', async () => {
    answerWith(200, { success: true });
    const signedOut = vi.spyOn((await authClient()).auth, 'signOut');
    signedOut.mockRejectedValueOnce(new Error('The lock was stolen.'));
    await fillIn();
    await press('Delete account');
    await waitFor(() => expect(currentAddress()).toBe('/'));
    expect(takeToasts()).toMatchObject([{ text: 'Your account has been deleted.' }]);
    signedOut.mockRestore();
  });

  it('deletes only after the phrase and the password, and then signs out here', async () => {
    answerWith(200, { success: true });
    const password = await fillIn();
    const phrase = screen.getByLabelText('Type “delete my account” to confirm');
    const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Delete account' });
    const submitWith = (field: HTMLElement, value: string): void => {
      fireEvent.change(field, { target: { value } });
      fireEvent.click(submit());
    };
    submitWith(phrase, 'delete');
    expect(screen.getByRole('alert').textContent).toBe('Type “delete my account”.');
    await waitFor(() => expect(document.activeElement).toBe(phrase));
    fireEvent.change(password, { target: { value: '' } });
    submitWith(phrase, ' Delete my ACCOUNT ');
    expect(screen.getByRole('alert').textContent).toBe('Enter your current password.');
    submitWith(password, 'a password');
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([{ text: 'Your account has been deleted.' }]),
    );
    await waitFor(() => expect(currentAddress()).toBe('/'));
    expect(localStorage.length).toBe(0);
  });

  it('a hosted sign-in service asks for a new sign-in in place of the password', async () => {
    config.auth.mode = 'hosted';
    const code = 'reauthentication_required';
    const bodies = answerWith(403, { error: 'Sign in again first.', code });
    showPage(<DeletePanel email="a@example.com" />, '/settings');
    await press('Delete account…');
    const confirm = await screen.findByLabelText('Type “delete my account” to confirm');
    fireEvent.change(confirm, { target: { value: 'delete my account' } });
    expect(screen.queryByLabelText('Current password')).toBeNull();
    await press('Delete account');
    expect((await screen.findByRole('alert')).textContent).toContain('Sign in again first.');
    expect(bodies).toEqual([{ confirm: 'delete my account', links: 'keep' }]);
    await press('Sign in again');
    await waitFor(() => expect(currentSession().status).toBe('visitor'));
  });

  it('shows each error of the server beside its field, which gets the focus', async () => {
    answerWith(400, { error: 'The password is wrong.', field: 'currentPassword' });
    const password = await fillIn();
    await press('Delete account');
    expect((await screen.findByRole('alert')).textContent).toBe('The password is wrong.');
    expect(document.activeElement).toBe(password);
    expect(password.getAttribute('aria-invalid')).toBe('true');
    answerWith(400, { error: 'Type it again.', field: 'confirm' });
    await press('Delete account');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Type it again.'));
    expect(password.getAttribute('aria-invalid')).toBeNull();
    answerWith(503, { error: 'Not now.' });
    await press('Delete account');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Not now.'));
    await pressUnanswered('Delete account');
  });
});
