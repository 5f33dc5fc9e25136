import type { CSSProperties } from 'react';
import { shortUrlOn } from '#contract/codes/link-key.ts';
import { ChartMarks, layOutChart } from '#web/features/analytics/chart-marks.tsx';
import { config } from '#web/shared/page/config.ts';
import { formatNumber } from '#contract/language.ts';
import {
  Clicks,
  LinkAvatar,
  ShortUrl,
  TargetUrl,
  clicksClass,
} from '#web/shared/links/link-parts.tsx';
import { EXAMPLE, ExampleQr, sum } from '#web/shared/links/example-link.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { SampleRows } from './sample-rows.tsx';

const COUNTRIES = [
  ['India', 402],
  ['United States', 214],
  ['Germany', 131],
  ['Brazil', 96],
  ['Japan', 58],
  ['France', 27],
  ['Australia', 17],
] as const;
const CLICKS = sum(EXAMPLE.days);

const COUNT: CSSProperties & Record<'--count-to', number> = { '--count-to': CLICKS };

/** About the width of the chart in pixels. It is stretched to the available width. */
const CHART_WIDTH = 400;
const CHART = layOutChart(
  EXAMPLE.days.map((value) => ({ value, previous: null })),
  CHART_WIDTH,
  { soFar: false, whole: true },
);
const PLOT_TOP = CHART.spotOf(0).top;
const PLOT = [CHART.left, PLOT_TOP, CHART.right - CHART.left, CHART.baseline - PLOT_TOP].join(' ');

/**
 * Shows invented data of a link: its row in the list, chart, top countries and QR code. It uses the
 * components of those pages without their controls.
 */
export function HomeExample() {
  return (
    <Card className="flex flex-col">
      <figure aria-label="Example of a link and its clicks" className="flex flex-1 flex-col">
        <div className="flex items-center gap-3 border-b border-line px-4 py-2 sm:px-6">
          <LinkAvatar target={EXAMPLE.target} />
          <div className="min-w-0 flex-1">
            <p className="font-mono text-14 leading-6 font-medium [overflow-wrap:anywhere]">
              <ShortUrl url={shortUrlOn(config.shortOrigin, EXAMPLE.code)} />
            </p>
            <p dir="ltr" className="truncate text-13 leading-6 text-ink-3 rtl:text-end">
              <TargetUrl url={EXAMPLE.target} />
            </p>
          </div>
          <span className={`${clicksClass} pointer-events-none max-sm:hidden`}>
            <Clicks count={CLICKS} />
          </span>{' '}
          <Badge>Example</Badge>
        </div>
        <div className="grid flex-1 gap-x-10 gap-y-5 p-4 sm:p-6 md:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)] lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)_auto]">
          <div data-plays-when-seen="" className="flex min-w-0 flex-col">
            <p className="text-13 text-ink-3">Clicks in the last {EXAMPLE.days.length} days</p>
            <p className="mt-1 text-24 font-semibold tracking-tight tabular-nums">
              <span className="sr-only">{formatNumber(CLICKS)}</span>
              <span aria-hidden="true" className="count-up" style={COUNT} />
            </p>
            <div className="relative mt-3 min-h-24 flex-1 border-b border-line">
              <svg
                aria-hidden="true"
                viewBox={PLOT}
                preserveAspectRatio="none"
                className="absolute inset-0 size-full origin-bottom animate-rise"
              >
                <ChartMarks layout={CHART} />
              </svg>
            </div>
          </div>
          <div className="min-w-0 max-lg:[&_li:nth-child(n+6)]:hidden">
            <p className="mb-2 text-13 text-ink-3">Top countries</p>
            <SampleRows rows={COUNTRIES} total={CLICKS} />
          </div>
          <div className="flex items-center gap-4 md:max-lg:col-span-2 lg:flex-col lg:items-start lg:gap-2">
            <p className="text-13 text-ink-3 max-lg:order-1">QR code to print</p>
            <ExampleQr className="size-28 rounded-md border border-line p-1.5 lg:size-64 lg:p-2" />
          </div>
        </div>
      </figure>
    </Card>
  );
}
