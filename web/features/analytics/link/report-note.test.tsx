import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { makeReport } from '#web/testing/make-report.ts';
import { ReportNote } from './report-note.tsx';

afterEach(cleanup);

describe('ReportNote', () => {
  it.each<[Parameters<typeof makeReport>[0], RegExp]>([
    [
      { imported: { clicks: 12_345, from: 'Bitly' } },
      /^12,345 clicks before the import from Bitly\. The other figures do not include them\. No bots/,
    ],
    [{ setAside: { bots: 2, prefetches: 1 } }, /^2 bots and 1 prefetch excluded\./],
    [{ setAside: { bots: 0, prefetches: 3 } }, /^3 prefetches excluded\./],
    [{ setAside: { bots: 1, prefetches: 0 } }, /^1 bot excluded\./],
    [{}, /^No bots or prefetches\. +Times are in .*\. Updated 12:05:09\sPM\.$/],
    [
      { shortenedBy: 'retention', period: { from: '2025-10-01', to: '2026-11-21' } },
      /^Earlier days than Oct 1, 2025 are kept as months only\. No bots/,
    ],
  ])('says what the figures leave out, and how old they are: %o', (rest, text) => {
    render(<ReportNote report={makeReport(rest)} updatedAt={+new Date(2026, 10, 21, 12, 5, 9)} />);
    expect(screen.getByText(/^Updated /).closest('p')?.textContent).toMatch(text);
  });

  it('explains on request what bots and prefetches are', () => {
    render(<ReportNote report={makeReport()} updatedAt={0} />);
    fireEvent.click(screen.getByRole('button', { name: 'About bots and prefetches' }));
    expect(screen.getByText(/^Bots are programs such as search engines/)).toBeTruthy();
  });
});
