import {
  act,
  cleanup,
  fireEvent,
  renderHook,
  screen,
  waitFor,
  within,
} from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveClick, LiveClicksResponse } from '#contract/reports/live-clicks.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { config } from '#web/shared/page/config.ts';
import { serve } from '#web/testing/fake-server.ts';
import { press, renderPage } from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { LiveClicksExample } from './live-clicks-example.tsx';
import { LiveClicks } from './live-clicks.tsx';
import { useRecentActivity } from './use-recent-activity.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const click = (ago: number, country: string, code = 'spring'): LiveClick => ({
  clickedAt: new Date(NOON - ago * 1_000).toISOString(),
  country,
  code,
  shortUrl: `https://hop.example/${code}`,
});
const CLICKS = [
  click(1, 'IN'),
  // On a domain.
  {
    ...click(2, 'DE'),
    code: 'd.abcdefghjk/menu',
    shortUrl: 'https://go.example.com/menu',
  },
  click(3, 'IN'),
  click(4, 'Unknown'),
  click(5, 'T1'),
  click(6, 'BR'),
];

/** Observers that report every element as in view or not. */
function observe(isIntersecting: boolean): void {
  const Observer = function observer(report: (entries: { isIntersecting: boolean }[]) => void) {
    return { observe: () => report([{ isIntersecting }]), disconnect: () => undefined };
  };
  vi.stubGlobal('IntersectionObserver', Observer);
}

function show(
  answer: Partial<LiveClicksResponse> | null,
  onFirstClick = vi.fn(),
  domain: string | null = null,
) {
  const requests = serve(() =>
    answer === null
      ? Response.json({}, { status: 500 })
      : { clicks: CLICKS, complete: true, refreshSeconds: 5, ...answer },
  );
  const { rerender } = renderPage(
    <LiveClicks
      domain={domain}
      countries={{ IN: 12 }}
      countriesNote="Dots: clicks in the last 30 days."
      onFirstClick={onFirstClick}
    />,
  );
  return { requests, onFirstClick, rerender };
}

const numbers = (): string[] =>
  [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
/** The short URL below the point where arcs land. */
const landed = () => document.querySelector('canvas')?.nextElementSibling?.textContent;
const rows = (): HTMLElement[] =>
  within(screen.getByRole('table', { name: 'Latest clicks, newest first' }))
    .getAllByRole('row')
    .slice(1);

beforeEach(() => {
  signInAsMember();
  observe(true);
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('LiveClicks', () => {
  it('says in numbers, a sentence and a list what the picture shows', async () => {
    const { onFirstClick } = show({});
    expect(
      await screen.findByText('6 clicks from 3 countries in the last 10 minutes.'),
    ).toBeTruthy();
    expect(numbers()).toEqual(['Clicks6', 'Countries3', 'Links2']);
    expect(rows()).toHaveLength(5);
    expect(rows()[1]?.textContent).toContain('Germanygo.example.com/menu');
    expect(rows()[4]?.textContent).toContain('Tor network');
    const link = within(rows()[1] ?? document.body).getByRole('link');
    expect(link.getAttribute('href')).toBe('/analytics/d.abcdefghjk%2Fmenu');
    expect(screen.queryByRole('columnheader', { name: 'Source' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Show all 6 clicks' }));
    expect(rows()).toHaveLength(6);
    fireEvent.click(screen.getByRole('button', { name: 'Show fewer clicks', expanded: true }));
    expect(rows()).toHaveLength(5);
    expect(document.querySelector('canvas')?.closest('[aria-hidden="true"]')).not.toBeNull();
    expect(screen.getByText(/Live, every 5 seconds\. Dots: clicks in/)).toBeTruthy();
    expect(onFirstClick).toHaveBeenCalledOnce();
  });

  it('shows the source where the plan has it, and that there may be more clicks', async () => {
    show({ clicks: [{ ...click(1, 'IN'), referrer: 'news.example' }], complete: false });
    expect(await screen.findByRole('columnheader', { name: 'Source' })).toBeTruthy();
    expect(rows()[0]?.textContent).toContain('news.example');
    expect(
      screen.getByText('At least 1 click from 1 country in the last 10 minutes.'),
    ).toBeTruthy();
    expect(numbers()[0]).toBe('Click1+');
  });

  it('says calmly that there are no clicks, which is no error', async () => {
    const { onFirstClick } = show({ clicks: [] });
    expect(await screen.findByText(/^No clicks in the last 10 minutes\. The next/)).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(onFirstClick).not.toHaveBeenCalled();
    cleanup();
    show({ clicks: [], complete: false });
    const texts = await screen.findAllByText('No clicks found in the last 10 minutes.');
    // The second one is for screen readers.
    expect(texts).toHaveLength(2);
  });

  it('asks for the links on a domain, also on the deployment’s own', async () => {
    const { requests, rerender } = show({}, vi.fn(), 'go.example.com');
    await waitFor(() => expect(requests[0]).toMatch(/\/clicks\?domain=go\.example\.com$/));
    await screen.findByText(/^Live, every/);
    rerender(<LiveClicks domain="" countries={{}} countriesNote="" />);
    // The clicks of the other domain are gone at once.
    expect(screen.getByText('Loading…')).toBeTruthy();
    await waitFor(() => expect(requests[1]).toMatch(/\/clicks\?domain=$/));
  });

  it('offers Retry when the clicks cannot be loaded', async () => {
    show(null);
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The latest clicks could not be loaded.',
    );
    serve(() => ({ clicks: CLICKS, complete: true, refreshSeconds: 5 }));
    await press('Retry');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(rows()).toHaveLength(5);
  });

  it('the live picture asks again while it is in view and somebody uses the page', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { requests } = show({});
    await waitFor(() => expect(requests).toHaveLength(1));
    await act(() => vi.advanceTimersByTimeAsync(11_000));
    expect(requests).toHaveLength(3);
    for (let minute = 0; minute < 6; minute++)
      await act(() => vi.advanceTimersByTimeAsync(MINUTE_MS));
    const stopped = requests.length;
    expect(stopped).toBeLessThan(70);
    expect(screen.getByText(/Waits until you use the page again/)).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(MINUTE_MS));
    expect(requests).toHaveLength(stopped);
    fireEvent.pointerMove(window);
    await waitFor(() => expect(requests.length).toBeGreaterThan(stopped));
  });

  it('the live picture asks for nothing while it is out of view', async () => {
    observe(false);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { requests } = show({});
    await act(() => vi.advanceTimersByTimeAsync(MINUTE_MS));
    expect(requests).toEqual([]);
  });

  it('Pause stops the arcs, and Play again shows the short URLs where they land', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    show({});
    await press('Pause');
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    expect(landed()).toBeUndefined();
    await press('Play again');
    expect(await screen.findByRole('button', { name: 'Pause' })).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    expect(landed()).toBe('hop.example/spring');
    expect(screen.getByRole('button', { name: 'Play again' })).toBeTruthy();
  });

  it('offers no movement to a reader who wants none', async () => {
    vi.stubGlobal('matchMedia', (media: string) =>
      Object.assign(new EventTarget(), { media, matches: media.includes('reduced-motion') }),
    );
    show({});
    expect(await screen.findByRole('button', { name: 'Show all 6 clicks' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Pause|Play again/ })).toBeNull();
    expect(landed()).toBe('hop.example/spring');
  });
});

describe('useRecentActivity', () => {
  it('ends five minutes after the last use, and leaves nothing behind', () => {
    vi.useFakeTimers();
    const { result, unmount } = renderHook(() => useRecentActivity());
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'scroll', 'focus']) {
      act(() => void vi.advanceTimersByTime(5 * MINUTE_MS - 1));
      expect(result.current).toBe(true);
      act(() => void vi.advanceTimersByTime(1));
      expect(result.current).toBe(false);
      act(() => void window.dispatchEvent(new Event(event)));
      expect(result.current).toBe(true);
    }
    unmount();
    window.dispatchEvent(new Event('scroll'));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('LiveClicksExample', () => {
  it('the example of the live picture says so, and links nowhere', () => {
    const requests = serve(() => ({}));
    renderPage(<LiveClicksExample />);
    expect(screen.getByText(/a shop’s links/).textContent).toMatch(/^Example /);
    expect(
      screen.getByText(/^16 clicks from 1\d countries in the last 10 minutes\.$/),
    ).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
    expect(rows()[0]?.textContent).toMatch(/Indiamonsooninstagram\.com$/);
    expect(screen.getAllByTitle(`${config.shortOrigin}/monsoon`)).toHaveLength(2);
    const [newest] = document.querySelectorAll('time');
    expect(Date.parse(newest?.dateTime ?? '')).toBeLessThan(Date.now());
    const oldest = [...document.querySelectorAll('time')].at(-1)?.dateTime ?? '';
    expect(Date.now() - Date.parse(oldest)).toBeLessThan(10 * MINUTE_MS);
    expect(requests).toEqual([]);
  });
});
