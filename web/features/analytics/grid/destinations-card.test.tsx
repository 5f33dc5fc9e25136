import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DestinationFigures } from '#contract/reports/analytics.ts';
import { measureShare } from '#contract/reports/compare-shares.ts';
import { renderPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { DestinationsCard } from './destinations-card.tsx';

afterEach(() => {
  cleanup();
  takeToasts();
  vi.unstubAllGlobals();
});

const A = 'https://a.example/';
const B = 'https://b.example/page';
const rowsOf = (a: number, b: number): DestinationFigures[] => [
  { url: A, weight: 70, clicks: a + 9, visitors: a, share: measureShare(a, a + b) },
  { url: B, weight: 30, clicks: b + 9, visitors: b, share: measureShare(b, a + b) },
];
const EARLIER = { url: null, weight: null, clicks: 4, visitors: 2, share: null };

const show = (destinations: DestinationFigures[], canChange = true) =>
  renderPage(<DestinationsCard code="abc" destinations={destinations} canChange={canChange} />);

describe('DestinationsCard', () => {
  it('shows shares as set and measured with their interval, visitors and clicks', () => {
    show([...rowsOf(140, 60), EARLIER]);
    const [own, other, earlier] = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(own).toContain('70% set, 70% measured (63% to 76%) · 140 visitors · 149 clicks');
    expect(own).toContain('Default');
    expect(other).toContain('30% set, 30% measured (24% to 37%)');
    expect(earlier).toBe('Earlier destinationsEarlier2 visitors · 4 clicks');
  });

  it.each([
    [rowsOf(0, 0), /Too few visitors/],
    [rowsOf(40, 30), /Too few visitors/],
    [rowsOf(140, 60), /chance explains the difference/],
    [rowsOf(100, 100), /more than chance explains/],
  ])('says what the difference from the set shares means (%#)', (rows, text) => {
    show(rows);
    expect(screen.getByText(text)).toBeTruthy();
  });

  it('makes a variant the destination in one press, and undoes it', async () => {
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
      sent.push(JSON.parse(body));
      return Promise.resolve(Response.json({}));
    });
    show(rowsOf(140, 60));
    fireEvent.click(screen.getByRole('button', { name: 'Make b.example/page the destination' }));
    await waitFor(() => expect(sent).toEqual([{ longUrl: B, variants: [] }]));
    const [message] = await vi.waitUntil(() => {
      const toasts = takeToasts();
      return toasts.length > 0 ? toasts : undefined;
    });
    message?.action?.onSelect();
    await waitFor(() =>
      expect(sent[1]).toEqual({ longUrl: A, variants: [{ url: B, weight: 30 }] }),
    );
  });

  it('offers no change to a reader who may not change the link', () => {
    show(rowsOf(140, 60), false);
    expect(screen.queryByRole('button', { name: /the destination/ })).toBeNull();
  });
});
