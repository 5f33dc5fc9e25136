import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BROKEN_ARC, LOOPING_ARC } from '#contract/pages/arcs.ts';
import type { AnalyticsResponse, FilteredReport } from '#contract/reports/analytics.ts';
import { config } from '#web/shared/page/config.ts';
import { makeFilteredReport } from '#web/testing/make-filtered-report.ts';
import { makeReport } from '#web/testing/make-report.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { choose, currentAddress, goBack, press, renderPage } from '#web/testing/render-page.tsx';
import { AnalyticsPage } from './analytics-page.tsx';
import { parseSelection } from '#web/features/analytics/range.ts';

const COUNTS = {
  totalClicks: 10,
  clicksByDate: { '2026-11-20': 10 },
  clicksByDevice: { Mobile: 7, Desktop: 5 },
};
const rangeOf = (query: URLSearchParams) => {
  const asked = parseSelection(query) ?? { range: 'all' as const };
  return 'range' in asked ? asked : { range: 'custom' as const, period: asked };
};
const NO_CLICKS = { totalClicks: 0, uniqueClicks: 0, activeDays: 0 };

/** The report of a link with two kinds of devices, for the range that is asked for. */
const report = ({ query }: Asked, rest: Parameters<typeof makeReport>[0] = {}): AnalyticsResponse =>
  makeReport({
    ...rangeOf(query),
    ...rest,
    analytics: { ...COUNTS, ...rest.analytics },
  });

/** The clicks from phones. */
const filtered = ({ query }: Asked): FilteredReport => makeFilteredReport(rangeOf(query), {});
const answer = (asked: Asked) => (asked.query.has('filter') ? filtered(asked) : report(asked));

const onShare = vi.fn<(code: string) => void>();
const page = (onUpgrade = (): void => undefined) => (
  <Routes>
    <Route
      path="/analytics/:code"
      element={
        <AnalyticsPage
          onUpgrade={onUpgrade}
          onShare={onShare}
          renderQr={(code) => <p>QR of {code}</p>}
        />
      }
    />
    <Route path="*" element={<p>another page</p>} />
  </Routes>
);
const show = (address: string) => renderPage(page(), ['/dashboard', address]);
const pick = (range: string): void =>
  void fireEvent.click(screen.getByRole('radio', { name: range }));
/** Role queries take long on a page of this size, so texts find what the page shows. */
const figure = async (label: string) =>
  (await screen.findByText(label)).closest('[role="tab"], div')?.textContent;
const isBusy = () =>
  screen.getByText('Total Clicks').closest('[aria-busy]')?.getAttribute('aria-busy');

afterEach(() => {
  // For a test that was offline: the query cache listens until the page is left.
  act(() => void window.dispatchEvent(new Event('online')));
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  config.networkAds = [];
});

describe('AnalyticsPage', () => {
  it('shows the previous report while another range loads', async () => {
    let respond: (report: AnalyticsResponse) => void = () => undefined;
    serve((asked) =>
      asked.query.get('range') === '7d'
        ? new Promise<AnalyticsResponse>((resolve) => (respond = resolve))
        : report(asked),
    );
    show('/analytics/a');
    await figure('Total Clicks');
    pick('7 days');
    await waitFor(() => expect(isBusy()).toBe('true'));
    expect(await figure('Total Clicks')).toContain('10 in the last');
    // Nothing is said to be live until the range has loaded.
    expect(screen.getByText('Live').closest('p')?.className).toContain('invisible');
    respond(makeReport({ range: '7d', analytics: { ...COUNTS, totalClicks: 4 } }));
    await waitFor(() => expect(isBusy()).toBe('false'));
    expect(await figure('Total Clicks')).toContain('4 in the last 7 days');
  });

  it('replaces the address of an earlier code by the current one', async () => {
    const url = { ...makeReport().url, short_code: 'd.abcdefghjk/new' };
    vi.stubGlobal('IntersectionObserver', function near(notify: (seen: object[]) => void) {
      return { observe: () => notify([{ isIntersecting: true }]), disconnect: () => undefined };
    });
    const requests = serve((asked) =>
      asked.path.endsWith('/times')
        ? { totalClicks: 0, clicksByWeekHour: [] }
        : report(asked, { url }),
    );
    show('/analytics/old?range=7d&figure=visitors');
    const address = '/analytics/d.abcdefghjk%2Fnew?range=7d';
    await waitFor(() => expect(currentAddress()).toBe(`${address}&figure=visitors`));
    await waitFor(() => expect(requests).toContain(`GET /api${address}`));
    const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
    const times = `GET /api${address.replace('?', '/times?')}&tz=${zone}`;
    await waitFor(() => expect(requests).toContain(times));
    goBack();
    expect(currentAddress()).toBe('/dashboard');
  });

  it('stays at a code while the report of another link is still shown', async () => {
    serve((asked) => (asked.path.endsWith('/b') ? new Promise(() => undefined) : report(asked)));
    const { rerender } = renderPage(page(), ['/analytics/b', '/analytics/a']);
    await figure('Total Clicks');
    goBack();
    rerender(page());
    expect(currentAddress()).toBe('/analytics/b');
  });

  it.each([
    [404, 'We couldn’t find this link in your account.', false, BROKEN_ARC],
    [500, 'Failed to load analytics', true, LOOPING_ARC],
  ])('says that there is no report after status %i', async (status, text, hasRetry, arc) => {
    let fails = true;
    serve((asked) => (fails ? rejection(status, 'No.') : report(asked)));
    show('/analytics/a');
    expect(await screen.findByText(text, { exact: false })).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Analytics Not Available');
    expect(document.querySelector('svg path')?.getAttribute('d')).toBe(arc.arc);
    expect(screen.getByText('Back to My URLs').closest('a')?.getAttribute('href')).toBe(
      '/dashboard',
    );
    expect(screen.queryByRole('button', { name: 'Retry' }) !== null).toBe(hasRetry);
    if (!hasRetry) return;
    fails = false;
    await press('Retry');
    await screen.findByText('Total Clicks');
  });

  it('keeps the last report when another range cannot be loaded, and says so', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 21, 12, 5) });
    let works = false;
    serve((asked) =>
      asked.query.get('range') === '7d' && !works ? rejection(503, 'Down.') : report(asked),
    );
    show('/analytics/a');
    await figure('Total Clicks');
    vi.setSystemTime(new Date(2026, 10, 21, 12, 15));
    pick('7 days');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(
      /^Failed to load analytics. You see the report for the last 30 days, as of 12:05\sPM\./,
    );
    expect(screen.getByText('Not up to date')).toBeTruthy();
    expect(await figure('Total Clicks')).toContain('10 in the last');
    works = true;
    await press('Retry');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(screen.getByText('Live')).toBeTruthy();
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(screen.getByText('Not up to date')).toBeTruthy();
  });

  it('removes a shown report that the member may no longer see', async () => {
    let isDenied = false;
    serve((asked) => (isDenied ? rejection(403, 'No.') : report(asked)));
    const { client } = show('/analytics/a');
    await figure('Total Clicks');
    isDenied = true;
    await act(() => client.invalidateQueries());
    expect(await screen.findByText('Failed to load analytics')).toBeTruthy();
    expect(screen.queryByText('Total Clicks')).toBeNull();
  });

  it('asks again every ten seconds with the ETag, but not while the page is hidden', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const tags: (string | null)[] = [];
    let isUp = false;
    serve((asked, init) => {
      if (!isUp) return rejection(503, 'Down.');
      tags.push(new Headers(init.headers).get('if-none-match'));
      return Response.json(report(asked), { headers: { etag: `"${tags.length}"` } });
    });
    show('/analytics/a');
    await screen.findByText('Failed to load analytics');
    isUp = true;
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    await screen.findByText('Live');
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(tags).toEqual([null, '"1"']);
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(screen.getByText('Paused')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(tags).toHaveLength(2);
    hidden.mockRestore();
  });

  it('asks twice a second for the first click of a young link', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const created = new Date().toISOString();
    const requests = serve((asked) => report(asked, { lifetime: NO_CLICKS, created }));
    show('/analytics/a');
    await screen.findByText('Waiting for the first click');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(requests.length).toBeGreaterThanOrEqual(3);
  });
});

describe('Report', () => {
  it('waits for the first click of a link, but not for one in the range', async () => {
    config.networkAds = ['analytics'];
    const imported = { clicks: 7, from: 'Bitly' };
    serve((asked) => report(asked, { lifetime: NO_CLICKS, imported }));
    show('/analytics/a');
    await screen.findByText('Waiting for the first click');
    expect(screen.getByText('7 clicks before the import from Bitly.')).toBeTruthy();
    expect(screen.getByText('QR of a')).toBeTruthy();
    expect(screen.getByText('hop.example/a')).toBeTruthy();
    const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    fireEvent.click(screen.getByText('Copy'));
    expect(copy).toHaveBeenCalledExactlyOnceWith('https://hop.example/a');
    expect(screen.getByText('Open it yourself to see it work').closest('a')?.href).toBe(
      'https://hop.example/a',
    );
    expect(screen.queryByRole('radio')).toBeNull();
    expect(screen.queryByRole('complementary', { name: 'Ad' })).toBeNull();
    expect(screen.queryByText(/bots or prefetches/)).toBeNull();
    cleanup();
    serve((asked) => report(asked, { analytics: { totalClicks: 0 } }));
    show('/analytics/a?range=7d');
    expect(await figure('Total Clicks')).toContain('0 in the last 7 days');
    expect(screen.getByTitle('Ad').getAttribute('src')).toBe('/ads/frame/analytics');
    expect(screen.queryByText('Waiting for the first click')).toBeNull();
  });

  it('says which panels of 24 hours cover two days', async () => {
    serve(answer);
    show('/analytics/a?range=24h');
    const note = 'for 24 hours they cover yesterday and today.';
    expect(await screen.findByText(note, { exact: false })).toBeTruthy();
    pick('7 days');
    await waitFor(() => expect(screen.queryByText(note, { exact: false })).toBeNull());
  });

  it('a report is shared by the code of its link, and shows its QR code', async () => {
    serve(answer);
    show('/analytics/a');
    await choose('More actions for a', 'Share report');
    expect(onShare).toHaveBeenCalledExactlyOnceWith('a');
    await choose('More actions for a', 'QR code');
    expect(await screen.findByText('QR of a')).toBeTruthy();
  });
});

describe('filters of the report', () => {
  const PHONES = 'Device: Mobile';
  const pressRow = async () =>
    fireEvent.click((await screen.findByText('Mobile')).closest('button') ?? document.body);
  const removeFilter = () => fireEvent.click(screen.getByLabelText(`Remove filter ${PHONES}`));

  it('a filter is a step in the history, and pressing its row again removes it', async () => {
    let load = (): void => undefined;
    const loaded = new Promise<void>((resolve) => (load = resolve));
    const requests = serve(async (asked) => {
      if (asked.query.has('filter')) await loaded;
      return answer(asked);
    });
    show('/analytics/a?range=24h');
    await pressRow();
    await waitFor(() =>
      expect(currentAddress()).toBe('/analytics/a?range=24h&filter=device%3AMobile'),
    );
    expect(screen.getByText('Mobile').closest('button')?.textContent).toBe('Mobile 58% 7');
    expect(isBusy()).toBe('true');
    expect(await figure('Total Clicks')).toContain('10 in the last');
    load();
    expect(await screen.findByText('58% of all clicks')).toBeTruthy();
    expect(isBusy()).toBe('false');
    expect(requests).toContain('GET /api/analytics/a?range=24h&filter=device%3AMobile');
    expect(await figure('Total Clicks')).toContain('7');
    expect(await figure('Unique Visitors')).toBe('Unique Visitors–Not counted with a filter');
    expect(screen.getAllByRole('tab', { selected: true })[0]?.textContent).toContain(
      'Total Clicks7',
    );
    await pressRow();
    await waitFor(() => expect(currentAddress()).toBe('/analytics/a?range=24h'));
    expect(await figure('Total Clicks')).toContain('10 in the last');
    goBack();
    await waitFor(() => expect(currentAddress()).toContain('filter'));
    removeFilter();
    expect(document.activeElement).toBe(screen.getByLabelText('Filters'));
    await waitFor(() => expect(currentAddress()).not.toContain('filter'));
  });

  it('nothing is filtered without a filter, nor by what is no filter', async () => {
    const requests = serve(answer);
    show('/analytics/a?filter=country');
    await screen.findByText(/^Choose a country, device or other row/);
    expect(new Set(requests)).toEqual(new Set(['GET /api/analytics/a?range=30d']));
  });

  it('a filtered report that fails leaves the figures of all clicks, and says so', async () => {
    const path = '/analytics/d.abcdefghjk%2Fa';
    const url = { ...makeReport().url, short_code: 'd.abcdefghjk/a' };
    const requests = serve((asked) =>
      asked.query.has('filter') ? rejection(503, 'Down.') : report(asked, { url }),
    );
    show(`${path}?filter=device%3AMobile`);
    await screen.findByRole('alert');
    expect(requests).toContain(`GET /api${path}?range=30d&filter=device%3AMobile`);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(
      'Failed to load the filtered report, so the figures above count all clicks. Down.',
    );
    expect(isBusy()).toBe('false');
    expect(await figure('Total Clicks')).toContain('10 in the last');
    expect(screen.queryByText('Clicks by Device')).toBeNull();
  });

  it('a filtered report is updated like the whole one, and stays when that fails', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let fails = false;
    const tags: (string | null)[] = [];
    const requests = serve((asked, init) => {
      if (!asked.query.has('filter')) return report(asked);
      tags.push(new Headers(init.headers).get('if-none-match'));
      const headers = { etag: '"filtered"' };
      return fails ? rejection(503, 'Down.') : Response.json(filtered(asked), { headers });
    });
    show('/analytics/a?filter=device%3AMobile');
    await screen.findByText('70% of all clicks');
    fails = true;
    const count = () => requests.filter((text) => text.includes('filter')).length;
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(count()).toBeGreaterThan(1);
    expect(tags.slice(0, 2)).toEqual([null, '"filtered"']);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Failed to load the filtered report. Down.');
    expect(screen.getByText('70% of all clicks')).toBeTruthy();
  });

  it('asks for two filters, and drops a second one of the same dimension', async () => {
    const requests = serve(answer);
    show('/analytics/a?filter=country%3AIN&and=device%3AMobile');
    await screen.findByLabelText('Remove filter Country: India');
    expect(requests).toContain(
      'GET /api/analytics/a?range=30d&filter=country%3AIN&and=device%3AMobile',
    );
    removeFilter();
    await waitFor(() => expect(currentAddress()).toBe('/analytics/a?filter=country%3AIN'));
    goBack();
    await screen.findByLabelText(`Remove filter ${PHONES}`);
    fireEvent.click(await screen.findByText('Show all clicks'));
    await waitFor(() => expect(currentAddress()).toBe('/analytics/a'));
    cleanup();
    show('/analytics/a?filter=country%3AIN&and=country%3ADE');
    await screen.findByLabelText('Remove filter Country: India');
    expect(requests.at(-1)).not.toContain('and=');
  });
});

describe('upgrade on the page', () => {
  it('the upgrade is offered to the owner only, and the new cards take its focus', async () => {
    const { clicksByDate, visitorsByDate, ...rest } = makeReport({ analytics: COUNTS }).analytics;
    const basic = {
      totalClicks: rest.totalClicks,
      uniqueClicks: 0,
      activeDays: 0,
      qrScans: 0,
      destinations: [],
      clicksByDate,
      visitorsByDate,
      clicksByCountry: rest.clicksByCountry,
      clicksByDevice: rest.clicksByDevice,
      recentClicks: [],
    };
    let shown: AnalyticsResponse = { ...makeReport(), advanced: false, analytics: basic };
    serve(() => shown);
    const onUpgrade = vi.fn<() => undefined>();
    const { client } = renderPage(page(onUpgrade), ['/analytics/a']);
    const upgrade = await screen.findByText('Upgrade to Premium');
    fireEvent.click(upgrade);
    expect(onUpgrade).toHaveBeenCalledOnce();
    upgrade.closest('button')?.focus();
    shown = makeReport({ analytics: COUNTS });
    await act(() => client.invalidateQueries());
    await screen.findByText('Sources');
    expect(document.activeElement).toBe(screen.getByLabelText('Details'));
    cleanup();
    shown = { ...makeReport({ viewer: 'admin' }), advanced: false, analytics: basic };
    show('/analytics/a');
    await screen.findByText(/The plan of this link’s owner does not include them/);
    expect(screen.queryByText('Upgrade to Premium')).toBeNull();
  });
});
