import type { ForwardParams } from '#contract/links/forward-params.ts';

/**
 * Returns the stored form, for `links.forward_params` and edge records: '' for none, '*' for all, or
 * names separated by commas.
 */
export function toStoredParams(params: ForwardParams): string {
  if (typeof params !== 'string') return [...new Set(params)].join(',');
  return params === 'all' ? '*' : '';
}

export function fromStoredParams(text: string): ForwardParams {
  if (text === '') return 'none';
  return text === '*' ? 'all' : text.split(',');
}
