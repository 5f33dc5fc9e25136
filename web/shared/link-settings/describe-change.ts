import { formatNumber } from '#contract/language.ts';

/** A larger change is said without its percentage, which would mean nothing to a reader. */
const PERCENT_MAX = 1_000;

/** Compares a figure with that of an earlier period: 'Up 25% from 40', 'Up from 9'. */
export function describeChange(current: number, previous: number, format = formatNumber): string {
  if (current === previous) return 'Same as before';
  const direction = current > previous ? 'Up' : 'Down';
  const percent = Math.round((Math.abs(current - previous) / previous) * 100);
  // There is no percentage if the previous count is zero.
  const amount =
    previous === 0 || percent > PERCENT_MAX
      ? ''
      : percent === 0
        ? ' less than 1%'
        : ` ${formatNumber(percent)}%`;
  return `${direction}${amount} from ${format(previous)}`;
}
