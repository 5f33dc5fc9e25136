import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import { config } from '#web/shared/page/config.ts';
import { rejection, serve } from '#web/testing/fake-server.ts';
import { makeReport } from '#web/testing/make-report.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { focusNextHeading } from '#web/ui/use-heading-focus.ts';
import { ReportHead } from './report-head.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  takeToasts();
});

const onShare = vi.fn<() => void>();
const renderHead = (report: AnalyticsResponse | undefined, code = 'a') =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <ReportHead
          code={code}
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
    expect(screen.queryByRole('menuitem', { name: /^Compare/ })).toBeNull();
  });

  it('compares a link on a domain by its key', async () => {
    const report = makeReport();
    const short_url = 'https://go.example.com/a';
    renderHead({ ...report, url: { ...report.url, short_code: 'd.abcdefghjk/a', short_url } });
    await openMenu();
    const item = screen.getByRole('menuitem', { name: 'Compare with other links' });
    expect(item.getAttribute('href')).toBe('/analytics?compare=links&with=d.abcdefghjk%2Fa');
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
    const print = vi.fn<() => void>();
    vi.stubGlobal('print', print);
    await choose('Print report');
    expect(print).toHaveBeenCalledOnce();
  });

  it('shows the QR code in a dialog', async () => {
    renderHead(makeReport());
    await openMenu();
    await choose('QR code');
    const dialog = within(await screen.findByRole('dialog', { name: 'QR code for a' }));
    expect(dialog.getByText('the QR code')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('shows the long URL in full and hides it again', async () => {
    const report = makeReport();
    const long_url = 'https://example.com/a?b';
    renderHead({ ...report, url: { ...report.url, long_url } });
    const link = screen.getByTitle(long_url);
    expect([link.textContent, link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
      'example.com/a?b',
      long_url,
      'noopener noreferrer nofollow',
    ]);
    expect(screen.queryByText(long_url)).toBeNull();
    await openMenu();
    await choose('Show destination');
    expect(screen.getByText(long_url)).toBeTruthy();
    await openMenu();
    await choose('Hide destination');
    expect(screen.queryByText(long_url)).toBeNull();
  });

  it('offers no ranges for a link without clicks', () => {
    const none = { totalClicks: 0, uniqueClicks: 0, activeDays: 0 };
    renderHead(makeReport({ lifetime: none }));
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('prints the mark and the days of the range', () => {
    const printed = () => screen.getByText(/^Clicks in /).textContent.replaceAll('\u2009', ' ');
    const { shortOrigin } = config;
    config.shortOrigin = 'https://s.example';
    onTestFinished(() => void (config.shortOrigin = shortOrigin));
    const { unmount } = renderHead(makeReport({ range: '7d' }));
    // The host of the site, which can differ from that of the short links.
    expect(screen.getByText(/^Clicks in /).previousSibling?.textContent).toBe(location.host);
    expect(printed()).toMatch(
      /^Clicks in the last 7 days: Nov 15 – 21, 2026\. Made on Nov 2\d, 2026, \d+:\d\d/,
    );
    unmount();
    renderHead(makeReport());
    expect(printed()).toContain('Clicks in all time: Jan 1, 2024 – Nov 21, 2026.');
  });

  it('names the link and its range while the report loads', () => {
    const { unmount } = renderHead(undefined);
    const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
    expect(heading()).toBe(`${window.location.host}/a`);
    expect(document.title).toMatch(/^Analytics for a /);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '7 days' }).checked).toBe(true);
    const live = screen.getByTitle('Updates every 10 seconds while the page is visible');
    expect(live.className).toContain('invisible');
    const stop = vi.spyOn(document, 'removeEventListener');
    unmount();
    expect(stop.mock.calls.map(([event]) => event)).toContain('visibilitychange');
    // The host of a domain is not known yet.
    focusNextHeading();
    renderHead(undefined, 'd.abcdefghjk/a');
    expect(heading()).toBe('a');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });
});

describe('actions of the report', () => {
  const long_url = 'https://example.com/a?b';
  // A link on a domain.
  const url = {
    ...makeReport().url,
    short_code: 'd.abcdefghjk/a',
    short_url: 'https://go.example.com/a',
    long_url,
  };
  const chooseOf = async (made: AnalyticsResponse, name: string): Promise<void> => {
    renderHead(made);
    await openMenu();
    await choose(name);
  };

  it.each([
    ['CSV', 'csv', '\uFEFFdate,clicks', 'text/csv', '30d', 'range=30d'],
    [
      'JSON',
      'json',
      '{\n  "a": 1\n}',
      'application/json',
      '2026-10-01-2026-10-31',
      'from=2026-10-01&to=2026-10-31',
    ],
  ])('downloads the shown range as %s', async (label, format, content, type, name, search) => {
    const blobs: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) blobs.push(blob);
      return 'blob:x';
    });
    const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const requests = serve(() => (format === 'csv' ? new Response('date,clicks') : { a: 1 }));
    const range =
      format === 'csv'
        ? { range: '30d' as const }
        : { range: 'custom' as const, period: { from: '2026-10-01', to: '2026-10-31' } };
    await chooseOf(makeReport({ ...range, url }), `Download ${label}`);
    await waitFor(() => expect(save).toHaveBeenCalledOnce());
    expect(save.mock.contexts[0]).toMatchObject({ download: `analytics-a-${name}.${format}` });
    expect(requests).toEqual([
      `GET /api/analytics/d.abcdefghjk%2Fa/export?${search}&format=${format}`,
    ]);
    const bytes = new Uint8Array((await blobs[0]?.arrayBuffer()) ?? new ArrayBuffer());
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe(content);
    expect(blobs[0]?.type).toBe(type);
  });

  it('says why an export failed', async () => {
    serve(() => rejection(503, 'Down.'));
    await chooseOf(makeReport(), 'Download CSV');
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([
        { text: 'The export failed.', note: 'Down.', tone: 'bad' },
      ]),
    );
  });

  it('copies the URLs of the link, and says when the browser blocks that', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await chooseOf(makeReport({ url }), 'Copy destination');
    fireEvent.click(screen.getByRole('button', { name: 'Copy go.example.com/a' }));
    expect(writeText.mock.calls).toEqual([[long_url], ['https://go.example.com/a']]);
    expect(takeToasts()).toEqual([]);
    writeText.mockRejectedValue(new DOMException('denied', 'NotAllowedError'));
    await openMenu();
    await choose('Copy destination');
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([{ text: expect.stringContaining('blocked copying') }]),
    );
  });

  it('opens the preview in a page that cannot reach this one', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    await chooseOf(makeReport(), 'Preview');
    expect(open).toHaveBeenCalledExactlyOnceWith('https://hop.example/a+', '_blank', 'noopener');
  });
});
