import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { loadPendingSignIn } from '#web/shared/session/pending-sign-in.ts';
import { startSession, useEndedSession } from '#web/shared/session/session.ts';
import { listControls } from '#web/testing/list-controls.ts';
import { press, renderPage, showPage } from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogNotice } from '#web/ui/dialog-notice.ts';
import { Form } from '#web/ui/form.tsx';
import { SessionEnded } from './session-ended.tsx';
import { PageSessionNotice, SessionNotice } from './session-notice.tsx';

const before = config.auth;
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  config.auth = before;
  startSession();
});

it.each([
  ['a password', null, true, [1, 0, 0]],
  ['a password or the provider', { name: 'Acme' }, true, [1, 1, 0]],
  ['the provider', { name: 'Acme' }, false, [0, 1, 0]],
  ['a passkey', { name: 'Acme' }, false, [0, 1, 1]],
])('an ended session is continued with %s', async (way, sso, passwords, expected) => {
  if (way === 'a passkey')
    vi.stubGlobal('PublicKeyCredential', { parseRequestOptionsFromJSON: () => ({}) });
  config.auth = { ...before, sso, passwords };
  signInAsMember();
  showPage(<SessionEnded asking floats={false} />);
  await screen.findByRole('dialog');
  expect([
    screen.queryAllByLabelText('Password', { selector: 'input' }).length,
    screen
      .queryAllByRole<HTMLAnchorElement>('link', { name: 'Continue with Acme in a new tab' })
      .filter(({ target }) => target === '_blank').length,
    screen.queryAllByRole('button', { name: 'Sign in with a passkey' }).length,
  ]).toEqual(expected);
});

it('the sign-in knows who was signed in, and closes although a password is typed', async () => {
  signInAsMember();
  const Ended = () => <SessionEnded asking={useEndedSession() !== 'ended'} floats={false} />;
  showPage(<Ended />);
  const password = await screen.findByLabelText('Password', { selector: 'input' });
  expect(listControls()).toEqual([
    'Email: a@example.com, email, username, readonly',
    'Password:, verbatim, password, current-password',
  ]);
  await waitFor(() => expect(document.activeElement).toBe(password));
  fireEvent.change(password, { target: { value: 'secret' } });
  fireEvent.keyDown(password, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('the page or its topmost dialog says that the session ended, and asks if pressed', async () => {
  const none = () => undefined;
  const page = (hasDialog: boolean) => (
    <DialogNotice value={<SessionNotice />}>
      <PageSessionNotice />
      <Form changed onSubmit={none}>
        <input aria-label="Title" />
      </Form>
      <Dialog open={hasDialog} onClose={none} title="Rename link">
        <Dialog open onClose={none} title="Choose a code">
          <input aria-label="New code" />
        </Dialog>
      </Dialog>
    </DialogNotice>
  );
  signInAsMember();
  const { rerender } = renderPage(page(true));
  const top = await screen.findByRole('dialog', { name: 'Choose a code' });
  const notices = () => screen.queryAllByText(/^Your session has ended\. What you typed/);
  expect(notices()).toEqual([]);
  localStorage.clear();
  act(startSession);
  await waitFor(() => expect(notices()).toHaveLength(1));
  expect(notices()[0]?.closest('[role="dialog"]')).toBe(top);
  rerender(page(false));
  await waitFor(() => expect(notices()[0]?.closest('.fixed')).not.toBeNull());
  expect([notices().length, screen.queryByRole('dialog')]).toEqual([1, null]);
  await press('Sign in again');
  expect(await screen.findByRole('dialog', { name: 'Sign in again' })).toBeTruthy();
});

it('the sign-in of an ended session asks for the second factor, too', async () => {
  signInAsMember();
  showPage(<SessionEnded asking floats={false} />);
  await screen.findByRole('dialog');
  act(() => loadPendingSignIn({ email: 'a@example.com', app_metadata: { pending: true } }));
  expect(await screen.findByLabelText('Code from your authenticator app')).toBeTruthy();
  act(() => loadPendingSignIn(null));
});
