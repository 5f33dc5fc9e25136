import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import { makeReport } from '#web/testing/make-report.ts';
import { ReportHead } from './report-head.tsx';

afterEach(cleanup);

const onShare = vi.fn<() => void>();
const renderHead = (report: AnalyticsResponse | undefined) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <ReportHead
          code="a"
          report={report}
          range={{ range: '7d' }}
          onRange={() => undefined}
          failing={false}
          qr={<p>the QR code</p>}
          onShare={onShare}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  );
const openMenu = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'More actions for a' }));
  await screen.findByRole('menu');
};
const choose = async (name: string) => {
  fireEvent.click(screen.getByRole('menuitem', { name }));
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
};

describe('ReportHead', () => {
  it('shares the report of an own link, and not that of somebody else', async () => {
    const { unmount } = renderHead(makeReport());
    await openMenu();
    await choose('Share report');
    expect(onShare).toHaveBeenCalledOnce();
    unmount();
    renderHead(makeReport({ viewer: 'admin' }));
    await openMenu();
    expect(screen.queryByRole('menuitem', { name: 'Share report' })).toBeNull();
  });

  it('compares a link on a domain by its key', async () => {
    const report = makeReport();
    const short_url = 'https://go.example.com/a';
    renderHead({ ...report, url: { ...report.url, short_code: 'd.abcdefghjk/a', short_url } });
    await openMenu();
    const item = screen.getByRole('menuitem', { name: 'Compare with other links' });
    expect(item.getAttribute('href')).toContain('with=d.abcdefghjk%2Fa');
  });

  it('offers the export with advanced analytics only', async () => {
    const { unmount } = renderHead(makeReport());
    await openMenu();
    expect(screen.getByRole('menuitem', { name: 'Download CSV' })).toBeTruthy();
    unmount();
    renderHead({ ...makeReport(), advanced: false });
    await openMenu();
    expect(screen.getByRole('menuitem', { name: 'Print report' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Download CSV' })).toBeNull();
  });

  it('shows the long URL in full and hides it again', async () => {
    renderHead(makeReport());
    expect(screen.queryByText('https://example.com/')).toBeNull();
    await openMenu();
    await choose('Show destination');
    expect(screen.getByText('https://example.com/')).toBeTruthy();
    await openMenu();
    await choose('Hide destination');
    expect(screen.queryByText('https://example.com/')).toBeNull();
  });

  it('offers no ranges for a link without clicks', () => {
    const none = { totalClicks: 0, uniqueClicks: 0, activeDays: 0 };
    renderHead(makeReport({ lifetime: none }));
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('prints the mark and the days of the range', () => {
    renderHead(makeReport({ range: '7d' }));
    expect(
      screen.getByText(/^Clicks in the last 7 days: /).textContent.replaceAll('\u2009', ' '),
    ).toMatch(/^Clicks in the last 7 days: Nov 15 – 21, 2026\. Made on Nov 21, 2026/);
  });

  it('names the link and its range while the report loads', () => {
    renderHead(undefined);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(`${window.location.host}/a`);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '7 days' }).checked).toBe(true);
  });
});
