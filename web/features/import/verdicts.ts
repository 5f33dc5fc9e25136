import { DEFAULT_DOMAIN, splitKey } from '#contract/codes/domain-key.ts';
import { shortUrlOn } from '#contract/codes/link-key.ts';
import { csvText } from '#contract/files/csv.ts';
import type { ImportCheckLine, ImportLine, ImportLosses } from '#contract/files/import.ts';
import type { CollisionChoice } from '#contract/files/import-formats.ts';
import { domainOrigin } from '#web/shared/link-settings/domain-choices.ts';
import { hostOfLink } from './formats/read-values.ts';
import type { ImportRow } from './formats/import-row.ts';

/** The kinds of verdicts in the order in which they are listed. */
export const VERDICTS = {
  new: { label: 'New', tone: 'good' },
  created: { label: 'Created', tone: 'good' },
  exists: { label: 'Already there', tone: 'neutral' },
  skipped: { label: 'Code unavailable', tone: 'warn' },
  rejected: { label: 'Not allowed', tone: 'bad' },
  unreadable: { label: 'Unreadable', tone: 'bad' },
  over_quota: { label: 'Over the quota', tone: 'warn' },
  waiting: { label: 'Not imported', tone: 'neutral' },
} as const;
export type VerdictKind = keyof typeof VERDICTS;
export type RowVerdict = { row: ImportRow; kind: VerdictKind; code: string | null; text: string };

const OVER_QUOTA = 'Your quota has no room for this link.';

/**
 * What the server answered about rows, by their positions counted from 1, at the time `at` in ms.
 * `room` is the remaining quota. Rows with a code of their own first use the `allowance`.
 */
export type Checked = {
  lines: ReadonlyMap<number, ImportCheckLine>;
  room: number;
  allowance: number;
  at: number;
};

/** Returns what an import would do with each row. */
export function forecast(
  rows: readonly ImportRow[],
  { lines, room, allowance, at: now }: Checked,
  collisions: CollisionChoice,
): RowVerdict[] {
  const codes = new Set<string>();
  const left = { room, allowance };
  const toNew = (
    row: ImportRow,
    code: string | null,
    { lostCodes = [], losesExternalId }: ImportLosses,
  ): RowVerdict => {
    if (row.code !== undefined && left.allowance > 0) left.allowance -= 1;
    else if (left.room > 0) left.room -= 1;
    else return { row, kind: 'over_quota', code: null, text: OVER_QUOTA };
    if (code !== null) codes.add(code.toLowerCase());
    const hasEnded = row.expiresAt !== undefined && Date.parse(row.expiresAt) <= now;
    const notes = [
      code === null ? 'Gets a new code.' : '',
      code === null || splitKey(code).domain === DEFAULT_DOMAIN
        ? ''
        : `Stays on ${hostOfLink(row.sourceId)}.`,
      hasEnded ? 'Has ended, so it will not redirect.' : '',
      row.disabled === true ? 'Will be disabled, so it will not redirect.' : '',
      lostCodes.length === 0
        ? ''
        : `Earlier codes that can’t be used: ${lostCodes.map((key) => splitKey(key).code).join(', ')}.`,
      losesExternalId === true ? 'Another link has its external ID.' : '',
    ];
    return { row, kind: 'new', code, text: notes.filter((note) => note !== '').join(' ') };
  };
  const toTaken = (
    row: ImportRow,
    error: string,
    suffixed: string | null,
    losses: ImportLosses,
  ): RowVerdict => {
    if (collisions === 'skip') return { row, kind: 'skipped', code: null, text: error };
    return toNew(row, collisions === 'suffix' ? suffixed : null, losses);
  };
  return rows.map((row, at): RowVerdict => {
    const line = lines.get(at + 1);
    if (line === undefined) return unreadable(row);
    if (line.verdict === 'rejected') return { row, kind: 'rejected', code: null, text: line.error };
    if (line.verdict === 'exists') return { row, kind: 'exists', code: line.code, text: '' };
    if (line.verdict === 'taken') return toTaken(row, line.error, line.suffixed, line);
    // The server checks a few hundred rows at a time, so the code may belong to a row of an earlier
    // request.
    if (line.code !== null && codes.has(line.code.toLowerCase()))
      return toTaken(row, 'Another row has this code.', null, line);
    return toNew(row, line.code, line);
  });
}

/** Returns what an import has done with each row so far. */
export const outcomes = (
  rows: readonly ImportRow[],
  lines: ReadonlyMap<number, ImportLine>,
): RowVerdict[] =>
  rows.map((row, at): RowVerdict => {
    const line = lines.get(at + 1);
    if (row.problem !== undefined) return unreadable(row);
    if (line === undefined)
      return { row, kind: 'waiting', code: null, text: 'The import was stopped before this row.' };
    if ('code' in line) return { row, kind: line.verdict, code: line.code, text: '' };
    return { row, kind: line.verdict, code: null, text: line.error };
  });

const unreadable = (row: ImportRow): RowVerdict => ({
  row,
  kind: 'unreadable',
  code: null,
  text: row.problem ?? '',
});

/** Returns the kinds that the verdicts have, with their numbers of rows. */
export function countVerdicts(
  verdicts: readonly RowVerdict[],
): { kind: VerdictKind; count: number }[] {
  const isKind = (kind: string): kind is VerdictKind => Object.hasOwn(VERDICTS, kind);
  return Object.keys(VERDICTS)
    .filter(isKind)
    .map((kind) => ({ kind, count: verdicts.filter((verdict) => verdict.kind === kind).length }))
    .filter(({ count }) => count > 0);
}

/** The short URL of a row's link. A link on a domain has the host of its row. */
export function shortUrlOfRow(row: ImportRow, key: string): string {
  const { domain, code } = splitKey(key);
  return shortUrlOn(domainOrigin(domain === DEFAULT_DOMAIN ? '' : hostOfLink(row.sourceId)), code);
}

export function resultCsv(verdicts: readonly RowVerdict[]): string {
  const rows = verdicts.map(({ row, kind, code, text }) => [
    String(row.line),
    VERDICTS[kind].label,
    code === null ? '' : shortUrlOfRow(row, code),
    row.url,
    row.code ?? '',
    text,
  ]);
  return csvText([
    ['line', 'verdict', 'short_url', 'destination', 'code_in_file', 'reason'],
    ...rows,
  ]);
}
