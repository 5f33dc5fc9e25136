import { INTERVAL_MS, readRecent } from '#worker/db/recent-counts.ts';
import { BUSY, ERRORS, type SystemFact } from '#worker/db/system-facts.ts';
import type { StoredFacts } from './facts.ts';

export function errorsOf(rows: readonly SystemFact[], now: number): StoredFacts['errors'] {
  const row = rows.find(({ name }) => name === ERRORS);
  if (row === undefined) return null;
  const { counts, before } = readRecent(row, now);
  const sum = (key: string): number => (counts[key] ?? 0) + (before[key] ?? 0);
  return sum('errors') === 0 ? null : { requests: sum('requests'), errors: sum('errors') };
}

export const busyOf = (rows: readonly SystemFact[], now: number): StoredFacts['busy'] =>
  rows
    .filter(({ name }) => name.startsWith(BUSY))
    .map((row) => ({
      name: row.name.slice(BUSY.length),
      share: (readRecent(row, now).before['ms'] ?? 0) / INTERVAL_MS,
    }));
