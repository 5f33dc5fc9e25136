import type { OverviewAnalytics, OverviewResponse } from '#contract/reports/overview.ts';
import { formatNumber } from '#contract/language.ts';
import { CardGrid } from '#web/features/analytics/grid/card-grid.tsx';
import { devicesCard, LockedPanel, sourcesCard } from '#web/features/analytics/grid/cards.tsx';
import { NoRows, type CardSpec } from '#web/features/analytics/grid/grid-card.tsx';
import { placesCard } from '#web/features/analytics/grid/places-card.tsx';
import { ClicksBar } from '#web/features/analytics/grid/ranked-list.tsx';
import { ROWS_SHOWN } from '#web/features/analytics/grid/ranked-lists.tsx';
import { timesCard } from '#web/features/analytics/grid/times-card.tsx';
import { useWide } from '#web/features/analytics/grid/use-wide.ts';
import { formatShare, NO_CLICKS_IN_RANGE } from '#web/features/analytics/metrics.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { shownCode } from '#web/shared/links/shown-code.ts';
import { Link } from '#web/ui/link.tsx';
import type { ComparedNames } from './use-compared.ts';

/** `search` is the query of the overview's request. */
export function OverviewGrid({
  overview,
  search,
  compared,
  onUpgrade,
}: {
  overview: OverviewResponse;
  search: string;
  compared: ComparedNames;
  onUpgrade: () => void;
}) {
  const wide = useWide();
  const { analytics, advanced } = overview;
  const props = { analytics, filtering: null, sample: null };
  return (
    <>
      <CardGrid
        filtering={null}
        cards={[
          topLinksCard(analytics.topLinks, analytics.totalClicks, compared),
          sourcesCard(props),
          placesCard(props, wide),
          devicesCard(props),
          ...(advanced ? [timesCard(`/api/overview/times?${search}`)] : []),
        ]}
      />
      {!advanced && <LockedPanel onUpgrade={onUpgrade} />}
    </>
  );
}

type TopLink = OverviewAnalytics['topLinks'][number];

/** The links with the most clicks. Each row opens the link's analytics, its box compares it. */
function topLinksCard(links: readonly TopLink[], total: number, compared: ComparedNames): CardSpec {
  const shown = links.slice(0, ROWS_SHOWN);
  const largest = Math.max(1, ...links.map(({ clicks }) => clicks));
  return {
    title: 'Top links',
    label: 'Links',
    param: 'top',
    hint: 'Of the 200 links with the most clicks on each day. Select links to compare them on one chart.',
    views: [
      {
        name: 'Links',
        rows: shown.length,
        content:
          links.length === 0 ? (
            <NoRows>{NO_CLICKS_IN_RANGE}</NoRows>
          ) : (
            <ol className="m-0 grid list-none grid-cols-[auto_minmax(0,1fr)_auto_auto] gap-y-0.5 p-0">
              {shown.map((link) => (
                <li key={link.code} className="col-span-full grid min-w-0 grid-cols-subgrid">
                  <CompareBox link={link} compared={compared} />
                  <Row link={link} total={total} largest={largest} />
                </li>
              ))}
            </ol>
          ),
      },
    ],
  };
}

function CompareBox({ link, compared }: { link: TopLink; compared: ComparedNames }) {
  const { code, shortUrl } = link;
  const isChosen = compared.kind === 'links' && compared.names.includes(code);
  return (
    <label className="flex h-8.5 items-center px-2 pointer-coarse:h-11 print:hidden">
      <span className="sr-only">Compare {shownCode(code, shortUrl)}</span>
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={isChosen}
        disabled={!isChosen && compared.kind === 'links' && compared.isFull}
        onChange={() => compared.toggle('links', code)}
      />
    </label>
  );
}

const Row = ({
  link: { code, shortUrl, title, longUrl: target, clicks },
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
    className="col-span-3 grid h-8.5 min-w-0 grid-cols-subgrid items-center gap-x-3 rounded-sm text-14 hover:bg-line/60 active:bg-line pointer-coarse:h-11"
  >
    <span className="relative flex h-full min-w-0 items-center gap-2 px-2">
      <ClicksBar part={clicks / largest} />
      <span className="relative flex min-w-0 items-baseline gap-2">
        <span className="max-w-full shrink-0 truncate font-mono text-13">
          {shownCode(code, shortUrl)}
        </span>
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
