import { cityValue, GROUP_OF, type FilterDimension } from '#contract/reports/report-filter.ts';
import { add, type ClickCounts, type Tally } from '#worker/clicks/fold/counts.ts';
import { parseAgent, parsePlace, parseReferrer } from './panels.ts';

/**
 * Returns the name under which panels list a stored value. A stored value has several dimensions,
 * for example country, region and city; this is the name in one of them.
 */
export function valueOf(dimension: FilterDimension, val: string): string {
  if (dimension === 'referrer') return parseReferrer(val);
  if (dimension === 'city') return cityValue(parsePlace(val));
  return dimension === 'country' ? parsePlace(val).country : parseAgent(val)[dimension];
}

export function countNames(dimension: FilterDimension, counts: ClickCounts): Tally {
  const tally: Tally = new Map();
  for (const [val, n] of counts[GROUP_OF[dimension]]) add(tally, valueOf(dimension, val), n);
  return tally;
}
