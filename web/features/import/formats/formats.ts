import { normalizeName, type ColumnNames } from './columns.ts';
import type { ImportFormat } from '#contract/files/import-formats.ts';

export type Format = {
  format: ImportFormat;
  /** Lists of columns or JSON members. A file that has all of one list is in this format. */
  signatures: readonly (readonly string[])[];
  /** True if the service exports no tables, so a table with these columns has another origin. */
  onlyJson?: true;
  columns: ColumnNames;
  tagSeparator?: RegExp;
  /**
   * True if tables have an apostrophe before text that a spreadsheet would run as a formula, as
   * Hop's do.
   */
  hasGuardedCells?: true;
};

/** The format of a table, list or JSON of no known service. */
export const PLAIN: Format = { format: 'csv', signatures: [], columns: {} };

export const BITLY: Format = {
  format: 'bitly',
  signatures: [
    ['customlink', 'destinationurl'],
    ['link', 'destinationurl', 'engagements'],
    ['link', 'longurl', 'createdat'],
    ['link', 'longurl', 'custombitlinks'],
  ],
  columns: {
    url: ['destinationurl', 'longurl'],
    code: ['customlink', 'custombitlinks'],
    shortUrl: ['link'],
    clicks: ['engagements', 'totalengagements'],
  },
};

/**
 * docs/import.md links the documentation of each format. Names are as `normalizeName` writes them:
 * `meta.validUntil` is `metavaliduntil`.
 */
const FORMATS: readonly Format[] = [
  {
    format: 'hop',
    signatures: [
      ['shorturl', 'longurl', 'uniquevisitors'],
      ['shorturl', 'statusreason'],
    ],
    columns: {
      url: ['longurl', 'url'],
      code: ['shortcode', 'code'],
      clicks: ['clickshuman', 'clicks'],
    },
    tagSeparator: /,/,
    hasGuardedCells: true,
  },
  BITLY,
  {
    format: 'dub',
    signatures: [
      ['shortlink', 'destinationurl'],
      ['shortlink', 'domain', 'key', 'url'],
      ['link', 'url', 'clicks', 'createdat'],
    ],
    columns: {
      url: ['destinationurl', 'url'],
      code: ['key'],
      shortUrl: ['shortlink', 'link'],
      note: ['comments'],
    },
  },
  {
    format: 'kutt',
    signatures: [['address', 'target']],
    columns: { url: ['target'], code: ['address'], shortUrl: ['link', 'linkurl', 'linklink'] },
  },
  {
    format: 'shlink',
    signatures: [['shortcode', 'longurl']],
    columns: {
      createdAt: ['datecreated', 'createdat'],
      expiresAt: ['metavaliduntil'],
      clicks: ['visits', 'visitssummarytotal', 'visitscount'],
    },
    tagSeparator: /\|/,
  },
  {
    format: 'yourls',
    signatures: [
      ['keyword', 'url'],
      ['shorturl', 'url', 'timestamp'],
      ['source', 'target', 'hits'],
    ],
    columns: { url: ['url', 'target'], code: ['keyword', 'source'], createdAt: ['timestamp'] },
  },
  {
    format: 'shortio',
    signatures: [
      ['originalurl', 'path'],
      ['originalurl', 'originalpath'],
      ['originalurl', 'shorturl', 'idstring'],
      ['originalurl', 'secureshorturl'],
    ],
    columns: {
      url: ['originalurl'],
      code: ['originalpath', 'path'],
      shortUrl: ['secureshorturl', 'shorturl'],
      sourceId: ['idstring', 'id'],
    },
  },
  {
    format: 'rebrandly',
    signatures: [['slashtag', 'destination']],
    columns: { url: ['destination'], code: ['slashtag'] },
  },
  {
    format: 'sink',
    signatures: [['id', 'slug', 'url', 'createdat', 'updatedat']],
    onlyJson: true,
    columns: { note: ['comment'], expiresAt: ['expiration'] },
  },
];

/** Returns the format of a file with these columns or JSON members. */
export function recognize(names: Iterable<string>, isJson: boolean): Format {
  const found = new Set([...names].map(normalizeName));
  const isMatch = ({ signatures, onlyJson }: Format): boolean =>
    (isJson || onlyJson !== true) &&
    signatures.some((signature) => signature.every((name) => found.has(name)));
  return FORMATS.find(isMatch) ?? PLAIN;
}
