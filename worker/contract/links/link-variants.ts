/**
 * One of the destinations between which a link divides its visitors. `weight` is the share of its
 * visitors in percent. The link's own destination gets the rest of 100. Without zod, because
 * redirects read it; the schema of requests is in link-rules.ts.
 */
export type LinkVariant = { url: string; weight: number };

export const isVariant = (value: unknown): value is LinkVariant =>
  typeof value === 'object' &&
  value !== null &&
  'url' in value &&
  typeof value.url === 'string' &&
  'weight' in value &&
  Number.isInteger(value.weight) &&
  Number(value.weight) > 0;

/** The share of the link's own destination, in percent. */
export const ownShare = (variants: readonly LinkVariant[]): number =>
  100 - variants.reduce((sum, { weight }) => sum + weight, 0);
