import type { Change } from '#contract/admin.ts';
import { formatNumber } from '#web/shared/format.ts';

/** How a figure compares with the one of the 30 days before: 'Up 25% from 8', or both numbers where there is no percentage. */
export function describeChange({ now, before }: Change): string {
  if (before === 0) return now === 0 ? 'None in the 30 days before' : 'Up from 0';
  if (now === before) return 'As many as in the 30 days before';
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  const size = percent === 0 ? 'less than 1%' : `${formatNumber(percent)}%`;
  return `${now > before ? 'Up' : 'Down'} ${size} from ${formatNumber(before)}`;
}
