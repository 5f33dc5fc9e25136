import { Printer } from 'lucide-react';
import { formatNumber, numberFormat, plural } from '#contract/language.ts';
import { formatDateInUtc } from '#web/shared/texts/format.ts';
import type { SharedCounts, SharedReportView } from '#contract/reports/shared-reports.ts';
import { config } from '#web/shared/page/config.ts';
import { formatDateTime, readableUrl } from '#web/shared/texts/format.ts';
import { PrintedBrand } from '#web/shared/page/printed-brand.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, Panel } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Stats } from '#web/ui/stats.tsx';
import { daysInBar, toBars, type Bar } from './bars.ts';
import { formatUtcPeriod } from './format-period.ts';
import { SharedChart } from './shared-chart.tsx';
import { Destination, LinksPanel, ListPanel } from './shared-lists.tsx';

/** An open report, on screen and on paper. Every date is absolute. */
export function OpenReport({ view }: { view: SharedReportView }) {
  const { title, kind, shortUrl, destination, expiresAt, counts } = view;
  return (
    <div>
      <PrintedBrand />
      <PageHeading
        title={title}
        hint={
          <>
            Report on the clicks of {kind === 'link' ? 'a link' : 'the links of a tag'}, shared with
            you by a member of {config.siteName}.
          </>
        }
        action={
          <span className="print:hidden">
            <Button onClick={() => window.print()}>
              <Printer className="size-4" />
              Print
            </Button>
          </span>
        }
      />
      <dl className="mb-6 grid grid-cols-1 gap-x-3 gap-y-1 text-14 sm:grid-cols-[auto_minmax(0,1fr)] [&>dd]:[overflow-wrap:anywhere] max-sm:[&>dd]:mb-2 [&>dt]:text-ink-3">
        {counts !== null && (
          <>
            <dt>Period</dt>
            <dd>{formatUtcPeriod(counts.from, counts.to)} (UTC)</dd>
          </>
        )}
        {shortUrl !== null && (
          <>
            <dt>Short URL</dt>
            <dd>
              <ExternalLink href={`${shortUrl}+`} dir="ltr" className="font-mono text-13">
                {readableUrl(shortUrl)}
              </ExternalLink>
            </dd>
          </>
        )}
        {destination !== null && (
          <>
            <dt>Destination</dt>
            <dd>
              <Destination url={destination} />
            </dd>
          </>
        )}
        {expiresAt !== null && (
          <>
            <dt>Shared until</dt>
            <dd>{formatDateTime(expiresAt)}</dd>
          </>
        )}
      </dl>
      {counts === null ? (
        <Card>
          <EmptyState title="No counts for this period">
            Clicks are kept by day for 13 months, and no day of this period is within them.
          </EmptyState>
        </Card>
      ) : (
        <Counts counts={counts} />
      )}
    </div>
  );
}

const formatRatio = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 2 });

function Counts({ counts }: { counts: SharedCounts }) {
  const { totals, lists, links } = counts;
  const bars = toBars(counts);
  const through = lists.find(({ from, to }) => from <= to)?.to;
  return (
    <div className="space-y-4">
      <Stats
        items={[
          { label: 'Total Clicks', value: formatNumber(totals.totalClicks) },
          {
            label: 'Unique Visitors',
            value: formatNumber(totals.uniqueClicks),
            note: 'Once per link and day',
          },
          {
            label: 'Active Days',
            value: formatNumber(totals.activeDays),
            note: 'Days (UTC) with clicks',
          },
          {
            label: 'Clicks per visitor',
            value:
              totals.uniqueClicks === 0
                ? '–'
                : formatRatio(totals.totalClicks / totals.uniqueClicks),
          },
        ]}
      />
      <Panel title="Clicks by Date" hint={`${describeBars(bars)} Bots are not counted.`}>
        <SharedChart bars={bars} />
      </Panel>
      {links !== null && <LinksPanel links={links} />}
      <div className="gap-4 md:columns-2 print:columns-2">
        {lists.map((list) => (
          <div key={list.list} className="mb-4 break-inside-avoid">
            <ListPanel list={list} />
          </div>
        ))}
      </div>
      {lists.length > 0 && (
        <p className="px-1 text-13 text-ink-3">
          {through !== undefined &&
            `The lists count whole days, through ${formatDateInUtc(through)} (UTC). `}
          Values with fewer than 5 clicks are part of Other, to protect visitors, and so are those
          after the first 20.
        </p>
      )}
    </div>
  );
}

/** 'Days are UTC.', or how many days each bar has if they do not all fit. */
function describeBars(bars: readonly Bar[]): string {
  const days = bars[0] === undefined ? 1 : daysInBar(bars[0]);
  return days > 1 ? `Each bar is ${plural(days, 'day')} (UTC).` : 'Days are UTC.';
}
