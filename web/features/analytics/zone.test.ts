import { afterEach, expect, it, vi } from 'vitest';

const NOW = Date.UTC(2026, 10, 21, 10, 20);

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['UTC', 'Times are in UTC.', 'Saturday, November 21, 2026', 'Nov 21, 10:20 AM'],
  [
    'America/Los_Angeles',
    'Times are in your time zone (America/Los_Angeles). A day begins at 4:00 PM there, which is midnight UTC.',
    'Saturday, November 21, 2026',
    'Nov 21, 2:20 AM',
  ],
])('in %s, days are those of UTC and times local, as a sentence says', async (zone, ...texts) => {
  vi.stubEnv('TZ', zone);
  vi.resetModules();
  const { describeZone } = await import('./zone.ts');
  const { formatPoint } = await import('./clicks-chart.tsx');
  const day = { at: Date.UTC(2026, 10, 21), lastDay: NOW, clicks: 0, visitors: 0, previous: null };
  const shown = [
    describeZone(NOW),
    formatPoint('day', day).name,
    formatPoint('hour', { ...day, at: NOW }).name,
  ];
  expect(shown.map((text) => text.replaceAll('\u202f', ' '))).toEqual(texts);
});
