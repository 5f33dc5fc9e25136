import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { typeInto } from '#web/testing/describe-forms.ts';
import { rejection, serve } from '#web/testing/fake-server.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { RotateDialog, SecretDialog } from './secret-dialogs.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe('dialogs of secrets', () => {
  it('the focus starts at the button that copies the secret', async () => {
    const secret = { title: 'Your key', hint: 'Copy it.', secret: 'hop_x', label: 'Copy key' };
    showPage(<SecretDialog {...secret} onClose={() => undefined} />);
    const copy = await screen.findByRole('button', { name: /^Copy key/ });
    await waitFor(() => expect(document.activeElement).toBe(copy));
  });

  it('a secret is replaced after a code of the second factor, with the chosen overlap', async () => {
    signInAsMember();
    const asks = rejection(403, 'Enter a code.', { code: 'second_factor_required' });
    const requests = serve(({ path }) => (path === '/api/keys/k/rotate' ? asks : []));
    const dialog = { path: '/api/keys/k', title: 'Rotate?', action: 'Rotate', reloads: [] };
    const none = () => undefined;
    showPage(
      <RotateDialog {...dialog} onDone={none} onClose={none}>
        The old one stops.
      </RotateDialog>,
    );
    await typeInto('Present secret', '0');
    await press('Rotate');
    expect(await screen.findByLabelText('Code from your authenticator app')).toBeTruthy();
    expect(requests[0]).toBe('POST /api/keys/k/rotate {"overlapHours":0}');
  });
});
