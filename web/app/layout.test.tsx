import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Link, MemoryRouter, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Layout } from './layout.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function Page({ title }: { title: string }) {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <PageHeading title={title} />
      <p data-testid="address">{pathname + search + hash}</p>
      <p data-testid="state">{JSON.stringify(state)}</p>
      <Link to="/first?q=1">same page</Link>
      <Link to="/second">second page</Link>
      <Link to="/second#caf%C3%A9">café</Link>
      <h2 id="café">Café</h2>
      <button type="button" onClick={() => void navigate(-1)}>
        Back
      </button>
    </>
  );
}

const open = (...addresses: string[]) =>
  render(
    <MemoryRouter initialEntries={addresses} initialIndex={addresses.length - 1}>
      <Layout>
        <Routes>
          <Route path="/second" element={<Page title="Second" />} />
          <Route path="*" element={<Page title="First" />} />
        </Routes>
      </Layout>
    </MemoryRouter>,
  );
const text = (id: string) => screen.getByTestId(id).textContent;

describe('tokens in the address', () => {
  it('moves a mail link on /auth/confirm into the history state', async () => {
    open('/auth/confirm#type=signup&token_hash=abc&next=%2Fsettings');
    await waitFor(() => expect(text('address')).toBe('/auth/confirm'));
    expect(JSON.parse(text('state') ?? '')).toEqual({
      mailLink: { type: 'signup', tokenHash: 'abc', next: '/settings' },
    });
  });

  it.each([
    '/auth/confirm#access_token=x&refresh_token=y',
    '/pricing?a=b#type=signup&token_hash=abc',
    '/#provider_token=x',
  ])('drops the token of %s', async (address) => {
    open(address);
    await waitFor(() => expect(text('address')).toBe(address.split('#')[0]));
    expect(text('state')).toBe('null');
  });

  it('the history has no entry with the token of the address', async () => {
    vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    open('/first', '/pricing#access_token=x');
    await waitFor(() => expect(text('address')).toBe('/pricing'));
    fireEvent.click(screen.getByText('Back'));
    await waitFor(() => expect(text('address')).toBe('/first'));
  });

  it('the router keeps fragments without a token', async () => {
    open('/privacy#clicks');
    await act(async () => undefined);
    expect(text('address')).toBe('/privacy#clicks');
  });
});

it('a page that breaks does not break the next one', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const Broken = () => {
    throw new Error('a bug');
  };
  render(
    <MemoryRouter initialEntries={['/broken']}>
      <Layout>
        <Routes>
          <Route path="/broken" element={<Broken />} />
          <Route path="*" element={<Page title="Fine" />} />
        </Routes>
      </Layout>
      <Link to="/second">elsewhere</Link>
    </MemoryRouter>,
  );
  expect(screen.getByText('Something went wrong')).toBeTruthy();
  fireEvent.click(screen.getByText('elsewhere'));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Fine');
});

describe('scroll', () => {
  it('the Back button returns to where the page was, and a new page starts at its top', () => {
    vi.useFakeTimers();
    const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    open('/first');
    vi.spyOn(window, 'scrollY', 'get').mockReturnValue(420);
    fireEvent.scroll(window);
    fireEvent.click(screen.getByText('second page'));
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 0 });
    scrollTo.mockClear();
    fireEvent.click(screen.getByText('Back'));
    expect(scrollTo.mock.calls).toEqual([[{ top: 420 }]]);
    // Once more when the page has filled, unless the reader has left it by then.
    vi.advanceTimersByTime(120);
    expect(scrollTo.mock.calls).toEqual([[{ top: 420 }], [{ top: 420 }]]);
    for (const name of ['second page', 'Back', 'second page'])
      fireEvent.click(screen.getByText(name));
    scrollTo.mockClear();
    vi.advanceTimersByTime(1_000);
    expect(scrollTo).not.toHaveBeenCalled();
  });

  it('a link to a part of another page shows that part', () => {
    const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    const shown: string[] = [];
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function show(this: Element) {
      shown.push(this.id);
    });
    open('/first');
    fireEvent.click(screen.getByText('café'));
    expect([shown, scrollTo.mock.calls]).toEqual([['café'], []]);
  });
});

describe('focus', () => {
  it('focus moves to the heading on navigation, not on the first page or a new query', () => {
    vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    open('/first');
    const heading = () => screen.getByRole('heading', { level: 1 });
    expect(document.activeElement).toBe(document.body);
    fireEvent.click(screen.getByText('same page'));
    expect(text('address')).toBe('/first?q=1');
    expect(document.activeElement).not.toBe(heading());
    fireEvent.click(screen.getByText('second page'));
    expect(heading().textContent).toBe('Second');
    expect(document.activeElement).toBe(heading());
    expect(window.scrollTo).toHaveBeenCalledWith({ top: 0 });
  });
});
