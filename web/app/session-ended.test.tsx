import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { startSession, useEndedSession } from '#web/shared/session/session.ts';
import { listControls } from '#web/testing/list-controls.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { SessionEnded } from './session-ended.tsx';

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
  fireEvent.change(password, { target: { value: 'secret' } });
  fireEvent.keyDown(password, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
