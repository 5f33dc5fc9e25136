import type { ReactNode } from 'react';
import type { MyLinksResponse } from '#contract/links/links.ts';
import { formatNumber } from '#contract/language.ts';
import { formatDateTime } from '#web/shared/texts/format.ts';
import { StatStrip } from './stat-strip.tsx';

/** Returns total clicks divided by the number of links, rounded; 0 if there are no links. */
export const averageClicks = (totals: { links: number; clicks: number }): number =>
  totals.links === 0 ? 0 : Math.round(totals.clicks / totals.links);

/**
 * Shows statistics of all links after `plan`. `totals` is null while they load; if that fails, each
 * figure is a dash. Accounts without links see quiet zeros.
 */
export function LinkStats({
  totals,
  failed,
  plan,
}: {
  totals: MyLinksResponse['totals'] | null;
  failed: boolean;
  plan: ReactNode;
}) {
  const format = (pick: (all: MyLinksResponse['totals']) => number): string | null =>
    totals === null ? (failed ? '–' : null) : formatNumber(pick(totals));
  return (
    <StatStrip
      lead={plan}
      quiet={totals?.links === 0}
      meaning="Active links have more than 0 clicks."
      items={[
        {
          label: 'Total Links',
          value: format((all) => all.links),
          note:
            totals?.countedAt == null
              ? 'Without deleted links'
              : `As of ${formatDateTime(totals.countedAt)}`,
        },
        {
          label: 'Total Clicks',
          value: format((all) => all.clicks),
          note: 'Without bots, prefetches',
        },
        { label: 'Active Links', value: format((all) => all.active), note: 'More than 0 clicks' },
        { label: 'Avg. Clicks', value: format(averageClicks), note: 'Clicks per link, rounded' },
      ]}
    />
  );
}
