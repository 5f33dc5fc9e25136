import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { respondWith } from '#web/testing/respond-with.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { press, showPage } from '#web/testing/show-page.tsx';
import { DeletePanel } from './delete-panel.tsx';

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

/** Opens the dialog, proves who is there, deletes the account, and returns what was sent. */
async function deleteAccount(choose?: string): Promise<unknown> {
  const sent = respondWith([200, { success: true }]);
  showPage(<DeletePanel email="a@example.com" />);
  await press('Delete account…');
  fireEvent.change(await screen.findByLabelText('Current password'), {
    target: { value: 'a password' },
  });
  fireEvent.change(screen.getByLabelText('Type “delete my account” to confirm'), {
    target: { value: 'delete my account' },
  });
  if (choose !== undefined) fireEvent.click(screen.getByLabelText(choose));
  await press('Delete account');
  await waitFor(() => expect(sent).toHaveBeenCalled());
  const body = sent.mock.calls[0]?.[1]?.body;
  return JSON.parse(typeof body === 'string' ? body : 'null');
}

describe('DeletePanel', () => {
  it('keeps the links of a deleted account unless the member chooses otherwise', async () => {
    expect(await deleteAccount()).toMatchObject({ links: 'keep' });
  });

  it('deletes the links of a deleted account if the member chooses that', async () => {
    expect(await deleteAccount('Delete the links')).toMatchObject({ links: 'remove' });
  });

  it('shows an error of the server beside its field and focuses the field', async () => {
    respondWith([400, { error: 'The password is wrong.', field: 'current_password' }]);
    showPage(<DeletePanel email="a@example.com" />);
    await press('Delete account…');
    const field = await screen.findByLabelText('Current password');
    fireEvent.change(field, { target: { value: 'wrong' } });
    const confirm = screen.getByLabelText('Type “delete my account” to confirm');
    fireEvent.change(confirm, { target: { value: 'delete my account' } });
    confirm.focus();
    await press('Delete account');
    expect((await screen.findByRole('alert')).textContent).toBe('The password is wrong.');
    expect(document.activeElement).toBe(field);
    expect(field.getAttribute('aria-invalid')).toBe('true');
  });
});
