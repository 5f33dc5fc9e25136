import { shortUrlOf } from '#contract/link-key.ts';
import { ChartMarks, layOutChart } from '#web/features/analytics/chart-marks.tsx';
import { config } from '#web/shared/config.ts';
import { formatNumber } from '#contract/language.ts';
import { Clicks, LinkAvatar, ShortUrl, TargetUrl, clicksClass } from '#web/shared/link-parts.tsx';
import { QrImage } from '#web/shared/qr-code.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { SampleRows } from './sample-rows.tsx';

const CODE = 'spring-sale';
const TARGET = 'https://shop.example/c/2026/spring/tea?ref=poster';
const DAYS = [31, 42, 38, 57, 49, 66, 71, 64, 83, 78, 96, 88, 104, 91] as const;
const COUNTRIES = [
  ['India', 402],
  ['United States', 214],
  ['Germany', 131],
  ['Brazil', 96],
  ['Japan', 58],
  ['France', 27],
  ['Australia', 17],
] as const;
const CLICKS = DAYS.reduce((sum, clicks) => sum + clicks, 0);

/** About the width of the chart in pixels. It is stretched to the available width. */
const CHART_WIDTH = 400;
const CHART = layOutChart(
  DAYS.map((value) => ({ value, previous: null })),
  CHART_WIDTH,
  { soFar: false, whole: true },
);
const PLOT_TOP = CHART.spotOf(0).top;
const PLOT = [CHART.left, PLOT_TOP, CHART.right - CHART.left, CHART.baseline - PLOT_TOP].join(' ');

/**
 * A real QR code of the text "Hop example": one number in base 36 per row and one bit per module,
 * leftmost first.
 */
const QR_ROWS =
  '18pz3 mw5d wrx9 wqjh wp5p mukh 18prz 5j4 t8ed kpk7 17gob 26ti 10dgl 22n 18nyk mxi2 wqfh wpqv wshw mtys 18r51'.split(
    ' ',
  );
const QR_PATH = QR_ROWS.map((row, y) =>
  Array.from(Number.parseInt(row, 36).toString(2).padStart(QR_ROWS.length, '0'))
    .map((bit, x) => (bit === '1' ? `M${x} ${y}h1v1h-1z` : ''))
    .join(''),
).join('');
const QR_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 25 25" shape-rendering="crispEdges"><path fill="white" d="M-2-2h25v25h-25z"/><path d="${QR_PATH}"/></svg>`;

/**
 * Shows invented data of a link: its row in the list, chart, top countries and QR code. It uses the
 * components of those pages without their controls.
 */
export function HomeExample() {
  return (
    <Card className="flex flex-col">
      <figure aria-label="Example of a link and its clicks" className="flex flex-1 flex-col">
        <div className="flex items-center gap-3 border-b border-line px-4 py-2 sm:px-6">
          <LinkAvatar target={TARGET} />
          <div className="min-w-0 flex-1">
            <p className="font-mono text-14 leading-6 font-medium [overflow-wrap:anywhere]">
              <ShortUrl url={shortUrlOf(config.shortOrigin, CODE)} code={CODE} />
            </p>
            <p dir="ltr" className="truncate text-13 leading-6 text-ink-3 rtl:text-end">
              <TargetUrl url={TARGET} />
            </p>
          </div>
          <span className={`${clicksClass} pointer-events-none max-sm:hidden`}>
            <Clicks count={CLICKS} />
          </span>{' '}
          <Badge>Example</Badge>
        </div>
        <div className="grid flex-1 gap-x-10 gap-y-5 p-4 sm:p-6 md:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)] lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)_auto]">
          <div className="flex min-w-0 flex-col">
            <p className="text-13 text-ink-3">Clicks in the last {DAYS.length} days</p>
            <p className="mt-1 text-24 font-semibold tracking-tight tabular-nums">
              {formatNumber(CLICKS)}
            </p>
            <div className="relative mt-3 min-h-24 flex-1 border-b border-line">
              <svg
                aria-hidden="true"
                viewBox={PLOT}
                preserveAspectRatio="none"
                className="absolute inset-0 size-full"
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
            <div aria-hidden="true">
              <QrImage
                source={`data:image/svg+xml,${encodeURIComponent(QR_SVG)}`}
                code={CODE}
                className="size-28 p-1.5 lg:size-64 lg:p-2"
              />
            </div>
          </div>
        </div>
      </figure>
    </Card>
  );
}
