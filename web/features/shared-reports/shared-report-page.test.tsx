import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SharedCounts, SharedReportView } from '#contract/reports/shared-reports.ts';
import { currentAddress, goBack, press, renderPage, showPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { toBars } from './bars.ts';
import { SharedReportPage } from './shared-report-page.tsx';

const SECRET = 'a'.repeat(43);
const ADDRESS = `/share#${SECRET}`;
const OPEN = 'POST /api/shared-report';
const days = { from: '2026-11-01', to: '2026-11-25' };
const COUNTS: SharedCounts = {
  from: '2026-11-01',
  to: '2026-11-26',
  totals: { totalClicks: 30, uniqueClicks: 20, activeDays: 2 },
  clicksByDate: { '2026-11-03': 10, '2026-11-26': 20 },
  lists: [
    { list: 'countries', rows: [{ name: 'IN', clicks: 20 }], other: 10, ...days },
    { list: 'cities', rows: [{ name: 'Other', country: 'IN', clicks: 20 }], other: 10, ...days },
    { list: 'sources', rows: [], other: 3, ...days },
    { list: 'campaigns', rows: [{ name: '', clicks: 30 }], other: 0, ...days },
  ],
  links: null,
};
const VIEW: SharedReportView = {
  kind: 'link',
  title: 'Spring campaign',
  shortUrl: 'https://hop.example/spring',
  destination: null,
  expiresAt: null,
  counts: COUNTS,
};

const figures = (): string[] =>
  [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('SharedReportPage', () => {
  it('shows the report with absolute dates, and sends the secret in the body only', async () => {
    const calls = serveRoutes({ [OPEN]: VIEW });
    showPage(<SharedReportPage />, ADDRESS);
    await screen.findByRole('heading', { name: 'Spring campaign' });
    expect(calls).toEqual([{ call: OPEN, body: { secret: SECRET } }]);
    expect(screen.getByText(/^Report on the clicks of a link, shared with you/)).toBeTruthy();
    expect(screen.getByText('Nov 1 – 26, 2026 (UTC)')).toBeTruthy();
    expect(figures()).toEqual([
      'Total Clicks30',
      'Unique Visitors20Once per link and day',
      'Active Days2Days (UTC) with clicks',
      'Clicks per visitor1.5',
    ]);
    expect(screen.getByText('Days are UTC. Bots are not counted.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'hop.example/spring' }).getAttribute('href')).toBe(
      'https://hop.example/spring+',
    );
    const table = screen.getByRole('table', { name: 'Clicks by date' });
    expect(within(table).getAllByRole('row')).toHaveLength(27);
    expect(within(table).getByRole('row', { name: 'Nov 26, 2026 20' })).toBeTruthy();
    const bar = screen.getByTitle('Nov 26, 2026: 20');
    expect(bar.parentElement?.parentElement?.textContent).toBe('20Nov 1, 2026Nov 26, 2026');
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      'India 20',
      'Other 10',
      'Other places India 20',
      'Other 10',
    ]);
    expect(screen.getByText('Fewer than 5 clicks.')).toBeTruthy();
    expect(screen.getByText('No clicks in this period.')).toBeTruthy();
    expect(
      screen.getByText(/^The lists count whole days, through Nov 25, 2026 \(UTC\)\. Values with/),
    ).toBeTruthy();
    const print = vi.fn<() => void>();
    vi.stubGlobal('print', print);
    await press('Print');
    expect(print).toHaveBeenCalledOnce();
  });

  it('another address shows another report', async () => {
    let view = VIEW;
    const calls = serveRoutes({ [OPEN]: () => Response.json(view) });
    showPage(<SharedReportPage />, `/share#${'b'.repeat(43)}`, ADDRESS);
    await screen.findByRole('heading', { name: 'Spring campaign' });
    view = { ...VIEW, counts: null };
    goBack();
    await waitFor(() => expect(calls[1]?.body).toEqual({ secret: 'b'.repeat(43) }));
    expect(await screen.findByText('No counts for this period')).toBeTruthy();
    expect(
      screen.getByText(
        'Clicks are kept by day for 13 months, and no day of this period is within them.',
      ),
    ).toBeTruthy();
    expect(screen.queryByText('Period')).toBeNull();
  });

  it('lists the links of a tag with what the owner shows of them', async () => {
    const links = [
      { title: '', shortUrl: null, destination: 'https://example.com/a', clicks: 9 },
      { title: 'Leaflet', shortUrl: 'https://hop.example/b', destination: null, clicks: 8 },
    ];
    const totals = { totalClicks: 30, uniqueClicks: 0, activeDays: 2 };
    const destination = 'https://example.com/tag';
    serveRoutes({
      [OPEN]: {
        ...VIEW,
        kind: 'tag',
        destination,
        expiresAt: '2026-12-03T12:00:00Z',
        counts: { ...COUNTS, from: '2025-11-26', totals, lists: [], links },
      },
    });
    showPage(<SharedReportPage />, ADDRESS);
    await screen.findByText('Top links');
    expect(screen.getByText(/^Report on the clicks of the links of a tag, shared/)).toBeTruthy();
    expect(screen.getByText('example.com/tag').closest('a')?.href).toBe(destination);
    expect(screen.getByText('Shared until').nextSibling?.textContent).toMatch(/^Dec 3, 2026, /);
    expect(figures()[3]).toBe('Clicks per visitor–');
    expect(screen.getByText('Each bar is 6 days (UTC). Bots are not counted.')).toBeTruthy();
    const [bar] = screen.getAllByRole('rowheader');
    expect(bar?.textContent.replaceAll('\u2009', ' ')).toBe('Nov 26 – Dec 1, 2025');
    expect(screen.queryByText(/^Values with fewer than 5 clicks/)).toBeNull();
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      'Link without a titleexample.com/a 9',
      'hop.example/b Leaflet 8',
    ]);
    expect(screen.getByRole('link', { name: 'example.com/a' }).getAttribute('rel')).toBe(
      'noopener noreferrer nofollow',
    );
  });

  it('asks for a password until it is correct', async () => {
    const field = { field: 'password' };
    const busy: boolean[] = [];
    const calls = serveRoutes({
      [OPEN]: async (body) => {
        await new Promise((resolve) => setTimeout(resolve));
        busy.push(document.querySelector('button[aria-busy="true"]') !== null);
        return body !== null && typeof body === 'object' && 'password' in body
          ? body.password === 'correct horse'
            ? VIEW
            : failure(403, 'This password is not correct.', field)()
          : failure(403, 'This report needs a password.', field)();
      },
    });
    showPage(<SharedReportPage />, ADDRESS);
    const input = await screen.findByLabelText('Password');
    expect(screen.queryByText('This report needs a password.')).toBeNull();
    expect(
      screen.getByText('This report has a password. The person who sent you the address knows it.'),
    ).toBeTruthy();
    await press('Open report');
    await screen.findByText('Enter the password.');
    expect([calls.length, input.getAttribute('autocomplete')]).toEqual([1, 'off']);
    fireEvent.change(input, { target: { value: 'wrong' } });
    await press('Open report');
    await screen.findByText('This password is not correct.');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')));
    expect(calls).toHaveLength(2);
    // The same password is tried again, because a report can get another one.
    await press('Open report');
    await waitFor(() => expect(calls).toHaveLength(3));
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } });
    await press('Open report');
    await screen.findByRole('heading', { name: 'Spring campaign' });
    expect(busy).toEqual([false, true, true, true]);
  });

  it.each([
    ['an unknown secret', ADDRESS],
    ['no secret', '/share'],
  ])('says that the report is not shared for %s', async (_, address) => {
    serveRoutes({ [OPEN]: failure(404, 'Not shared.') });
    showPage(<SharedReportPage />, address);
    await screen.findByText('This report is not shared');
  });

  it('offers to try again if the server fails', async () => {
    let fails = true;
    const none = { from: '2026-11-26', to: '2026-11-25' };
    const lists: SharedCounts['lists'] = [
      { list: 'devices', rows: [], other: 0, ...none },
      { list: 'sources', rows: [], other: 5, ...none },
      { list: 'campaigns', rows: [{ name: '', clicks: 30 }], other: 3, ...none },
    ];
    const view = { ...VIEW, counts: { ...COUNTS, lists, links: [] } };
    serveRoutes({ [OPEN]: () => (fails ? failure(503, 'Unavailable.')() : Response.json(view)) });
    showPage(<SharedReportPage />, ADDRESS);
    await screen.findByText('The report could not be loaded');
    fails = false;
    await press('Retry');
    await screen.findByRole('heading', { name: 'Spring campaign' });
    expect(screen.getByText('Counted once the first day (UTC) is over.')).toBeTruthy();
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      'Other 5',
      'No campaign 30',
      'Other 3',
    ]);
    expect(screen.getByText('No clicks in this period.')).toBeTruthy();
    expect(screen.getByText(/^Values with fewer than 5 clicks/)).toBeTruthy();
  });

  it('keeps the secret when a link inside the page replaces the fragment', async () => {
    serveRoutes({ [OPEN]: VIEW });
    const { Link } = await import('react-router-dom');
    renderPage(
      <>
        <Link to="#content">Skip to content</Link>
        <SharedReportPage />
      </>,
      ['/before', ADDRESS],
    );
    await screen.findByRole('heading', { name: 'Spring campaign' });
    fireEvent.click(screen.getByRole('link', { name: 'Skip to content' }));
    await waitFor(() => expect(currentAddress()).toBe(ADDRESS));
    expect(screen.getByRole('heading', { name: 'Spring campaign' })).toBeTruthy();
    goBack();
    goBack();
    await waitFor(() => expect(currentAddress()).toMatch(/^\/before/));
  });
});

describe('toBars', () => {
  it('joins days until they fit, and counts every click once', () => {
    const bars = toBars({ ...COUNTS, from: '2025-11-26' });
    expect(bars).toHaveLength(61);
    expect(bars[0]).toEqual({ from: '2025-11-26', to: '2025-12-01', clicks: 0 });
    expect(bars.at(-1)).toEqual({ from: '2026-11-21', to: '2026-11-26', clicks: 20 });
    expect(bars.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(30);
    expect(toBars({ ...COUNTS, from: '2026-09-26' })).toHaveLength(62);
    expect(toBars({ ...COUNTS, from: '2026-09-25' })).toHaveLength(32);
  });
});
