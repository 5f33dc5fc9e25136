import type { LinkRule } from '#contract/rule-conditions.ts';

/** Rules as `links.rules` and edge records hold them. '' for none. */
export const toStoredRules = (rules: readonly LinkRule[]): string =>
  rules.length === 0 ? '' : JSON.stringify(rules);

export const fromStoredRules = (text: string): LinkRule[] => (text === '' ? [] : JSON.parse(text));
