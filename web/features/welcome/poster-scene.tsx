import { formatNumber } from '#contract/language.ts';
import { EXAMPLE, ExampleQr, sum } from '#web/shared/links/example-link.tsx';
import { shortHost } from '#web/shared/page/config.ts';
import { Badge } from '#web/ui/badge.tsx';
import { HomeSection, sectionTextClass } from './home-section.tsx';

const BAR = { width: 5, gap: 3, height: 40 } as const;
const PLOT_WIDTH = EXAMPLE.scans.length * (BAR.width + BAR.gap) - BAR.gap;
const BARS = EXAMPLE.scans
  .map((scans, i) => {
    const height = Math.round((scans / Math.max(...EXAMPLE.scans)) * BAR.height);
    return `M${i * (BAR.width + BAR.gap)} ${BAR.height}v-${height}h${BAR.width}v${height}z`;
  })
  .join('');

/** The scans that a printed QR code brings. */
export function PosterScene() {
  const scans = sum(EXAMPLE.scans);
  const share = Math.round((scans / sum(EXAMPLE.days)) * 100);
  return (
    <HomeSection
      id="posters"
      title="A poster that reports back"
      picture={
        <div className="flex max-w-full items-center gap-5 sm:gap-8">
          <div className="flex w-36 shrink-0 -rotate-2 flex-col gap-3 rounded-sm border border-line bg-paper p-4 text-on-paper shadow-float sm:w-44 sm:p-5">
            <p className="text-20 leading-6 font-semibold tracking-tight sm:text-24 sm:leading-7">
              Spring
              <br />
              tea sale
            </p>
            <ExampleQr className="w-full" />
            <p dir="ltr" className="font-mono text-12 [overflow-wrap:anywhere]">
              {shortHost()}/<wbr />
              {EXAMPLE.code}
            </p>
          </div>
          <div className="min-w-0 space-y-3">
            <Badge>Example</Badge>
            <div>
              <p className="text-13 text-ink-3">Scans</p>
              <p className="text-32 font-semibold tracking-tight tabular-nums">
                {formatNumber(scans)}
              </p>
              <p className="text-13 text-ink-3">{share}% of its clicks</p>
            </div>
            <svg
              viewBox={`0 0 ${PLOT_WIDTH} ${BAR.height}`}
              className="w-28 max-w-full fill-chart-1 sm:w-36"
            >
              <path d={BARS} />
            </svg>
          </div>
        </div>
      }
    >
      <p className={sectionTextClass}>
        Every link has a QR code, in your colors and with your logo if you like. Scans are counted
        apart from other clicks, and the destination can change after the poster is printed.
      </p>
    </HomeSection>
  );
}
