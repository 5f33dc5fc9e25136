import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['America/Los_Angeles', 'Nov 19, 2026'],
  ['Pacific/Kiritimati', 'Nov 20, 2026'],
])('dates in UTC are the same for readers in %s, and local ones are not', async (zone, local) => {
  vi.stubEnv('TZ', zone);
  vi.resetModules();
  const { formatDate, formatDateInUtc, formatUtcMonthDay } = await import('./format.ts');
  const { privacyDates, termsDates } = await import('#web/features/marketing/legal-dates.ts');
  expect(formatDate('2026-11-20T04:00:00Z')).toBe(local);
  expect(formatDateInUtc('2026-11-20T23:00:00Z')).toBe('Nov 20, 2026');
  expect(formatUtcMonthDay('2026-11-20')).toBe('Nov 20');
  expect(termsDates()).toContain('Last updated September 4, 2025;');
  expect(privacyDates()).toContain('Last updated September 3, 2025;');
});
