import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { FilteredReport } from '#contract/reports/analytics.ts';
import { makeFilteredReport } from '#web/testing/make-filtered-report.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { FilteredCard } from './filtered-card.tsx';

afterEach(cleanup);

function show(analytics: Partial<FilteredReport['analytics']>, unlisted = 0, total = 10): void {
  const report = makeFilteredReport({ range: '7d' }, { analytics, unlisted });
  const filter = { dimension: 'device', value: 'Mobile' } as const;
  showPage(<FilteredCard report={report} filters={[filter]} total={total} />);
}
const figures = () => screen.getAllByRole('tab').map(({ textContent }) => textContent);
const fact = (name: string) => screen.getByText(name).parentElement?.textContent;
const explain = () => {
  fireEvent.click(screen.getByRole('button', { name: 'About Clicks by Date' }));
  return screen.getByText(/^Device: Mobile\./).textContent;
};

describe('FilteredCard', () => {
  it('shows the matching clicks, and what is not counted with a filter', () => {
    show({});
    expect(figures()).toEqual([
      'Total Clicks770% of all clicks',
      'Unique Visitors–Not counted with a filter',
      'Clicks per visitor–Not counted with a filter',
    ]);
    expect(fact('Active Days')).toBe('Active Days–Not counted with a filter');
    expect(fact('Created')).toBe('CreatedJan 1, 20242 years ago');
    expect(screen.getByRole('table').textContent).toContain('Friday, November 20, 20267');
    expect(explain()).not.toContain('further');
    fireEvent.click(screen.getByRole('tab', { name: /^Unique/ }));
    expect(screen.getByText('Visitors are not counted with a filter.')).toBeTruthy();
  });

  it('one click that is not listed by pair makes the figure a minimum', () => {
    show({}, 1);
    expect(figures()[0]).toBe('Total Clicksat least 770% of all clicks');
    expect(explain()).toContain('1 further click may match, too, without being listed by pair.');
  });

  it('says how many of the last clicks match filters that are not counted together', () => {
    show({ totalClicks: null, clicksByDate: null, activeDays: 2 });
    expect(figures()[0]).toBe('Total Clicks–0 of the last 50 clicks');
    expect(fact('Active Days')).toBe('Active Days2');
    expect(screen.getByText(/They match 0 of the last 50 clicks\.$/)).toBeTruthy();
  });

  it('a range without clicks has 0% of them', () => {
    show({ totalClicks: 0, clicksByDate: {} }, 0, 0);
    expect(figures()[0]).toBe('Total Clicks00% of all clicks');
  });
});
