import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, useLocation, useParams } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { Link, NavLink } from '#web/ui/link.tsx';
import { PageLink } from './nav.tsx';
import { screenOf } from './pages.ts';
import { paramsOf } from './routes.tsx';
import { loadedScreen } from './screen-loading.ts';

describe('paramsOf', () => {
  it('decodes the parameters of a page, and keeps what cannot be decoded', () => {
    expect(paramsOf('/blog/:slug', '/blog/hello-world')).toEqual({ slug: 'hello-world' });
    expect(paramsOf('/analytics/:code', '/analytics/a%20b')).toEqual({ code: 'a b' });
    expect(paramsOf('/analytics/:code', '/analytics/%E0')).toEqual({ code: '%E0' });
    expect(paramsOf('/pricing', '/pricing')).toEqual({});
  });
});

describe('Link', () => {
  function Address() {
    const { pathname, search, state } = useLocation();
    return <p>{`${pathname}${search} ${JSON.stringify(state)} ${JSON.stringify(useParams())}`}</p>;
  }

  it('opens a page within the application, with its query and state', () => {
    render(
      <MemoryRouter>
        <Link to="/auth?tab=sign-up" state={{ from: 'here' }}>
          Sign up
        </Link>
        <NavLink to="/auth?tab=sign-up" className={({ isActive }) => (isActive ? 'on' : 'off')}>
          Marked
        </NavLink>
        <Address />
      </MemoryRouter>,
    );
    const link = screen.getByText('Sign up');
    expect(link.getAttribute('href')).toBe('/auth?tab=sign-up');
    expect(screen.getByText('Marked').className).toBe('off');
    fireEvent.click(link, { ctrlKey: true });
    expect(screen.getByText(/^\/ null/)).toBeTruthy();
    fireEvent.click(link);
    expect(screen.getByText(/^\/auth\?tab=sign-up \{"from":"here"\}/)).toBeTruthy();
    expect([
      screen.getByText('Marked').className,
      screen.getByText('Marked').getAttribute('aria-current'),
    ]).toEqual(['on', 'page']);
  });
});

describe('PageLink', () => {
  it.each([
    ['the pointer', '/terms', fireEvent.pointerEnter],
    ['the focus', '/about', fireEvent.focus],
  ] as const)('loads the code of its page once %s is on it', async (_, page, reach) => {
    render(
      <MemoryRouter>
        <PageLink to={`${page}?from=here`}>{page}</PageLink>
      </MemoryRouter>,
    );
    const { load } = screenOf(page);
    expect(loadedScreen(load)).toBeNull();
    reach(screen.getByText(page));
    await waitFor(() => expect(loadedScreen(load)).not.toBeNull());
  });
});
