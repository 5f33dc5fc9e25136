import { UTM_FIELDS, type UtmField } from '#contract/presets/utm-templates.ts';

export type UtmValues = Record<UtmField, string>;

/** Returns the UTM values in a typed link; '' for missing ones. */
export function readUtm(link: string): UtmValues {
  const params = new URLSearchParams(splitLink(link).query);
  const valueOf = (field: UtmField): string => params.get(`utm_${field}`) ?? '';
  return {
    source: valueOf('source'),
    medium: valueOf('medium'),
    campaign: valueOf('campaign'),
    term: valueOf('term'),
    content: valueOf('content'),
  };
}

/**
 * Returns the link with these UTM values, each once. An empty value removes the parameter, and the
 * rest stays as typed.
 */
export const writeUtm = (link: string, values: Partial<UtmValues>): string =>
  UTM_FIELDS.reduce((text, field) => {
    const value = values[field];
    return value === undefined ? text : writeOne(text, `utm_${field}`, value);
  }, link.trim());

function writeOne(link: string, name: string, value: string): string {
  const { start, query, fragment } = splitLink(link);
  const pairs = query === '' ? [] : query.split('&');
  const isOwn = (pair: string): boolean => new URLSearchParams(pair).has(name);
  const others = pairs.filter((pair) => !isOwn(pair));
  const at = pairs.findIndex(isOwn);
  // Every server reads %20 as a space.
  const pair = new URLSearchParams([[name, value]]).toString().replaceAll('+', '%20');
  // The parameter keeps its position, or is appended.
  if (value !== '') others.splice(at === -1 ? others.length : at, 0, pair);
  return start + (others.length === 0 ? '' : `?${others.join('&')}`) + fragment;
}

function splitLink(link: string): { start: string; query: string; fragment: string } {
  const [, start = '', , query = '', fragment = ''] =
    /^([^?#]*)(\?([^#]*))?(#.*)?$/s.exec(link) ?? [];
  return { start, query, fragment };
}
