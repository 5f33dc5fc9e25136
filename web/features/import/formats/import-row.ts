import type { NamesGivenBy, ShownSettings } from '#contract/links/link-settings.ts';
import type { Loss, LossKind } from './losses.ts';
import type { History } from './read-history.ts';
import { IMPORT_FORMATS, type ImportFormat } from '#contract/files/import-formats.ts';

/** The link settings in a file. Times are RFC 3339. */
type ImportedSettings = {
  [Name in Exclude<NamesGivenBy<'import'>, 'password'>]: NonNullable<ShownSettings[Name]>;
} & { password: string };

/**
 * A link in an import file. Its texts are unchanged, because the server validates them like any
 * input.
 */
export type ImportRow = Partial<ImportedSettings> & {
  /**
   * The line of the file where the link starts. In JSON and SQL, its position among the links,
   * counted from 1.
   */
  line: number;
  url: string;
  code?: string;
  tags?: string[];
  /** The id that the owner's own system has for the link. */
  externalId?: string;
  /** Other codes that lead to the link, the latest first. */
  earlierCodes?: string[];
  history?: History;
  /** RFC 3339, in UTC. */
  createdAt?: string;
  clicks?: number;
  /** True if the link does not redirect at present. */
  disabled?: boolean;
  /**
   * Identifies the link at the other service: its short link without `https://`, or else its id.
   */
  sourceId?: string;
  /** What the link does not keep, or why it is imported disabled. */
  losses?: LossKind[];
  /** Why the link cannot be imported. Such a row is listed like the others. */
  problem?: string;
};

export const FORMAT_NAMES: Record<ImportFormat, string> = { ...IMPORT_FORMATS, csv: 'CSV' };

export type ImportFile = {
  format: ImportFormat;
  formatName: string;
  rows: ImportRow[];
  columns?: { name: string; meaning: string | null }[];
  /** What the links of the file lose, known before anything is created. */
  losses: Loss[];
  /** A note about the whole file that its owner should read before the import. */
  notice?: string;
};

/** The whole file is unreadable. The message is shown to the member. */
export class ImportError extends Error {
  override name = 'ImportError';
}
