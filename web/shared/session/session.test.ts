import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signInAsMember } from '#web/testing/session.ts';
import { config } from '#web/shared/page/config.ts';
import {
  accessToken,
  authClient,
  currentSession,
  hasAuthCode,
  onSessionChange,
  readStoredSession,
  signOut,
  signOutEverywhere,
  startSession,
  storageKey,
} from './session.ts';

describe('storageKey', () => {
  it('returns the key that the sign-in client uses', () => {
    expect(storageKey('http://localhost:8787/api')).toBe('sb-localhost-auth-token');
    expect(storageKey('https://abcdefgh.supabase.co')).toBe('sb-abcdefgh-auth-token');
  });
});

describe('readStoredSession', () => {
  const store = (text: string) => localStorage.setItem(storageKey(config.auth.url), text);

  afterEach(() => localStorage.clear());

  const stored = {
    access_token: 't',
    expires_at: 1,
    refresh_token: 'r',
    user: { id: 'u', email: 'a@b.co' },
  };

  it('reads a stored session', () => {
    store(JSON.stringify(stored));
    expect(readStoredSession()).toMatchObject({
      access_token: 't',
      expires_at: 1,
      user: { id: 'u', email: 'a@b.co' },
    });
  });

  it('returns null where nothing is stored', () => {
    expect(readStoredSession()).toBeNull();
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '"x"',
    '{"access_token":"t"}',
    JSON.stringify({ ...stored, user: null }),
    JSON.stringify({ ...stored, expires_at: '1' }),
    JSON.stringify({ ...stored, access_token: 1 }),
  ])('returns null for %s', (text) => {
    store(text);
    expect(readStoredSession()).toBeNull();
  });
});

describe('hasAuthCode', () => {
  it('returns true only for a hosted service, on the pages of the sign-in', () => {
    expect(hasAuthCode({ pathname: '/auth', search: '?next=%2F&code=x' }, 'hosted')).toBe(true);
    expect(hasAuthCode({ pathname: '/auth/reset', search: '?code=x' }, 'hosted')).toBe(true);
    expect(hasAuthCode({ pathname: '/auth', search: '?code=x' }, 'embedded')).toBe(false);
    expect(hasAuthCode({ pathname: '/report', search: '?code=x' }, 'hosted')).toBe(false);
    expect(hasAuthCode({ pathname: '/authors', search: '?code=x' }, 'hosted')).toBe(false);
    expect(hasAuthCode({ pathname: '/auth', search: '?next=%2F' }, 'hosted')).toBe(false);
  });
});

describe('with a stored session', () => {
  const NOW = Date.parse('2026-11-21T10:00:00Z');
  let refreshes = 0;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    refreshes = 0;
    vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
      const url = input instanceof Request ? input.url : String(input);
      if (!url.includes('grant_type=refresh_token')) return new Response(null, { status: 500 });
      refreshes += 1;
      const user = { id: 'id of u', email: 'u', app_metadata: {} };
      return Response.json({
        access_token: 'new',
        refresh_token: 'r2',
        token_type: 'bearer',
        expires_in: 3600,
        user,
      });
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    localStorage.clear();
    startSession();
  });

  it('uses the access token while it has more than 90 seconds left', async () => {
    signInAsMember({ accessToken: 'old', expiresInSeconds: 91, email: 'u' });
    expect(await accessToken()).toBe('old');
    expect(refreshes).toBe(0);
  });

  it.each([89, 1, -10])(
    'refreshes an access token with %s seconds left',
    async (expiresInSeconds) => {
      signInAsMember({ accessToken: 'old', expiresInSeconds, email: 'u' });
      expect(await accessToken()).toBe('new');
      expect(refreshes).toBe(1);
    },
  );

  it('a visitor has no access token', async () => {
    localStorage.clear();
    expect(await accessToken()).toBeNull();
    expect(refreshes).toBe(0);
  });

  it('notifies listeners only if the user changes', () => {
    signInAsMember({ email: 'u' });
    const listener = vi.fn();
    const stop = onSessionChange(listener);
    startSession();
    expect(listener).not.toHaveBeenCalled();
    signInAsMember({ email: 'v' });
    expect(listener).toHaveBeenCalledTimes(1);
    expect(currentSession()).toEqual({
      status: 'member',
      id: 'id of v',
      email: 'v',
      needsPassword: false,
    });
    stop();
    localStorage.clear();
    startSession();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a sign-out', signOut],
    ['a sign-out everywhere', signOutEverywhere],
  ])('deletes the import that the browser has stored at %s', async (_name, leave) => {
    signInAsMember({ email: 'u' });
    const deleteDatabase = vi.fn();
    vi.stubGlobal('indexedDB', { deleteDatabase });
    vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
    await leave();
    expect(currentSession().status).toBe('visitor');
    expect(deleteDatabase).toHaveBeenCalledWith('hop-import');
  });

  it.each([
    ['ends without a session', false],
    ['fails', true],
  ])('a hosted service’s link signs in until the exchange of its code %s', async (_, fails) => {
    const { mode } = config.auth;
    const asked = vi.spyOn((await authClient()).auth, 'getSession');
    if (fails) asked.mockRejectedValueOnce(new Error('The lock was stolen.'));
    config.auth.mode = 'hosted';
    window.history.replaceState(null, '', '/auth?code=x');
    startSession();
    expect(currentSession()).toEqual({ status: 'signing-in' });
    await waitFor(() => expect(currentSession()).toEqual({ status: 'visitor' }));
    asked.mockRestore();
    config.auth.mode = mode;
    window.history.replaceState(null, '', '/');
  });

  it('an ended session keeps the stored import until somebody else signs in', () => {
    signInAsMember({ email: 'u' });
    const deleteDatabase = vi.fn();
    vi.stubGlobal('indexedDB', { deleteDatabase });
    localStorage.removeItem(storageKey(config.auth.url));
    startSession();
    expect(currentSession().status).toBe('visitor');
    signInAsMember({ email: 'u' });
    expect(deleteDatabase).not.toHaveBeenCalled();
    localStorage.removeItem(storageKey(config.auth.url));
    startSession();
    signInAsMember({ email: 'v' });
    expect(deleteDatabase.mock.calls).toEqual([['hop-import']]);
  });

  it('a sign-out leaves neither the account’s id nor its import in the browser', async () => {
    vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
    signInAsMember({ email: 'u' });
    expect(localStorage.getItem('hop-import-owner')).toBe('id of u');
    localStorage.setItem('hop-import-columns', '{}');
    await signOut();
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it.each([
    [{ has_password: false }, true],
    [{ has_password: false, sso: true }, false],
    [{ has_password: false, passkey: true }, false],
    [{}, false],
  ])('a member with %o has to choose a password: %s', (facts, needsPassword) => {
    const user = { id: 'u', app_metadata: facts };
    localStorage.setItem(
      storageKey(config.auth.url),
      JSON.stringify({ access_token: 't', expires_at: 1, user }),
    );
    startSession();
    expect(currentSession()).toMatchObject({ needsPassword });
  });

  it('a sign-out everywhere that the service does not confirm changes nothing here', async () => {
    signInAsMember({ email: 'u' });
    const deleteDatabase = vi.fn();
    vi.stubGlobal('indexedDB', { deleteDatabase });
    await expect(signOutEverywhere()).rejects.toBeTruthy();
    expect(currentSession().status).toBe('member');
    expect(deleteDatabase).not.toHaveBeenCalled();
  });

  it.each([
    ['a sign-out', signOut, 'local'],
    ['a sign-out everywhere', signOutEverywhere, 'global'],
  ])('%s ends what it says', async (_name, leave, scope) => {
    const scopes: (string | null)[] = [];
    vi.stubGlobal('fetch', async (input: string) => {
      scopes.push(new URL(input).searchParams.get('scope'));
      return new Response(null, { status: 204 });
    });
    signInAsMember({ email: 'u' });
    await leave();
    expect(scopes).toEqual([scope]);
  });
});

it('a sign-in client that could not be made is made again', async () => {
  vi.resetModules();
  const { config: own } = await import('#web/shared/page/config.ts');
  const session = await import('./session.ts');
  const { url } = own.auth;
  own.auth.url = '';
  await expect(session.authClient()).rejects.toThrow('supabaseUrl is required');
  own.auth.url = url;
  expect((await session.authClient()).auth).toBeTruthy();
});
