/** The recognized files with links and their sources, by the id that is stored with the links. */
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

/** The name of the source of imported links. A format from a later release has no name here. */
export const importSource = (format: string): string =>
  Object.entries(IMPORT_FORMATS).find(([id]) => id === format)?.[1] ?? IMPORT_FORMATS.csv;

/**
 * What to do with a row whose code is taken: skip it, generate a code, or append a number
 * (`spring-2`).
 */
export const COLLISION_CHOICES = ['skip', 'new_code', 'suffix'] as const;
export type CollisionChoice = (typeof COLLISION_CHOICES)[number];
