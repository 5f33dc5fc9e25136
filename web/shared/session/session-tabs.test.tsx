import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signInAsMember, storeSession } from '#web/testing/session.ts';
import { config } from '#web/shared/page/config.ts';
import { startSession, storageKey, useSession } from './session.ts';

const KEY = storageKey(config.auth.url);

function CurrentUser() {
  const session = useSession();
  return <p>{session.status === 'member' ? session.email : session.status}</p>;
}

function changeInOtherTab(change: () => void, key: string | null = KEY): void {
  change();
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: localStorage.getItem(KEY) }));
  });
}

beforeEach(() => signInAsMember({ email: 'a@example.com' }));
afterEach(() => {
  cleanup();
  changeInOtherTab(() => localStorage.clear());
  vi.unstubAllGlobals();
});

describe('session', () => {
  it('the sign-in client of a member loads after five seconds, and renews an old token', async () => {
    vi.useFakeTimers();
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url.replace(/^.*\/auth\/v1/, ''));
      return Response.json({}, { status: 400 });
    });
    storeSession({ expiresInSeconds: 60 });
    startSession();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    const renewed = () => expect(asked).toEqual(['/token?grant_type=refresh_token']);
    await vi.waitFor(renewed, { timeout: 60_000 });
    vi.useRealTimers();
  });

  it('the session is known at the first paint, without the sign-in client', () => {
    render(<CurrentUser />);
    expect(screen.getByText('a@example.com')).toBeTruthy();
  });

  it('follows sign-ins and sign-outs in other tabs', () => {
    render(<CurrentUser />);
    changeInOtherTab(() => localStorage.removeItem(KEY));
    expect(screen.getByText('visitor')).toBeTruthy();
    changeInOtherTab(() => storeSession({ email: 'b@example.com' }));
    expect(screen.getByText('b@example.com')).toBeTruthy();
    changeInOtherTab(() => storeSession({ email: 'c@example.com' }));
    expect(screen.getByText('c@example.com')).toBeTruthy();
    changeInOtherTab(() => localStorage.clear(), null);
    expect(screen.getByText('visitor')).toBeTruthy();
  });

  it('ignores changes of other keys', () => {
    render(<CurrentUser />);
    changeInOtherTab(() => storeSession({ email: 'b@example.com' }), 'hop-theme');
    expect(screen.getByText('a@example.com')).toBeTruthy();
  });
});
