import type { FilteredReport } from '#contract/analytics.ts';
import { parseFilter } from '#contract/report-filter.ts';
import { ClicksChart } from '#web/features/analytics/clicks-chart.tsx';
import { formatShare, METRICS } from '#web/features/analytics/metrics.ts';
import { formatNumber } from '#contract/language.ts';
import { formatDate } from '#web/shared/format.ts';
import { Panel } from '#web/ui/card.tsx';
import { Stats } from '#web/ui/stats.tsx';
import { describeFilter } from './filters.ts';

/**
 * Shows the figures and the chart of the clicks that match a filter. `total` is the number of all
 * clicks in the range.
 */
export function FilteredSummary({ report, total }: { report: FilteredReport; total: number }) {
  const { analytics, url } = report;
  const filter = parseFilter(report.filter);
  const name = filter === null ? report.filter : describeFilter(filter);
  const chart = {
    ...report,
    analytics: { clicksByDate: analytics.clicksByDate, visitorsByDate: {} },
  };
  const { totalClicks, activeDays } = analytics;
  return (
    <>
      <Stats
        items={[
          {
            label: 'Total Clicks',
            value: formatNumber(totalClicks),
            note: `${total === 0 ? '0%' : formatShare(totalClicks / total)} of all clicks. ${name}`,
          },
          { label: 'Unique Visitors', value: '–', note: 'Not counted with a filter' },
          {
            label: 'Active Days',
            value: activeDays === null ? '–' : formatNumber(activeDays),
            note: activeDays === null ? 'Not known for months' : 'Days (UTC) with these clicks',
          },
          {
            label: 'Created',
            value: <span className="text-20">{formatDate(url.created_at)}</span>,
          },
        ]}
      />
      <Panel
        title="Clicks by Date"
        hint={`${name}. Days are UTC. A filtered report has no comparison with the period before.`}
      >
        <ClicksChart report={chart} metric={METRICS[0]} />
      </Panel>
    </>
  );
}
