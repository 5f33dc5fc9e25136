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
    expect(screen.getByText('Nov 1 – 26, 2026 (UTC)')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'hop.example/spring' }).getAttribute('href')).toBe(
      'https://hop.example/spring+',
    );
    const table = screen.getByRole('table', { name: 'Clicks by date' });
    expect(within(table).getAllByRole('row')).toHaveLength(27);
    expect(within(table).getByRole('row', { name: 'Nov 26, 2026 20' })).toBeTruthy();
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      'India 20',
      'Other 10',
      'Other places India 20',
      'Other 10',
    ]);
    expect(screen.getByText('Fewer than 5 clicks.')).toBeTruthy();
    expect(screen.getByText(/through Nov 25, 2026 \(UTC\)/)).toBeTruthy();
  });

  it('another address shows another report', async () => {
    const calls = serveRoutes({ [OPEN]: VIEW });
    showPage(<SharedReportPage />, `/share#${'b'.repeat(43)}`, ADDRESS);
    await screen.findByRole('heading', { name: 'Spring campaign' });
    goBack();
    await waitFor(() => expect(calls[1]?.body).toEqual({ secret: 'b'.repeat(43) }));
  });

  it('lists the links of a tag with what the owner shows of them', async () => {
    const links = [
      { title: '', shortUrl: null, destination: 'https://example.com/a', clicks: 9 },
      { title: 'Leaflet', shortUrl: 'https://hop.example/b', destination: null, clicks: 8 },
    ];
    serveRoutes({ [OPEN]: { ...VIEW, kind: 'tag', counts: { ...COUNTS, lists: [], links } } });
    showPage(<SharedReportPage />, ADDRESS);
    await screen.findByText('Top links');
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
    serveRoutes({
      [OPEN]: (body) =>
        body !== null && typeof body === 'object' && 'password' in body
          ? body.password === 'correct horse'
            ? VIEW
            : failure(403, 'This password is not correct.', field)()
          : failure(403, 'This report needs a password.', field)(),
    });
    showPage(<SharedReportPage />, ADDRESS);
    const input = await screen.findByLabelText('Password');
    expect(screen.queryByText('This report needs a password.')).toBeNull();
    await press('Open report');
    await screen.findByText('Enter the password.');
    fireEvent.change(input, { target: { value: 'wrong' } });
    await press('Open report');
    await screen.findByText('This password is not correct.');
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } });
    await press('Open report');
    await screen.findByRole('heading', { name: 'Spring campaign' });
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
    serveRoutes({ [OPEN]: () => (fails ? failure(503, 'Unavailable.')() : Response.json(VIEW)) });
    showPage(<SharedReportPage />, ADDRESS);
    await screen.findByText('The report could not be loaded');
    fails = false;
    await press('Retry');
    await screen.findByRole('heading', { name: 'Spring campaign' });
  });

  it('keeps the secret when a link inside the page replaces the fragment', async () => {
    serveRoutes({ [OPEN]: VIEW });
    const { Link } = await import('react-router-dom');
    renderPage(
      <>
        <Link to="#content">Skip to content</Link>
        <SharedReportPage />
      </>,
      [ADDRESS],
    );
    await screen.findByRole('heading', { name: 'Spring campaign' });
    fireEvent.click(screen.getByRole('link', { name: 'Skip to content' }));
    await waitFor(() => expect(currentAddress()).toBe(ADDRESS));
    expect(screen.getByRole('heading', { name: 'Spring campaign' })).toBeTruthy();
  });
});

describe('toBars', () => {
  it('joins days until they fit, and counts every click once', () => {
    const bars = toBars({ ...COUNTS, from: '2025-11-26' });
    expect(bars).toHaveLength(61);
    expect(bars[0]).toEqual({ from: '2025-11-26', to: '2025-12-01', clicks: 0 });
    expect(bars.at(-1)).toEqual({ from: '2026-11-21', to: '2026-11-26', clicks: 20 });
    expect(bars.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(30);
  });
});
