import { formatDateInUtc } from '#web/shared/texts/format.ts';

/** 'Nov 1 – 30, 2026' for two UTC days, 'Nov 1, 2026' for one. */
export const formatUtcPeriod = (from: string, to: string): string =>
  from === to ? formatDateInUtc(from) : formatDateInUtc(from, to);
