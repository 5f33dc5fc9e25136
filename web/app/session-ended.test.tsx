import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { config } from '#web/shared/config.ts';
import { startSession } from '#web/shared/session.ts';
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
  ['a password', null, true, [1, 0]],
  ['a password or the provider', { name: 'Acme' }, true, [1, 1]],
  ['the provider', { name: 'Acme' }, false, [0, 1]],
])('an ended session is continued with %s', async (_, sso, passwords, expected) => {
  config.auth = { ...before, sso, passwords };
  signInAsMember();
  showPage(<SessionEnded asking floats={false} />);
  await screen.findByRole('dialog');
  expect([
    screen.queryAllByLabelText('Password', { selector: 'input' }).length,
    screen.queryAllByRole('link', { name: 'Continue with Acme in a new tab' }).length,
  ]).toEqual(expected);
});
