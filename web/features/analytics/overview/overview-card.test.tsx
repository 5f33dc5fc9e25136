import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { OverviewResponse } from '#contract/reports/overview.ts';
import { formatDateTime } from '#web/shared/texts/format.ts';
import { makeOverview } from '#web/testing/make-overview.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { OverviewCard, OverviewNote } from './overview-card.tsx';

afterEach(cleanup);

const { analytics } = makeOverview();
const previousPeriod = {
  ...analytics,
  from: '2026-09-23',
  to: '2026-10-22',
  until: '2026-10-22T10:00:00Z',
  current: { totalClicks: 40, uniqueClicks: 20, activeDays: 1 },
};
const show = (rest: Partial<OverviewResponse>, address = '/') =>
  showPage(<OverviewCard overview={makeOverview(rest)} />, address);

describe('OverviewCard', () => {
  it.each<[Partial<OverviewResponse>, string | null, boolean]>([
    [{}, null, false],
    [
      { advanced: true },
      'No comparison yet: nobody had clicked your links when the period before began.',
      false,
    ],
    [
      { advanced: true, analytics: { ...analytics, previousPeriod } },
      'Compared with Sep 23 – Oct 22, 2026, over the same time.',
      true,
    ],
    [
      { advanced: true, range: 'all' },
      'Choose a shorter range to compare it with the one before.',
      false,
    ],
  ])('explains what the overview compares with: %#', (rest, text, hasLegend) => {
    show(rest);
    fireEvent.click(screen.getByRole('button', { name: 'About Clicks by Date' }));
    const hint = screen.getByText(/^By people\./).textContent.replaceAll('\u2009', ' ');
    expect(hint).toBe(['By people.', ...(text === null ? [] : [text])].join(' '));
    const legend = screen.queryByText('Previous period', { selector: 'span' });
    expect(legend !== null).toBe(hasLegend);
  });

  it('says that a person counts once per link and day', () => {
    show({}, '/?figure=visitors');
    fireEvent.click(screen.getByRole('button', { name: 'About Visitors by date' }));
    const meaning = 'Each person counts once per link and day, at their first click.';
    expect(screen.getByText(meaning)).toBeTruthy();
  });

  it('counts the links, and shows days although the plan has hours', () => {
    show({ analytics: { ...analytics, clicksByHour: {}, visitorsByHour: {} } });
    expect(screen.getByText('Links').parentElement?.textContent).toBe('Links300Not deleted');
    expect(screen.getByRole('table', { name: 'Clicks by day' })).toBeTruthy();
  });

  it('24 hours have no clicks per visitor', () => {
    show({ range: '24h' });
    const figure = screen.getByRole('tab', { name: /^Clicks per visitor/ });
    expect(figure.textContent).toBe('Clicks per visitor–');
  });
});

describe('OverviewNote', () => {
  const [minute, less] = ['2026-11-21T10:19:00Z', '2026-11-21T10:19:01Z'] as const;

  it.each<[Partial<OverviewResponse>, string]>([
    [{ countedAt: minute }, ` Brought up to date once an hour, last on ${formatDateTime(minute)}.`],
    [{ countedAt: less }, ` Updated ${formatDateTime(less)}.`],
    [
      { countedAt: null },
      ' Your clicks are being counted, so some are missing. Look again in a few minutes.',
    ],
    [
      { detailsSince: '2026-11-01' },
      'Archived links count. Everything below the chart counts from Nov 1, 2026 on. Times are in ',
    ],
    [
      { shortenedBy: 'size' },
      'Archived links count. Days before Oct 23, 2026 are left out, because these links have too many for one report. Times are in ',
    ],
    [
      { shortenedBy: 'retention' },
      'Days before Oct 23, 2026 are left out, because they are kept as months only. ',
    ],
  ])('says which clicks the overview counts, and until when: %o', (rest, text) => {
    showPage(<OverviewNote overview={makeOverview(rest)} />);
    expect(screen.getByText(/^Deleted links are left out\./).textContent).toContain(text);
  });
});
