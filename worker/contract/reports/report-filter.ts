/**
 * A filter selects the clicks with one value of one dimension: `country:IN`,
 * `city:IN|KA|Bengaluru`, `browser:Chrome`. Clicks are counted per day by place, by agent and by
 * referrer, and by pairs with the country, so a filter only applies to panels of its own group and
 * to counted pairs (docs/product.md#filters).
 */
export type Filter = { dimension: FilterDimension; value: string };

/** The member of the report that lists the values of each dimension. */
export const FILTER_PANELS = {
  country: 'clicksByCountry',
  city: 'clicksByCity',
  device: 'clicksByDevice',
  browser: 'clicksByBrowser',
  os: 'clicksByOs',
  referrer: 'clicksByReferrer',
} as const;
export type FilterDimension = keyof typeof FILTER_PANELS;

/** In UTF-16 units. The longest value is a city with its country and region, each at most 80. */
export const FILTER_MAX = 200;

/**
 * The name that sums all values that are not listed. These clicks have no common value, so it
 * cannot be a filter.
 */
const REST = 'Other';

export const formatFilter = ({ dimension, value }: Filter): string => `${dimension}:${value}`;

/** The filter value of a city. City names repeat, so it includes the country and region. */
export const cityValue = ({
  country,
  region,
  city,
}: {
  country: string;
  region: string;
  city: string;
}): string => `${country}|${region}|${city}`;

export const canFilterBy = (value: string): boolean =>
  value !== REST && !value.endsWith(`|${REST}`);

/** Null if the text is not a filter. */
export function parseFilter(text: string): Filter | null {
  const colon = text.indexOf(':');
  const dimension = text.slice(0, Math.max(0, colon));
  const value = text.slice(colon + 1);
  if (text.length > FILTER_MAX || !isDimension(dimension) || value === '' || !canFilterBy(value))
    return null;
  if (dimension === 'city' && value.split('|').length !== 3) return null;
  return { dimension, value };
}

const isDimension = (text: string): text is FilterDimension => Object.hasOwn(FILTER_PANELS, text);

/** The group of counts that contains each dimension. */
export const GROUP_OF = {
  country: 'place',
  city: 'place',
  device: 'agent',
  browser: 'agent',
  os: 'agent',
  referrer: 'ref',
} as const satisfies Record<FilterDimension, string>;

/** The dimensions whose pairs with the country are counted. */
export const PAIRED = ['device', 'referrer'] as const satisfies readonly FilterDimension[];
export type PairedDimension = (typeof PAIRED)[number];

export const isPaired = (dimension: FilterDimension): dimension is PairedDimension =>
  PAIRED.some((name) => name === dimension);

/** Whether clicks are counted by these two dimensions together. */
export const canCombine = (a: FilterDimension, b: FilterDimension): boolean =>
  GROUP_OF[a] === GROUP_OF[b] ||
  (a === 'country' && isPaired(b)) ||
  (b === 'country' && isPaired(a));
