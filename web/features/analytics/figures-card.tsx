import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { describeChange } from '#web/shared/link-settings/describe-change.ts';
import { useQueryParams } from '#web/shared/page/use-query-params.ts';
import { formatNumber, numberFormat } from '#contract/language.ts';
import { Card } from '#web/ui/card.tsx';
import { METRICS, findMetric, metricValue, type Metric, type MetricInfo } from './metrics.ts';
import { clsx } from 'clsx';
import { directionOf } from '#web/ui/direction.ts';

const formatCompact = numberFormat({ notation: 'compact', maximumSignificantDigits: 4 });
/** From here on, a number is too wide for a phone and is shortened there. */
const WIDE = 1_000_000;

type Totals = { totalClicks: number; uniqueClicks: number; activeDays: number };
/** A figure, and the lines below it. A null value is not known. */
type Cell = { value: ReactNode; notes: readonly (string | null)[] };
type FigureName = Metric | 'active-days';
export type Cells = Readonly<Record<FigureName, Cell>>;

const tallyOf = ({ totalClicks, uniqueClicks }: Totals) => ({
  clicks: totalClicks,
  visitors: uniqueClicks,
});

/**
 * Returns a cell for each figure of `main`, with notes on the same figure in `period` and on the
 * difference from `previous`. The figure `unknown` shows as a dash, and `estimated` marks visitors
 * as approximate.
 */
export function buildCells({
  main,
  period = null,
  previous,
  unknown,
  estimated = false,
}: {
  main: Totals;
  /** `name` completes a sentence: 'in the last 7 days'. */
  period?: { totals: Totals; name: string } | null;
  previous: (Totals & { current: Totals }) | null;
  unknown?: Metric | undefined;
  estimated?: boolean;
}): Cells {
  const cellOf = (
    valueOf: (totals: Totals) => number | null,
    format: (value: number) => string,
    look = format,
  ): Cell => {
    const value = valueOf(main);
    const inPeriod = period === null ? null : valueOf(period.totals);
    const current = previous === null ? null : valueOf(previous.current);
    const before = previous === null ? null : valueOf(previous);
    return {
      value: value === null ? null : <Figure value={value} format={look} />,
      notes: [
        inPeriod === null ? null : `${look(inPeriod)} ${period?.name ?? ''}`,
        current === null || before === null ? null : describeChange(current, before, format),
      ],
    };
  };
  const cellOfMetric = ({ value, format }: MetricInfo): Cell =>
    value === unknown
      ? { value: null, notes: [] }
      : cellOf(
          (totals) => metricValue(value, tallyOf(totals)),
          format,
          value === 'visitors' && estimated ? about : format,
        );
  const [clicks, visitors, perVisitor] = METRICS;
  return {
    clicks: cellOfMetric(clicks),
    visitors: cellOfMetric(visitors),
    'per-visitor': cellOfMetric(perVisitor),
    'active-days': cellOf(({ activeDays }) => activeDays, formatNumber),
  };
}

/**
 * Shows the figures of a report, and a panel for the selected one, which the URL holds. `fact`
 * appears beside the active days. Its layout is the same with and without a filter.
 */
export function FiguresCard({
  cells,
  fact,
  children,
}: {
  cells: Cells;
  fact: { label: string; value: string; note: string };
  children: (metric: MetricInfo) => ReactNode;
}) {
  const [query, setQuery] = useQueryParams();
  const metric = findMetric(query.get('figure'));
  const select = (next: Metric): void =>
    setQuery({ figure: next === 'clicks' ? '' : next }, { replace: true });
  return (
    <Card className="break-inside-avoid">
      <MetricTabs
        tabs={METRICS.map(({ value, label }) => ({ metric: value, label, cell: cells[value] }))}
        value={metric.value}
        onChange={select}
        aside={
          <dl className="grid h-full grid-cols-2">
            <Fact label="Active Days" {...cells['active-days']} />
            <Fact label={fact.label} value={fact.value} notes={[fact.note]} />
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

const Fact = ({ label, value, notes }: { label: string } & Cell) => (
  <div className="min-w-0 px-3 py-4 last:border-s last:border-line sm:px-5">
    <dt className="text-12 text-ink-3 sm:text-13">{label}</dt>
    <dd className="mt-1 truncate text-16 leading-7 font-semibold tracking-tight tabular-nums sm:leading-8">
      {value ?? '–'}
    </dd>
    {notes
      .filter((note) => note !== null)
      .map((note) => (
        <dd key={note} className="text-12 text-ink-2 tabular-nums">
          {note}
        </dd>
      ))}
  </div>
);

type MetricTab = { metric: Metric; label: string; cell: Cell };

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
    const from = tabs.findIndex((tab) => tab.metric === value);
    const to = { ArrowLeft: from - step, ArrowRight: from + step, Home: 0, End: tabs.length - 1 }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    const next = tabs[index];
    if (next === undefined) return;
    onChange(next.metric);
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
            key={tab.metric}
            type="button"
            role="tab"
            id={`${id}-${tab.metric}`}
            aria-selected={tab.metric === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.metric === value ? 0 : -1}
            onClick={() => onChange(tab.metric)}
            className={clsx(
              'flex min-w-0 flex-col border-b-2 border-s border-s-line px-3 py-4 text-start -outline-offset-2 transition-colors duration-150 first:rounded-ss-lg first:border-s-0 sm:px-5 -mb-px',
              tab.metric === value
                ? 'border-b-ink forced-colors:border-b-[Highlight]'
                : 'border-b-transparent text-ink-2 hover:bg-ink/3 hover:text-ink forced-colors:border-b-[CanvasText]',
            )}
          >
            <span className="text-12 text-ink-3 max-sm:min-h-8 sm:text-13">{tab.label}</span>
            <span className="mt-1 w-full truncate text-20 font-semibold tracking-tight tabular-nums sm:text-24">
              {tab.cell.value ?? '–'}
            </span>
            {/* The height is that of two lines, so that a filter does not move the page. */}
            <span className="flex min-h-9 flex-col text-12 [overflow-wrap:anywhere] text-ink-2 tabular-nums">
              {tab.cell.notes
                .filter((note) => note !== null)
                .map((note) => (
                  <span key={note}>{note}</span>
                ))}
            </span>
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
