import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { TimesResponse } from '#contract/reports/times.ts';
import { TimesCounts } from './times-counts.tsx';

afterEach(cleanup);

/** Clicks at hours of the week; the first is Monday, 00:00. */
const times = (counts: Record<number, number>, hoursSince: string | null = null) => {
  const clicksByWeekHour = Array.from({ length: 168 }, (_, hour) => counts[hour] ?? 0);
  const answer: TimesResponse = {
    range: '30d',
    period: { from: '2026-10-23', to: '2026-11-21' },
    shortenedBy: null,
    timeZone: 'UTC',
    totalClicks: clicksByWeekHour.reduce((sum, n) => sum + n, 0),
    clicksByWeekHour,
    hoursSince,
  };
  return <TimesCounts times={answer} />;
};

describe('TimesCounts', () => {
  it('shows no weekdays and no busiest hour below 100 clicks', () => {
    const { rerender, container } = render(times({ 10: 49, 34: 50 }));
    expect(container.textContent).toContain('Not enough clicks for a pattern yet: 99 clicks');
    expect(screen.queryByRole('table')).toBeNull();
    const hours = screen.getAllByRole('listitem');
    expect(hours).toHaveLength(24);
    expect(hours[10]?.textContent).toContain('10:00: 99 clicks');
    const labels = hours.map((hour) => hour.lastElementChild?.textContent);
    expect(labels.filter((text) => text !== '')).toEqual(['00:00', '06:00', '12:00', '18:00']);
    rerender(times({ 10: 100 }));
    expect(screen.getByRole('table', { name: 'Clicks by weekday and hour' })).toBeTruthy();
    expect(container.textContent).not.toContain('Not enough');
  });

  it('names the busiest hour, and how many others have as many clicks', () => {
    const { container, rerender } = render(times({ 0: 50, 34: 50, 167: 50 }));
    expect(container.textContent).toMatch(
      /Busiest: Monday, 00:00 and 2 other hours, 50 clicks each/,
    );
    expect(screen.getByTitle('Tuesday, 10:00: 50 clicks').textContent).toBe('50');
    expect(screen.getByTitle('Tuesday, 11:00: 0 clicks').textContent).toBe('0');
    rerender(times({ 0: 50, 34: 51 }));
    expect(container.textContent).toMatch(/Busiest: Tuesday, 10:00, 51 clicks/);
    rerender(times({ 0: 50, 1: 50 }));
    expect(container.textContent).toMatch(/Monday, 00:00 and 1 other hour, 50 clicks each/);
  });

  it('says since when hours are kept, and that a range has none', () => {
    const { container, rerender } = render(times({ 0: 100 }, '2026-11-01'));
    expect(container.textContent).toContain('Hours are kept since Nov 1, 2026.');
    rerender(times({}));
    expect(container.textContent).toBe('No clicks in this range');
  });
});
