import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { RecentClicks } from './recent-clicks.tsx';

afterEach(cleanup);

const at = (day: number) => new Date(2026, 10, day, 12).toISOString();
const click = (day: number) => ({
  clicked_at: at(day),
  country: 'IN',
  device_type: 'Mobile',
  browser: 'Chrome',
});
const textOfRows = () => screen.getAllByRole('row').map((row) => row.textContent);

describe('RecentClicks', () => {
  it('groups clicks by day', () => {
    render(<RecentClicks clicks={[21, 21, 20].map((day) => click(day))} />);
    expect(textOfRows()).toEqual([
      'TimeCountryDevice and browser',
      'Sat, Nov 21',
      '12:00 PMIndiaMobile · Chrome',
      '12:00 PMIndiaMobile · Chrome',
      'Fri, Nov 20',
      '12:00 PMIndiaMobile · Chrome',
    ]);
  });

  it.each([
    [10, undefined],
    [11, 'Show all 11 clicks'],
  ])('shows the first ten of %i clicks, and the others on request', (count, label) => {
    render(<RecentClicks clicks={Array.from({ length: count }, () => click(21))} />);
    const clicks = () => document.querySelectorAll('time').length;
    expect(clicks()).toBe(10);
    expect(screen.queryByRole('button')?.textContent).toBe(label);
    if (label === undefined) return;
    fireEvent.click(screen.getByRole('button'));
    expect(clicks()).toBe(11);
    expect(screen.getByRole('button', { expanded: true })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show fewer clicks' }));
    expect(clicks()).toBe(10);
  });

  it('shows a column for sources if any click has one', () => {
    render(<RecentClicks clicks={[click(21), { ...click(20), referrer: 'news.example' }]} />);
    expect(screen.getAllByRole('columnheader').at(-1)?.textContent).toBe('Source');
  });

  it('shows city, system and source where the plan has them', () => {
    const details = { browser: 'Mobile Safari', os: 'Mac OS', referrer: 't.co' };
    render(
      <RecentClicks
        clicks={[
          { ...click(21), ...details, city: 'Pune' },
          { ...click(20), ...details, city: 'Unknown' },
        ]}
      />,
    );
    expect(textOfRows()[0]).toBe('TimeCity and countryDevice, browser and systemSource');
    expect(textOfRows()[2]).toBe('12:00 PMPune IndiaMobile · Safari · macOS · XX');
    expect(textOfRows()[4]).toMatch(/^12:00\sPMIndiaMobile/);
    const titles = [...document.querySelectorAll('[title]')].map((cell) =>
      cell.getAttribute('title'),
    );
    const agent = 'Mobile · Safari · macOS';
    expect(titles).toEqual(['Pune, India', agent, 't.co', 'India', agent, 't.co']);
    expect(screen.getByRole('rowheader', { name: 'Sat, Nov 21' }).getAttribute('colspan')).toBe(
      '4',
    );
  });
});
