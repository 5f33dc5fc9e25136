import type { ForwardParams } from '#contract/forward-params.ts';

/**
 * Returns the stored form of a rule, for `links.forward_params` and edge records: '' for none, '*'
 * for all, or names separated by commas.
 */
export function toStoredRule(rule: ForwardParams): string {
  if (typeof rule !== 'string') return [...new Set(rule)].join(',');
  return rule === 'all' ? '*' : '';
}

export function fromStoredRule(text: string): ForwardParams {
  if (text === '') return 'none';
  return text === '*' ? 'all' : text.split(',');
}
