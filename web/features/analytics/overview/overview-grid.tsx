import type { OverviewAnalytics, OverviewResponse } from '#contract/analytics.ts';
import {
  DevicesCard,
  LockedPanel,
  PlacesCard,
  SourcesCard,
} from '#web/features/analytics/grid/cards.tsx';
import { GridCard, NoRows } from '#web/features/analytics/grid/grid-card.tsx';
import { ClicksBar } from '#web/features/analytics/grid/ranked-list.tsx';
import { ROWS_SHOWN } from '#web/features/analytics/grid/ranked-lists.tsx';
import { formatShare, NO_CLICKS_IN_RANGE } from '#web/features/analytics/metrics.ts';
import { formatNumber } from '#contract/language.ts';
import { readableUrl } from '#web/shared/format.ts';
import { Link } from '#web/ui/link.tsx';

export function OverviewGrid({
  overview,
  onUpgrade,
}: {
  overview: OverviewResponse;
  onUpgrade: () => void;
}) {
  const { analytics } = overview;
  return (
    <div className="grid min-w-0 gap-4 lg:grid-cols-2">
      <TopLinksCard links={analytics.topLinks} total={analytics.totalClicks} />
      <PlacesCard analytics={analytics} filtering={null} />
      <DevicesCard analytics={analytics} filtering={null} />
      {overview.advanced ? (
        <SourcesCard analytics={analytics} filtering={null} />
      ) : (
        <LockedPanel onUpgrade={onUpgrade} />
      )}
    </div>
  );
}

type TopLink = OverviewAnalytics['topLinks'][number];

/** The links with the most clicks. Each row opens the link's analytics. */
function TopLinksCard({ links, total }: { links: readonly TopLink[]; total: number }) {
  const largest = Math.max(1, ...links.map(({ clicks }) => clicks));
  const rows = (
    <ol className="m-0 grid list-none grid-cols-[minmax(0,1fr)_auto_auto] gap-y-0.5 p-0">
      {links.slice(0, ROWS_SHOWN).map((link) => (
        <li key={link.short_code} className="col-span-full grid min-w-0 grid-cols-subgrid">
          <Row link={link} total={total} largest={largest} />
        </li>
      ))}
    </ol>
  );
  return (
    <GridCard
      title="Top Links"
      label="Links"
      hint="Of the 200 links with the most clicks on each day."
      views={[
        {
          name: 'Links',
          content: links.length === 0 ? <NoRows>{NO_CLICKS_IN_RANGE}</NoRows> : rows,
        },
      ]}
    />
  );
}

const Row = ({
  link: { short_code: code, title, long_url: target, clicks },
  total,
  largest,
}: {
  link: TopLink;
  total: number;
  largest: number;
}) => (
  <Link
    to={`/analytics/${encodeURIComponent(code)}`}
    title={readableUrl(target)}
    className="col-span-full grid h-8.5 min-w-0 grid-cols-subgrid items-center gap-x-3 rounded-sm text-14 hover:bg-line/60 active:bg-line pointer-coarse:h-11"
  >
    <span className="relative flex h-full min-w-0 items-center gap-2 px-2">
      <ClicksBar part={clicks / largest} />
      <span className="relative flex min-w-0 items-baseline gap-2">
        <span className="shrink-0 font-mono text-13">{code}</span>
        <span dir="auto" className="truncate text-13 text-ink-3">
          {title === '' ? readableUrl(target) : title}
        </span>
      </span>
    </span>
    <span className="text-end text-13 text-ink-3 tabular-nums">{formatShare(clicks / total)}</span>
    <span className="pe-1 text-end font-medium tabular-nums">
      {formatNumber(clicks)}
      <span className="sr-only"> clicks</span>
    </span>
  </Link>
);
