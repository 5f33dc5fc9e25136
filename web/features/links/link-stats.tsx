import type { MyLinksResponse } from '#contract/links.ts';
import { formatNumber } from '#web/shared/format.ts';
import { Stats } from '#web/ui/stats.tsx';

/** Total clicks divided by the number of links, rounded (spec §2); 0 without links. */
export const averageClicks = (totals: { links: number; clicks: number }): number =>
  totals.links === 0 ? 0 : Math.round(totals.clicks / totals.links);

/** The four figures over all links of the member, with what each means. Null while they load; a dash where they could not be read. */
export function LinkStats({ totals, failed }: { totals: MyLinksResponse['totals'] | null; failed: boolean }) {
  const show = (value: (of: MyLinksResponse['totals']) => number): string | null =>
    totals === null ? (failed ? '–' : null) : formatNumber(value(totals));
  return (
    <Stats
      items={[
        { label: 'Total Links', value: show((of) => of.links), definition: 'Links you made and did not delete.' },
        {
          label: 'Total Clicks',
          value: show((of) => of.clicks),
          definition: 'Clicks by people, on all your links. Bots and prefetches do not count.',
        },
        { label: 'Active Links', value: show((of) => of.active), definition: 'Links with more than 0 clicks.' },
        { label: 'Avg. Clicks', value: show(averageClicks), definition: 'Total clicks divided by the number of links, rounded.' },
      ]}
    />
  );
}
