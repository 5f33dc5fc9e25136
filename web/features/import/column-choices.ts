import { COLUMN_CHOICES } from '#web/shared/session/import-database.ts';
import { normalizeName } from './formats/columns.ts';

/** The meaning that a member chose for each column, by its name. */
export type ColumnChoices = Record<string, string>;

/** How many files with different columns are remembered, the latest first. */
const REMEMBERED_MAX = 20;

const headerOf = (names: readonly string[]): string =>
  names
    .map(normalizeName)
    .toSorted((a, b) => a.localeCompare(b))
    .join('|');

/** What was chosen for the last file with these columns; undefined if nothing was. */
export const findChoices = (names: readonly string[]): ColumnChoices | undefined =>
  read().find(({ header }) => header === headerOf(names))?.choices;

/** Remembers the choices for the next file with the same columns, until the sign-out. */
export function rememberChoices(choices: ColumnChoices): void {
  const header = headerOf(Object.keys(choices));
  const others = read().filter((entry) => entry.header !== header);
  try {
    localStorage.setItem(
      COLUMN_CHOICES,
      JSON.stringify([{ header, choices }, ...others].slice(0, REMEMBERED_MAX)),
    );
  } catch {
    // Storage is blocked or full: the choices hold for this file only.
  }
}

function read(): { header: string; choices: ColumnChoices }[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(COLUMN_CHOICES) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

const isEntry = (entry: unknown): entry is { header: string; choices: ColumnChoices } =>
  typeof entry === 'object' &&
  entry !== null &&
  'header' in entry &&
  'choices' in entry &&
  typeof entry.header === 'string' &&
  typeof entry.choices === 'object' &&
  entry.choices !== null &&
  Object.values(entry.choices).every((choice) => typeof choice === 'string');
