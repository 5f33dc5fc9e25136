import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { accessToken, authClient, startSession, storageKey } from '#web/shared/session/session.ts';
import { RequireVisitor } from './guards.tsx';

const KEY = storageKey(config.auth.url);
const LATER = Math.floor(Date.now() / 1000) + 3600;
const encode = (value: object): string => btoa(JSON.stringify(value)).replaceAll('=', '');
const tokenOf = (email: string): string =>
  `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode({ sub: email, email, exp: LATER, iat: LATER - 3600 })}.${'x'.repeat(86)}`;
const userOf = (email: string) => ({
  id: `id of ${email}`,
  aud: 'authenticated',
  email,
  app_metadata: {},
  user_metadata: {},
});

function CurrentPath() {
  const { pathname, search } = useLocation();
  return <p>at {pathname + search}</p>;
}

beforeEach(() => {
  localStorage.setItem(
    KEY,
    JSON.stringify({
      access_token: tokenOf('victim@example.com'),
      refresh_token: 'r',
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: LATER,
      user: userOf('victim@example.com'),
    }),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

describe('attacks on the sign-in', () => {
  it.each(['/promo', '/promo+', '/api/auth/v1/verify', '/robots.txt', '//evil.example/dashboard'])(
    '[A1] the sign-in does not open %s afterward',
    (next) => {
      startSession();
      render(
        <MemoryRouter initialEntries={[`/auth?next=${encodeURIComponent(next)}`]}>
          <Routes>
            <Route
              path="/auth"
              element={
                <RequireVisitor>
                  <p>the sign-in</p>
                </RequireVisitor>
              }
            />
            <Route path="*" element={<CurrentPath />} />
          </Routes>
        </MemoryRouter>,
      );
      expect(screen.getByText(/^at /).textContent).toBe('at /dashboard');
    },
  );

  it('[A5] tokens in the address do not replace a member’s session', async () => {
    const fetchMock = vi.fn(async (input: RequestInfo | URL) => {
      const url = input instanceof Request ? input.url : String(input);
      return Response.json(url.endsWith('/user') ? userOf('attacker@example.com') : {});
    });
    vi.stubGlobal('fetch', fetchMock);
    const forged = new URLSearchParams({
      access_token: tokenOf('attacker@example.com'),
      refresh_token: 'forged',
      expires_in: '3600',
      expires_at: String(LATER),
      token_type: 'bearer',
      type: 'signup',
    });
    window.history.replaceState(null, '', `/#${forged.toString()}`);
    await act(async () => {
      startSession();
      await (await authClient()).auth.getSession();
    });
    await waitFor(() => expect(localStorage.getItem(KEY)).not.toBeNull());
    expect(JSON.parse(localStorage.getItem(KEY) ?? '{}')).toMatchObject({
      user: { email: 'victim@example.com' },
    });
    expect(await accessToken()).toBe(tokenOf('victim@example.com'));
    expect(fetchMock).not.toHaveBeenCalled();
  });
});
