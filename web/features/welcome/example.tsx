import { plural } from '#web/shared/format.ts';
import { shortHost } from '#web/shared/config.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { QrSample, RankedSample } from './samples.tsx';

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
const MOST = Math.max(...DAYS);

/** What a member sees of a link, with invented data: the link, its clicks by day, its top countries and its QR code. */
export function Example() {
  return (
    <Card className="flex flex-col">
      <figure aria-label="Example of a short link and its clicks" className="flex flex-1 flex-col">
        <div className="flex items-center gap-3 border-b border-line px-4 py-3 sm:px-6">
          <span
            aria-hidden="true"
            className="inline-flex size-9 shrink-0 items-center justify-center rounded-full border border-line bg-sunken text-14 font-medium text-ink-2"
          >
            S
          </span>
          <div className="min-w-0 flex-1">
            <p className="truncate font-mono text-14 font-medium">
              <span className="text-ink-3 max-sm:sr-only">{shortHost()}</span>
              <span className="text-ink-3">/</span>spring-sale
            </p>
            <p className="mt-0.5 truncate text-13 text-ink-3">
              <span className="text-ink-2">shop.example</span>/c/2026/spring/tea?ref=poster
            </p>
          </div>
          <span className="text-13 font-medium tabular-nums max-sm:hidden">{plural(CLICKS, 'click')}</span> <Badge>Example</Badge>
        </div>
        <div className="grid flex-1 gap-x-10 gap-y-5 p-4 sm:p-6 md:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)] lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)_auto]">
          <div className="flex min-w-0 flex-col">
            <p className="text-13 text-ink-3">Clicks in the last {DAYS.length} days</p>
            <p className="mt-1 text-24 font-semibold tracking-tight tabular-nums">{CLICKS}</p>
            <div
              dir="ltr"
              aria-hidden="true"
              className="mt-3 flex min-h-24 flex-1 items-end gap-1 border-b border-line sm:gap-1.5"
            >
              {DAYS.map((clicks) => (
                <span
                  key={clicks}
                  className="flex-1 rounded-t-sm bg-chart-1 forced-colors:bg-[Highlight]"
                  style={{ height: `${(clicks / MOST) * 100}%` }}
                />
              ))}
            </div>
          </div>
          <div className="flex min-w-0 flex-col">
            <p className="mb-2 text-13 text-ink-3">Top countries</p>
            <RankedSample rows={COUNTRIES} />
          </div>
          <div className="flex items-center gap-4 md:max-lg:col-span-2 lg:flex-col lg:items-start lg:gap-2">
            <p className="text-13 text-ink-3 max-lg:order-1">QR code to print</p>
            <QrSample />
          </div>
        </div>
      </figure>
    </Card>
  );
}
