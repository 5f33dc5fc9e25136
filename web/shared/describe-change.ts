import { formatNumber } from '#contract/language.ts';

/** How a figure compares with the one of an earlier period: 'Up 25% from 40'. */
export function describeChange(current: number, previous: number, format = formatNumber): string {
  if (current === previous) return 'Same as before';
  const direction = current > previous ? 'Up' : 'Down';
  const percent = Math.round((Math.abs(current - previous) / previous) * 100);
  // Without a previous count there is no percentage.
  const amount =
    previous === 0 ? '' : percent === 0 ? ' less than 1%' : ` ${formatNumber(percent)}%`;
  return `${direction}${amount} from ${format(previous)}`;
}
