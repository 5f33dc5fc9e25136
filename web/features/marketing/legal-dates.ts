import { dateFormat } from '#contract/language.ts';

const formatLong = dateFormat({ dateStyle: 'long', timeZone: 'UTC' });

/**
 * When the texts were first written, and when they last changed. A change of a text needs a new
 * date here: scripts/build/legal-texts.test.ts compares the texts of the built pages.
 */
export const LEGAL_DATES = {
  '/privacy': { written: '2025-09-03', changed: '2026-11-27' },
  '/terms': { written: '2025-09-04', changed: '2026-11-26' },
} as const;

const datesOf = ({ written, changed }: { written: string; changed: string }): string =>
  `Last updated ${formatLong(written)}; text changed ${formatLong(changed)}`;

export const privacyDates = (): string =>
  `${datesOf(LEGAL_DATES['/privacy'])}; retention table generated from this release`;

export const termsDates = (): string => datesOf(LEGAL_DATES['/terms']);
