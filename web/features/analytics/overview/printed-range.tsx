import { formatDateInUtc } from '#web/shared/texts/format.ts';
import type { OverviewResponse } from '#contract/reports/overview.ts';
import { describePeriod } from '#web/features/analytics/range.ts';

/** The days of the overview, for paper. */
export const PrintedRange = ({ overview }: { overview: OverviewResponse }) => (
  <span className="hidden print:inline">
    {` Period: ${describePeriod(overview)}`}
    {overview.range !== 'custom' &&
      overview.period.from !== null &&
      `, ${formatDateInUtc(overview.period.from, overview.period.to)}`}
    .
  </span>
);
