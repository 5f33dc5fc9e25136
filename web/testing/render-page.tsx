import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useEffect, type ReactElement } from 'react';
import { MemoryRouter, useLocation, useNavigate, type MemoryRouterProps } from 'react-router-dom';
import { expect, vi } from 'vitest';

let address = '';
let state: unknown = null;
let back = (): void => undefined;

/** Makes the address of the shown page known to the test. */
function History() {
  const { pathname, search, hash, state: entry } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    address = pathname + search + hash;
    state = entry;
    back = () => void navigate(-1);
  }, [pathname, search, hash, entry, navigate]);
  return null;
}

/** Returns the address of the page that `showPage` shows. */
export const currentAddress = (): string => address;
/** Returns what a reload of that page keeps beside its address. */
export const currentState = (): unknown => state;
export const goBack = (): void => act(() => back());

type Addresses = NonNullable<MemoryRouterProps['initialEntries']>;

/**
 * Renders a page with a router and an empty query cache that never retries. The last of the
 * `addresses` is the page's, the others are those visited before.
 */
export function renderPage(
  page: ReactElement,
  addresses: Addresses = ['/'],
): { rerender: (page: ReactElement) => void; client: QueryClient } {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, retryDelay: 0 } },
  });
  const wrap = (content: ReactElement) => (
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={addresses} initialIndex={addresses.length - 1}>
        <History />
        {content}
      </MemoryRouter>
    </QueryClientProvider>
  );
  const { rerender } = render(wrap(page));
  return { rerender: (next) => rerender(wrap(next)), client };
}

/** Like `renderPage`, for a test that needs nothing of the page but what it shows. */
export const showPage = (page: ReactElement, ...addresses: Addresses): void =>
  void renderPage(page, addresses.length > 0 ? addresses : ['/']);

/** The texts of the paragraphs, without those of a column beside the page. */
export const paragraphs = (): string[] =>
  [...document.querySelectorAll('p')]
    .filter((paragraph) => paragraph.closest('aside, [data-state]') === null)
    .map(({ textContent }) => textContent);

/** Waits for the button and clicks it, even behind an open dialog. */
export async function press(name: string | RegExp): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name, hidden: true }));
}

/** Presses a button of the open dialog, which the page behind it may have, too. */
export function pressInDialog(name: string): void {
  const dialog = within(screen.getByRole('dialog', { hidden: true }));
  fireEvent.click(dialog.getByRole('button', { name, hidden: true }));
}

/** Presses a button whose request gets no answer, and waits until it is busy. */
export async function pressUnanswered(name: string | RegExp): Promise<void> {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const button = await screen.findByRole('button', { name, hidden: true });
  fireEvent.click(button);
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  vi.stubGlobal('fetch', fetch);
}

/** Opens the menu of a button and chooses an item. */
export async function choose(menu: string | RegExp, item: string): Promise<void> {
  await press(menu);
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
}
