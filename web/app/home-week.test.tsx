import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { utcDate } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { describeWeek, HomeWeek } from './home-week.tsx';

afterEach(cleanup);

const NOW = Date.parse('2026-11-26T10:00:00Z');
/** Clicks by how many days ago they were. */
const days = (clicks: Readonly<Record<number, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(clicks).map(([ago, count]) => [utcDate(NOW - Number(ago) * DAY_MS), count]),
  );

describe('describeWeek', () => {
  it.each<[Record<number, number>, string]>([
    [{}, 'No clicks in the last 7 days.'],
    [{ 7: 4 }, 'No clicks in the last 7 days.'],
    [{ 0: 1 }, '1 click in the last 7 days.'],
    [{ 0: 5, 6: 7, 7: 10 }, '12 clicks in the last 7 days, 20% more than in the 7 days before.'],
    [{ 1: 9, 13: 12 }, '9 clicks in the last 7 days, 25% fewer than in the 7 days before.'],
    [{ 1: 9, 13: 9 }, '9 clicks in the last 7 days, as many as in the 7 days before.'],
    [{ 0: 6, 8: 2 }, '6 clicks in the last 7 days, 3 times as many as in the 7 days before.'],
    [{ 0: 80, 8: 2 }, '80 clicks in the last 7 days, 40 times as many as in the 7 days before.'],
    [{ 0: 3, 14: 99 }, '3 clicks in the last 7 days.'],
  ])('says of the clicks %o “%s”', (clicks, text) => {
    expect(describeWeek(days(clicks), NOW)).toBe(text);
  });
});

describe('HomeWeek', () => {
  it('reads one report, and leads to Analytics also if that fails', async () => {
    const calls = serveRoutes({
      'GET /api/analytics': {
        generatedAt: new Date(NOW).toISOString(),
        analytics: { clicksByDate: days({ 0: 2 }) },
      },
    });
    showPage(<HomeWeek />);
    expect(await screen.findByText('2 clicks in the last 7 days.')).toBeTruthy();
    // The days before are compared, too.
    expect(calls.map(({ call }) => call)).toEqual(['GET /api/analytics?range=30d']);
    cleanup();
    serveRoutes({ 'GET /api/analytics': failure(503, 'Not now.') });
    showPage(<HomeWeek />);
    expect(await screen.findByText('The clicks of this week could not be loaded.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Analytics' }).getAttribute('href')).toBe('/analytics');
  });
});
