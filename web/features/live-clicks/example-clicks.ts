import type { LiveClick } from '#contract/reports/live-clicks.ts';

/** Seconds before now, country, code and source of clicks on the links of a shop. */
const CLICKS: readonly [ago: number, country: string, code: string, source: string][] = [
  [4, 'IN', 'monsoon', 'instagram.com'],
  [21, 'DE', 'recipes', 'google.com'],
  [47, 'BR', 'monsoon', 'Direct'],
  [66, 'US', 'menu', 'news.ycombinator.com'],
  [95, 'JP', 'recipes', 'Direct'],
  [131, 'NG', 'menu', 'facebook.com'],
  [158, 'GB', 'monsoon', 'youtube.com'],
  [190, 'AU', 'recipes', 'google.com'],
  [233, 'IN', 'menu', 'Direct'],
  [262, 'MX', 'recipes', 'instagram.com'],
  [301, 'ZA', 'monsoon', 'Direct'],
  [344, 'US', 'monsoon', 'linkedin.com'],
  [380, 'ID', 'recipes', 'facebook.com'],
  [417, 'CA', 'menu', 'google.com'],
  [455, 'EG', 'monsoon', 'Direct'],
  [498, 'AR', 'recipes', 'google.com'],
];

/** Clicks by country of a month, as dots below the arcs. */
export const EXAMPLE_COUNTRIES: Readonly<Record<string, number>> = {
  IN: 412,
  US: 287,
  DE: 143,
  BR: 121,
  GB: 96,
  JP: 74,
  NG: 61,
  MX: 48,
  AU: 44,
  ID: 39,
  ZA: 31,
  CA: 30,
  EG: 22,
  AR: 19,
  FR: 58,
  ES: 37,
  KE: 14,
  PH: 26,
  TR: 18,
  PL: 21,
};

/** Returns the clicks of the example as if they had just happened. */
export const makeExampleClicks = (now: number, shortOrigin: string): LiveClick[] =>
  CLICKS.map(([ago, country, code, source]) => ({
    clickedAt: new Date(now - ago * 1_000).toISOString(),
    country,
    code,
    shortUrl: `${shortOrigin}/${code}`,
    referrer: source,
  }));
