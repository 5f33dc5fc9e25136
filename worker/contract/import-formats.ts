/**
 * The files with links that are recognised, by the id that is stored with the links, and where each
 * comes from.
 */
export const IMPORT_FORMATS = {
  bitly: 'Bitly',
  dub: 'Dub',
  kutt: 'Kutt',
  shlink: 'Shlink',
  yourls: 'YOURLS',
  shortio: 'Short.io',
  rebrandly: 'Rebrandly',
  sink: 'Sink',
  hop: 'Hop',
  csv: 'a file',
} as const;
export type ImportFormat = keyof typeof IMPORT_FORMATS;

/** The name of where links come from. A format that a later release stored has no name here. */
export const importSource = (format: string): string =>
  Object.entries(IMPORT_FORMATS).find(([id]) => id === format)?.[1] ?? IMPORT_FORMATS.csv;
