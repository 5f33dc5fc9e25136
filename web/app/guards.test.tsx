import { cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { startSession } from '#web/shared/session/session.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { RequireMember, RequireVisitor } from './guards.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

function CurrentPath() {
  const { pathname, search } = useLocation();
  return <p>at {pathname + search}</p>;
}

/** Opens `address` behind the guard. Every other page shows its path. */
function open(Guard: (props: { children: ReactNode }) => ReactNode, address: string): void {
  const { pathname } = new URL(address, 'https://hop.example');
  const page = (
    <Guard>
      <p>the page</p>
    </Guard>
  );
  render(
    <MemoryRouter initialEntries={[address]}>
      <Routes>
        <Route path={pathname} element={page} />
        <Route path="*" element={<CurrentPath />} />
      </Routes>
    </MemoryRouter>,
  );
}

it.each([RequireMember, RequireVisitor])('%o waits until a sign-in is complete', (Guard) => {
  const { mode } = config.auth;
  config.auth.mode = 'hosted';
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  window.history.replaceState(null, '', '/auth?code=x');
  startSession();
  open(Guard, '/auth');
  expect([screen.queryByText('the page'), screen.queryByText(/^at /)]).toEqual([null, null]);
  expect(screen.getByText('Loading…')).toBeTruthy();
  config.auth.mode = mode;
  window.history.replaceState(null, '', '/');
});

describe('RequireMember', () => {
  it('shows the page to a member', () => {
    signInAsMember();
    open(RequireMember, '/dashboard?q=x');
    expect(screen.getByText('the page')).toBeTruthy();
  });

  it('sends a visitor to the sign-in with the page to return to', () => {
    open(RequireMember, '/dashboard?q=x');
    expect(screen.getByText('at /auth?next=%2Fdashboard%3Fq%3Dx')).toBeTruthy();
  });

  it('sends a member without a password to the page that sets one', () => {
    signInAsMember({ hasPassword: false });
    open(RequireMember, '/settings');
    expect(screen.getByText('at /auth/reset?next=%2Fsettings')).toBeTruthy();
  });
});

describe('RequireVisitor', () => {
  it('shows the page to a visitor', () => {
    open(RequireVisitor, '/auth');
    expect(screen.getByText('the page')).toBeTruthy();
  });

  it('sends a member to the requested page, or to the dashboard', () => {
    signInAsMember();
    open(RequireVisitor, '/auth?next=%2Fsettings');
    expect(screen.getByText('at /settings')).toBeTruthy();
    cleanup();
    open(RequireVisitor, '/auth');
    expect(screen.getByText('at /dashboard')).toBeTruthy();
  });

  it('sends a member without a password to the page that sets one', () => {
    signInAsMember({ hasPassword: false });
    open(RequireVisitor, '/auth?next=%2Fsettings');
    expect(screen.getByText('at /auth/reset?next=%2Fsettings')).toBeTruthy();
  });
});
