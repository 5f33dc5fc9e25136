/**
 * The KV keys of the files below /assets, of this release and of those before it. `npm run deploy`
 * writes them (docs/operations.md#upgrade).
 */
export const ASSET_KEYS = 'system:asset:';
export const assetKey = (name: string): string => ASSET_KEYS + name;

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  json: 'application/json',
};
/** A file that the build has named after its content, for example `index-C3x_9dQw.js`. */
const HASHED = /^\/assets\/([\w.-]+-[\w-]{8,}\.(\w+))$/;

/** Returns the name and type of a file that other releases may have, or null. */
export function releaseAsset(path: string): { name: string; type: string } | null {
  const [, name, ending = ''] = HASHED.exec(path) ?? [];
  const type = TYPES[ending];
  return name === undefined || type === undefined ? null : { name, type };
}
