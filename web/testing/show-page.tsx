import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { MemoryRouter } from 'react-router-dom';

/** Renders a page with a router and an empty query cache that never retries. */
export function showPage(page: ReactElement): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>{page}</MemoryRouter>
    </QueryClientProvider>,
  );
}

/** Waits for the button and clicks it, even behind an open dialog. */
export async function press(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name, hidden: true }));
}
