import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { config } from './config.ts';
import { startSession, storageKey, useSession } from './session.ts';

const KEY = storageKey(config.auth.url);
const session = (email: string): string =>
  JSON.stringify({ access_token: 't', expires_at: 1, refresh_token: 'r', user: { id: `id of ${email}`, email } });

function Who() {
  const who = useSession();
  return <p>{who.status === 'member' ? who.email : who.status}</p>;
}

/** What another tab's change of the store does to this one. */
function otherTab(value: string | null): void {
  if (value === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, value);
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: value }));
  });
}

beforeEach(() => vi.stubGlobal('requestIdleCallback', () => 0));
afterEach(() => {
  cleanup();
  otherTab(null);
  vi.unstubAllGlobals();
});

test('a member is shown as one at the first paint, without the sign-in client', () => {
  localStorage.setItem(KEY, session('a@example.com'));
  startSession();
  render(<Who />);
  expect(screen.getByText('a@example.com')).toBeTruthy();
});

test('signing out, in, and as somebody else in another tab shows here', () => {
  localStorage.setItem(KEY, session('a@example.com'));
  startSession();
  render(<Who />);
  otherTab(null);
  expect(screen.getByText('visitor')).toBeTruthy();
  otherTab(session('b@example.com'));
  expect(screen.getByText('b@example.com')).toBeTruthy();
  otherTab(session('c@example.com'));
  expect(screen.getByText('c@example.com')).toBeTruthy();
});
