import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { RecentClicks } from './recent-clicks.tsx';

afterEach(cleanup);

/** Noon in the reader's time zone. */
const at = (day: number) => new Date(2026, 10, day, 12).toISOString();
const basic = { country: 'IN', device_type: 'Mobile', browser: 'Chrome' };
const textOfRows = () => screen.getAllByRole('row').map((row) => row.textContent);

describe('RecentClicks', () => {
  it('groups clicks by day', () => {
    render(<RecentClicks clicks={[at(21), at(21), at(20)].map((clicked_at) => ({ ...basic, clicked_at }))} />);
    expect(textOfRows()).toEqual([
      'TimeCountryDevice and browser',
      'Sat, Nov 21',
      '12:00IndiaMobile · Chrome',
      '12:00IndiaMobile · Chrome',
      'Fri, Nov 20',
      '12:00IndiaMobile · Chrome',
    ]);
  });

  it('shows city, system and source where the plan has them', () => {
    const click = { ...basic, clicked_at: at(21), city: 'Pune', os: 'Android', referrer: 'news.example' };
    render(<RecentClicks clicks={[click, { ...click, clicked_at: at(20), city: 'Unknown' }]} />);
    expect(textOfRows()[0]).toBe('TimeCity and countryDevice, browser and systemSource');
    expect(textOfRows()[2]).toBe('12:00Pune IndiaMobile · Chrome · Android · news.examplenews.example');
    expect(textOfRows()[4]).toMatch(/^12:00IndiaMobile/);
  });
});
