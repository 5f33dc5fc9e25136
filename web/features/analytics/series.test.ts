import { expect, test } from 'vitest';
import { countryName, rangeStart, flagEmoji, rankCounts, buildSeries } from './series.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

test('days without clicks are filled with zeros, ascending, up to today', () => {
  expect(buildSeries({ '2026-11-20': 2, '2026-11-18': 5 }, null, NOW)).toEqual({
    step: 'day',
    points: [
      { date: '2026-11-18', clicks: 5 },
      { date: '2026-11-19', clicks: 0 },
      { date: '2026-11-20', clicks: 2 },
      { date: '2026-11-21', clicks: 0 },
    ],
  });
});

test('a range begins on its first day even where nothing was clicked', () => {
  const { points } = buildSeries({ '2026-11-21': 1 }, rangeStart(NOW, 7), NOW);
  expect(points).toHaveLength(7);
  expect(points[0]).toEqual({ date: '2026-11-15', clicks: 0 });
});

test('what is older than days are kept goes by months', () => {
  const { step, points } = buildSeries({ '2025-08-01': 40, '2026-11-02': 1, '2026-11-20': 2 }, null, NOW);
  expect(step).toBe('month');
  expect(points).toHaveLength(16);
  expect(points[0]).toEqual({ date: '2025-08-01', clicks: 40 });
  expect(points.at(-1)).toEqual({ date: '2026-11-01', clicks: 3 });
});

test('the clicks of a series are the clicks that came in', () => {
  const counts = { '2025-10-01': 3, '2025-10-31': 4, '2026-02-28': 5 };
  for (const from of [null, '2025-01-01']) {
    expect(buildSeries(counts, from, NOW).points.reduce((sum, point) => sum + point.clicks, 0)).toBe(12);
  }
});

test('ranks by clicks, then by name', () => {
  expect(rankCounts({ b: 1, a: 1, c: 9, d: 0 }, 3)).toEqual([
    { name: 'c', clicks: 9 },
    { name: 'a', clicks: 1 },
    { name: 'b', clicks: 1 },
  ]);
});

test('countries have names and flags; a blank one is Unknown', () => {
  expect(flagEmoji('IN')).toBe('🇮🇳');
  expect(flagEmoji('Unknown')).toBe('');
  expect(countryName('IN')).toBe('India');
  expect(countryName('')).toBe('Unknown');
  expect(countryName('T1')).toBe('Tor network');
});
