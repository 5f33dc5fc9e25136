import type { NamesGivenBy, ShownSettings } from '#contract/link-settings.ts';
import { IMPORT_FORMATS, type ImportFormat } from '#contract/import-formats.ts';

/** The settings that a file has for a link. Times are RFC 3339. */
type ImportedSettings = {
  [Name in NamesGivenBy<'import'>]: NonNullable<ShownSettings[Name]>;
};

/**
 * A link as an import file has it. Its text is what the file says: the server checks it like any
 * other input.
 */
export type ImportRow = Partial<ImportedSettings> & {
  /** The line of the file where the link starts. In JSON: its position in the list, from 1. */
  line: number;
  url: string;
  code?: string;
  tags?: string[];
  /** RFC 3339, in UTC. */
  createdAt?: string;
  /** The total that the other service counted. */
  clicks?: number;
  /** The link does not redirect at present. */
  disabled?: boolean;
  /**
   * What identifies the link in the other service: its short link without `https://` or, without
   * one, its id.
   */
  sourceId?: string;
  /** Why the link cannot be imported. Such a row is listed like the others. */
  problem?: string;
};

/** What the page calls a file of each format. `csv` stands for any other table, list or JSON. */
export const FORMAT_NAMES: Record<ImportFormat, string> = { ...IMPORT_FORMATS, csv: 'CSV' };

export type ImportFile = {
  format: ImportFormat;
  formatName: string;
  rows: ImportRow[];
  /** What the columns of a table mean; null for a column that is not imported. */
  columns?: { name: string; meaning: string | null }[];
  /** Something about the whole file that its owner should know before importing it. */
  notice?: string;
};

/** The file as a whole cannot be read. The message is shown to the member. */
export class ImportError extends Error {
  override name = 'ImportError';
}
