import type { LinkVariant } from '#contract/links/link-variants.ts';
import type { LinkRule } from '#contract/links/rule-conditions.ts';

/** Converts rules or variants to the text that columns of `links` hold; '' for none. */
export const toStoredList = (items: readonly (LinkRule | LinkVariant)[]): string =>
  items.length === 0 ? '' : JSON.stringify(items);

export const fromStoredRules = (text: string): LinkRule[] => (text === '' ? [] : JSON.parse(text));

export const fromStoredVariants = (text: string): LinkVariant[] =>
  text === '' ? [] : JSON.parse(text);
