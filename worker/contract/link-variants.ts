/**
 * One of the destinations between which a link divides its visitors. `weight` is the share of its
 * visitors in percent. The link's own destination gets the rest of 100. Without zod, because
 * redirects read it; the schema of requests is in link-rules.ts.
 */
export type LinkVariant = { url: string; weight: number };

/** The share of the link's own destination, in percent. */
export const ownShare = (variants: readonly LinkVariant[]): number =>
  100 - variants.reduce((sum, { weight }) => sum + weight, 0);
