import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RecentLinks } from './recent-links.tsx';

const row = (id: number) => ({
  id,
  short_code: `d.k/code${id}`,
  short_url: `https://hop.example/code${id}`,
  long_url: `https://example.com/${id}`,
  click_count: id,
  created_at: '2026-11-22T00:00:00.000Z',
  status: id === 3 ? 'disabled' : 'active',
  status_reason: null,
  expires_at: null,
});
const list = (...ids: number[]) =>
  Response.json({
    urls: ids.map(row),
    nextCursor: null,
    totals: { links: ids.length, clicks: 0, active: 0 },
  });

function show(answer: () => Response, shown?: string): void {
  vi.stubGlobal('fetch', () => Promise.resolve(answer()));
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <MemoryRouter>
        <RecentLinks shown={shown} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('RecentLinks', () => {
  it('lists the last three links besides the one on the page', async () => {
    show(() => list(5, 4, 3, 2, 1), 'd.k/code5');
    await screen.findByRole('list', { name: 'Your last links' });
    expect(
      screen.getAllByRole('listitem').map((item) => /code\d/.exec(item.textContent)?.[0]),
    ).toEqual(['code4', 'code3', 'code2']);
    const clicks = screen.getByRole('link', { name: '4 clicks: analytics of code4' });
    expect(clicks.getAttribute('href')).toBe('/analytics/d.k%2Fcode4');
    expect(clicks.textContent).toBe('4 clicks');
    const struck = screen
      .getAllByRole('link', { name: /^Preview of/ })
      .map(({ className }) => className.includes('line-through'));
    expect(struck).toEqual([false, true, false]);
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    fireEvent.click(screen.getByRole('button', { name: 'Copy hop.example/code4' }));
    expect(copied).toHaveBeenCalledWith('https://hop.example/code4');
    expect(
      screen.getByRole('link', { name: 'Preview of hop.example/code4' }).getAttribute('href'),
    ).toBe('https://hop.example/code4+');
  });

  it('says that there are no links yet, or no others', async () => {
    show(() => list());
    expect(await screen.findByText('You haven’t created any links yet.')).toBeTruthy();
    const all = screen.getByRole('link', { name: 'All links' });
    expect(all.getAttribute('href')).toBe('/dashboard');
    cleanup();
    show(() => list(1), 'd.k/code1');
    expect(await screen.findByText('No other links yet.')).toBeTruthy();
  });

  it('shows an error with Retry', async () => {
    let fails = true;
    show(() => (fails ? new Response('', { status: 500 }) : list(1)));
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Your links could not be loaded.',
    );
    fails = false;
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('code1')).toBeTruthy();
  });
});
