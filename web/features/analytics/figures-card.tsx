import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { describeChange } from '#web/shared/describe-change.ts';
import { numberFormat, formatNumber } from '#contract/language.ts';
import { Card } from '#web/ui/card.tsx';
import { MetricTabs } from './metric-tabs.tsx';
import { findMetric, METRICS, metricValue, type Metric, type MetricInfo } from './metrics.ts';

const formatCompact = numberFormat({ notation: 'compact', maximumSignificantDigits: 4 });
/** From here on, a number is too wide for a phone and is shortened there. */
const WIDE = 1_000_000;

type Totals = { totalClicks: number; uniqueClicks: number; activeDays: number };
const tallyOf = ({ totalClicks, uniqueClicks }: Totals) => ({
  clicks: totalClicks,
  visitors: uniqueClicks,
});

/**
 * Shows the figures of a report, each compared with the previous period if there is one, and a
 * panel for the selected one. The URL holds the selection. `unknown` shows as a dash, `estimated`
 * marks visitors as approximate, and `fact` appears beside the active days.
 */
export function FiguresCard({
  totals,
  previous,
  unknown,
  estimated = false,
  fact,
  children,
}: {
  totals: Totals;
  previous: Totals | null;
  unknown?: Metric | undefined;
  estimated?: boolean;
  fact: ReactNode;
  children: (metric: MetricInfo) => ReactNode;
}) {
  const [query, setQuery] = useSearchParams();
  const metric = findMetric(query.get('figure'));
  const select = (next: Metric): void =>
    setQuery(
      (before) => {
        if (next === 'clicks') before.delete('figure');
        else before.set('figure', next);
        return before;
      },
      { replace: true },
    );
  const tabs = METRICS.map(({ value, label, format }) => {
    const current = value === unknown ? null : metricValue(value, tallyOf(totals));
    const before = previous === null ? null : metricValue(value, tallyOf(previous));
    return {
      value,
      label,
      figure:
        current === null ? (
          '–'
        ) : (
          <Figure value={current} format={value === 'visitors' && estimated ? about : format} />
        ),
      change: current === null || before === null ? null : describeChange(current, before, format),
    };
  });
  return (
    <Card className="break-inside-avoid">
      <MetricTabs
        tabs={tabs}
        value={metric.value}
        onChange={select}
        aside={
          <dl className="grid grid-cols-2">
            <Fact
              label="Active Days"
              value={formatNumber(totals.activeDays)}
              change={previous && describeChange(totals.activeDays, previous.activeDays)}
              note="Days (UTC) with clicks"
            />
            {fact}
          </dl>
        }
      >
        {children(metric)}
      </MetricTabs>
    </Card>
  );
}

const about = (value: number): string => `about ${formatNumber(value)}`;

function Figure({ value, format }: { value: number; format: (value: number) => string }) {
  if (value < WIDE) return format(value);
  return (
    <>
      <span className="max-sm:hidden">{format(value)}</span>
      <span className="sm:hidden">{formatCompact(value)}</span>
    </>
  );
}

export const Fact = ({
  label,
  value,
  change,
  note,
}: {
  label: string;
  value: string;
  change?: string | null;
  note: string;
}) => (
  <div className="min-w-0 px-3 py-4 last:border-s last:border-line sm:px-5">
    <dt className="text-12 text-ink-3 sm:text-13">{label}</dt>
    <dd className="mt-1 truncate text-16 leading-7 font-semibold tracking-tight tabular-nums">
      {value}
    </dd>
    {change != null && <dd className="text-12 text-ink-2 tabular-nums">{change}</dd>}
    <dd className="text-12 text-ink-3 tabular-nums">{note}</dd>
  </div>
);
