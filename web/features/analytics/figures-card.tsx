import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { describeChange } from '#web/shared/describe-change.ts';
import { useQueryParams } from '#web/shared/use-query-params.ts';
import { formatNumber, numberFormat } from '#contract/language.ts';
import { Card } from '#web/ui/card.tsx';
import { METRICS, findMetric, metricValue, type Metric, type MetricInfo } from './metrics.ts';
import { clsx } from 'clsx';
import { directionOf } from '#web/ui/direction.ts';

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
  const [query, setQuery] = useQueryParams();
  const metric = findMetric(query.get('figure'));
  const select = (next: Metric): void => setQuery({ figure: next === 'clicks' ? '' : next });
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

type MetricTab = { value: Metric; label: string; figure: ReactNode; change: string | null };

/**
 * Figures as tabs that select the panel below. Arrow keys change the selection, mirrored in
 * right-to-left text. `aside` appears beside the tabs, or below the panel on a narrow screen.
 */
function MetricTabs({
  tabs,
  value,
  onChange,
  aside,
  children,
}: {
  tabs: readonly MetricTab[];
  value: Metric;
  onChange: (value: Metric) => void;
  aside: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    const step = directionOf(event.currentTarget) === 'rtl' ? -1 : 1;
    const from = tabs.findIndex((tab) => tab.value === value);
    const to = { ArrowLeft: from - step, ArrowRight: from + step, Home: 0, End: tabs.length - 1 }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    const next = tabs[index];
    if (next === undefined) return;
    onChange(next.value);
    list.current?.querySelectorAll<HTMLButtonElement>('[role="tab"]')[index]?.focus();
  };
  return (
    <div className="grid lg:grid-cols-5">
      <div
        ref={list}
        role="tablist"
        aria-label="Figure that the chart shows"
        tabIndex={-1}
        onKeyDown={onKey}
        className="grid min-w-0 grid-cols-3 border-b border-line lg:col-span-3 lg:row-start-1"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className={clsx(
              'flex min-w-0 flex-col border-b-2 border-s border-s-line px-3 py-4 text-start -outline-offset-2 transition-colors duration-150 first:rounded-ss-lg first:border-s-0 sm:px-5 -mb-px',
              tab.value === value
                ? 'border-b-ink forced-colors:border-b-[Highlight]'
                : 'border-b-transparent text-ink-2 hover:bg-ink/3 hover:text-ink forced-colors:border-b-[CanvasText]',
            )}
          >
            <span className="text-12 text-ink-3 max-sm:min-h-8 sm:text-13">{tab.label}</span>
            <span className="mt-1 truncate text-20 font-semibold tracking-tight tabular-nums sm:text-24">
              {tab.figure}
            </span>
            {tab.change !== null && (
              <span className="mt-0.5 text-12 [overflow-wrap:anywhere] text-ink-2 tabular-nums">
                {tab.change}
              </span>
            )}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${value}`}
        className="min-w-0 lg:col-span-5 lg:row-start-2"
      >
        {children}
      </div>
      <div className="min-w-0 border-line max-lg:border-t lg:col-span-2 lg:col-start-4 lg:row-start-1 lg:border-b lg:border-s">
        {aside}
      </div>
    </div>
  );
}
