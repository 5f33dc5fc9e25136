import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';

function Address() {
  const { pathname, search, hash } = useLocation();
  return <data value={pathname + search + hash} data-testid="address" />;
}

/** Returns the address of the page that `showPage` shows. */
export const addressShown = (): string | null =>
  screen.getByTestId('address').getAttribute('value');

/** Renders a page at `address` with a router and an empty query cache that never retries. */
export function showPage(page: ReactElement, address = '/'): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]}>
        {page}
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

/** Waits for the button and clicks it, even behind an open dialog. */
export async function press(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name, hidden: true }));
}
