import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { pressUnanswered } from '#web/testing/render-page.tsx';
import { useAnnouncement } from '#web/ui/announcer.ts';
import { BrowserLinksPanel } from './browser-links-panel.tsx';
import { ClaimOffer } from './claim-offer.tsx';
import { describeClaim } from './describe-claim.ts';
import {
  addBrowserLink,
  readBrowserLinks,
  removeBrowserLinks,
  useBrowserLinks,
} from './stored-links.ts';

const make = (code: string): void =>
  addBrowserLink({
    code,
    shortUrl: `https://hop.example/${code}`,
    longUrl: `https://example.com/${code}`,
    created_at: new Date().toISOString(),
    claimToken: `token-${code}`,
  });
const announced = () => renderHook(useAnnouncement).result.current;
const codes = (): string[] => readBrowserLinks().links.map(({ code }) => code);

afterEach(() => {
  cleanup();
  removeBrowserLinks(readBrowserLinks().links);
  config.shortOrigin = 'http://localhost:3000';
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function show() {
  const onClaimed = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <main>
        <h1 tabIndex={-1}>Home</h1>
        <ClaimOffer onClaimed={onClaimed} />
      </main>
    </QueryClientProvider>,
  );
  return onClaimed;
}

describe('ClaimOffer', () => {
  it('the claim offer is absent without links', () => {
    show();
    expect(screen.queryByRole('region')).toBeNull();
  });

  it('adds the links, says so and moves the focus to Close', async () => {
    const mock = vi.fn<typeof fetch>(() =>
      Promise.resolve(Response.json({ lines: ['b', 'a'].map((code) => ({ ok: true, code })) })),
    );
    vi.stubGlobal('fetch', mock);
    for (const code of ['a', 'b']) make(code);
    const onClaimed = show();
    expect(
      screen.getByText(
        '2 links were made in this browser before you signed in. Add them to your account?',
      ),
    ).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Add 2 links' }));
    expect(await screen.findByText('2 links added to your account.')).toBeTruthy();
    expect(mock.mock.calls[0]?.[0]).toBe('/api/links/claim');
    expect(mock.mock.calls[0]?.[1]?.body).toBe(
      '{"links":[{"code":"b","token":"token-b"},{"code":"a","token":"token-a"}]}',
    );
    expect(onClaimed).toHaveBeenCalledOnce();
    expect(codes()).toEqual([]);
    expect(document.activeElement?.textContent).toBe('Close');
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
    expect(document.activeElement?.tagName).toBe('H1');
  });

  it('says which links the quota does not hold, and offers them again', async () => {
    const lines = [
      { ok: true, code: 'c' },
      { ok: false, code: 'b', reason: 'quota_reached', error: '' },
      { ok: false, code: 'a', reason: 'not_claimable', error: '' },
    ];
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ lines })));
    for (const code of ['a', 'b', 'c']) make(code);
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Add 3 links' }));
    const text =
      "1 link added to your account. 1 link not added: you have used all of this month's links. You can add it when your plan resets. 1 link not added: it is disabled, or in an account already.";
    expect(await screen.findByText(text)).toBeTruthy();
    expect(codes()).toEqual(['b', 'a']);
    expect(announced()).toBe(text);
    expect(document.activeElement?.textContent).toBe('Not now');
    fireEvent.click(screen.getByRole('button', { name: 'Show links', expanded: false }));
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Hide links', expanded: true }));
    expect(screen.queryByRole('listitem')).toBeNull();
  });

  it('describes the result for several links', () => {
    const reasons = ['quota_reached', 'not_claimable'] as const;
    const lines = [...reasons, ...reasons, reasons[1]].map((reason) => {
      return { ok: false as const, code: 'a', reason, error: '' };
    });
    expect(describeClaim(lines)).toBe(
      "2 links not added: you have used all of this month's links. You can add them when your plan resets. 3 links not added: they are disabled, or in an account already.",
    );
  });

  it('the list stays when the server cannot be reached', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    make('a');
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Add 1 link' }));
    expect((await screen.findByRole('alert')).textContent).toContain(
      'We couldn’t reach the server.',
    );
    expect(codes()).toEqual(['a']);
    expect(screen.getByRole('button', { name: 'Add 1 link' })).toBeTruthy();
    expect(screen.getByText(/^1 link was made .* Add it to your account\?$/)).toBeTruthy();
    await pressUnanswered('Add 1 link');
  });

  it('disappears for a week with "Not now" and keeps the list', async () => {
    make('a');
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
    expect(codes()).toEqual(['a']);
    const { askAfter } = readBrowserLinks();
    for (const [now, offers] of [
      [askAfter - 1, 0],
      [askAfter, 1],
    ] as const) {
      cleanup();
      vi.spyOn(Date, 'now').mockReturnValue(now);
      show();
      expect(screen.queryAllByRole('region')).toHaveLength(offers);
    }
  });
});

function Panel() {
  const { links } = useBrowserLinks();
  return links.length === 0 ? null : <BrowserLinksPanel links={links} />;
}

describe('BrowserLinksPanel', () => {
  const panel = () =>
    render(
      <MemoryRouter>
        <main>
          <h1 tabIndex={-1}>Home</h1>
          <Panel />
        </main>
      </MemoryRouter>,
    );

  it('lists the links, newest first', () => {
    config.shortOrigin = 'https://hop.example';
    for (const code of ['a', 'b']) make(code);
    panel();
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      expect.stringContaining('/b'),
      expect.stringContaining('/a'),
    ]);
    const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(hrefs).toEqual(['/auth?tab=sign-up', 'https://hop.example/b', 'https://hop.example/a']);
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    fireEvent.click(screen.getByRole('button', { name: 'Copy hop.example/b' }));
    expect(copied).toHaveBeenCalledExactlyOnceWith('https://hop.example/b');
    expect(screen.getByText(/^Only this browser has this list/)).toBeTruthy();
    expect(screen.getByText(/within 30 days to add the links/)).toBeTruthy();
  });

  it('removes links one by one and keeps the focus in the list', () => {
    for (const code of ['a', 'b']) make(code);
    panel();
    fireEvent.click(
      screen.getAllByRole('button', { name: /^Remove .*\/b from this list$/ })[0] ?? document.body,
    );
    expect(codes()).toEqual(['a']);
    expect(announced()).toBe('Removed from this list.');
    expect(document.activeElement).toBe(screen.getByRole('list'));
    fireEvent.click(screen.getByRole('button', { name: /^Remove .*\/a from this list$/ }));
    expect(document.activeElement?.tagName).toBe('H1');
  });

  it('asks before it removes all links of the browser', () => {
    for (const code of ['a', 'b']) make(code);
    panel();
    fireEvent.click(screen.getByRole('button', { name: 'Remove all' }));
    expect(screen.getByText(/^Remove 2 links from this list\?/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(codes()).toHaveLength(2);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove all' }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove all' }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove all', expanded: true }));
    expect(screen.queryByRole('button', { name: 'Remove list' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Remove all', expanded: false }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove list' }));
    expect(codes()).toEqual([]);
    expect(screen.queryByText('Links made in this browser')).toBeNull();
    expect(announced()).toBe('The list is empty. The links keep working.');
    expect(document.activeElement?.tagName).toBe('H1');
  });
});
