import { normalizeName, type ColumnNames } from './columns.ts';
import type { ImportFormat } from '#contract/import-formats.ts';

export type Format = {
  format: ImportFormat;
  /**
   * Columns, or members of JSON, that together only this format has. One of the lists is enough.
   */
  signatures: readonly (readonly string[])[];
  /** The service has no tables, so a table with these columns comes from somewhere else. */
  onlyJson?: true;
  /** What names mean in this format, where that is not what they commonly mean. */
  columns: ColumnNames;
  /** Separates tags in one cell. */
  tagSeparator?: RegExp;
  /** Hop's own tables put an apostrophe before text that a spreadsheet would run as a formula. */
  hasGuardedCells?: true;
};

/** A table, list or JSON of no known service. */
export const PLAIN: Format = { format: 'csv', signatures: [], columns: {} };

/**
 * Where each form is documented: docs/import.md. Names are as `normalizeName` writes them;
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
  {
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
  },
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

/** The format whose files have these columns or, in JSON, these members. */
export function recognize(names: Iterable<string>, isJson: boolean): Format {
  const found = new Set([...names].map(normalizeName));
  const isMatch = ({ signatures, onlyJson }: Format): boolean =>
    (isJson || onlyJson !== true) &&
    signatures.some((signature) => signature.every((name) => found.has(name)));
  return FORMATS.find(isMatch) ?? PLAIN;
}
