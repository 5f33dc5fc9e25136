import type { FilteredReport } from '#contract/reports/analytics.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { ClicksChart } from '#web/features/analytics/clicks-chart.tsx';
import { FiguresCard, type Cells } from '#web/features/analytics/figures-card.tsx';
import { ChartNote, createdFact, MetricPanel } from '#web/features/analytics/main-card.tsx';
import { formatShare } from '#web/features/analytics/metrics.ts';
import { describeSample } from './card-views.tsx';
import { nameFilters, type Filtering } from './filters.ts';

/**
 * Shows the figures and the chart of the clicks that match the filters, with the layout of the
 * unfiltered ones. `total` is the number of all clicks in the range.
 */
export function FilteredCard({
  report,
  filters,
  total,
}: {
  report: FilteredReport;
  filters: Filtering['filters'];
  total: number;
}) {
  const { analytics, unlisted, recent } = report;
  const sample = describeSample({ clicks: analytics.recentClicks, of: recent.of });
  return (
    <FiguresCard cells={cellsOf(report, total, sample)} fact={createdFact(report)}>
      {(metric) => (
        <MetricPanel
          title={metric.title}
          meaning={`${nameFilters(filters)}. Only clicks are counted with a filter, and there is no comparison with the period before.${unlisted > 0 ? ` ${plural(unlisted, 'further click')} may match, too, without being listed by pair.` : ''}`}
          compared={false}
        >
          {metric.value !== 'clicks' ? (
            <ChartNote>{metric.column} are not counted with a filter.</ChartNote>
          ) : analytics.clicksByDate === null ? (
            <ChartNote>These filters are not counted together. They match {sample}.</ChartNote>
          ) : (
            <ClicksChart
              report={{
                ...report,
                analytics: { clicksByDate: analytics.clicksByDate, visitorsByDate: {} },
              }}
              metric={metric}
            />
          )}
        </MetricPanel>
      )}
    </FiguresCard>
  );
}

function cellsOf(
  { analytics: { totalClicks, activeDays }, unlisted }: FilteredReport,
  total: number,
  sample: string,
): Cells {
  const notCounted = { value: null, notes: ['Not counted with a filter'] };
  return {
    clicks:
      totalClicks === null
        ? { value: null, notes: [sample] }
        : {
            value: `${unlisted > 0 ? 'at least ' : ''}${formatNumber(totalClicks)}`,
            notes: [`${total === 0 ? '0%' : formatShare(totalClicks / total)} of all clicks`],
          },
    visitors: notCounted,
    'per-visitor': notCounted,
    'active-days': activeDays === null ? notCounted : { value: activeDays, notes: [] },
  };
}
