import { lazy, Suspense } from 'react';
import type { AdvancedAnalytics, CountsByName, FilteredReport } from '#contract/analytics.ts';
import {
  canFilterBy,
  cityValue,
  formatFilter,
  type Filter,
  type FilterDimension,
} from '#contract/report-filter.ts';
import { rankCounts } from './rank-counts.ts';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { countryName } from '#web/shared/country-name.ts';
import type { Filtering } from './filters.ts';
import { Flag } from './flag.tsx';
import { GridCard, NoRows } from './grid-card.tsx';
import type { RankedRow } from './ranked-list.tsx';
import { TopRows } from './ranked-lists.tsx';

const WorldMap = lazy(() =>
  import('./world-map.tsx').then((module) => ({ default: module.WorldMap })),
);

/**
 * The counts that the cards show. A member is absent if it is not part of the plan, and null if it
 * is not stored together with the filter.
 */
type CardProps = {
  analytics: Omit<FilteredReport['analytics'], 'recentClicks' | 'qrScans'>;
  /** Null on a page that cannot be filtered. */
  filtering: Filtering | null;
};

const rowOf = (
  filtering: Filtering | null,
  own: Filter,
  clicks: number,
  look: Pick<RankedRow, 'text' | 'icon' | 'detail'>,
): RankedRow => ({
  ...look,
  key: own.value,
  clicks,
  chosen:
    filtering !== null &&
    filtering.filter !== null &&
    formatFilter(filtering.filter) === formatFilter(own),
  onChoose: filtering !== null && canFilterBy(own.value) ? () => filtering.toggle(own) : null,
});

const rowsOf = (
  filtering: Filtering | null,
  dimension: FilterDimension,
  counts: CountsByName,
): RankedRow[] =>
  rankCounts(counts, Number.POSITIVE_INFINITY).map(({ name, clicks }) =>
    rowOf(filtering, { dimension, value: name }, clicks, { text: name }),
  );

const list = (rows: readonly RankedRow[] | null, total: number, title: string, empty: string) =>
  rows === null ? null : rows.length === 0 ? (
    <NoRows>{empty}</NoRows>
  ) : (
    <TopRows rows={rows} total={total} title={title} />
  );

export function PlacesCard({ analytics, filtering }: CardProps) {
  const { totalClicks: total, clicksByCountry, clicksByCity } = analytics;
  const countries =
    clicksByCountry === null
      ? null
      : rankCounts(clicksByCountry, Number.POSITIVE_INFINITY).map(({ name, clicks }) =>
          rowOf(filtering, { dimension: 'country', value: name }, clicks, {
            text: countryName(name),
            icon: <Flag country={name} />,
          }),
        );
  const cities = clicksByCity?.map((place) =>
    rowOf(filtering, { dimension: 'city', value: cityValue(place) }, place.clicks, {
      text: place.city,
      detail: countryName(place.country),
      icon: <Flag country={place.country} />,
    }),
  );
  const map =
    countries !== null && countries.length > 0 ? (
      <Suspense fallback={<MapSkeleton />}>
        <WorldMap countries={countries} total={total} />
      </Suspense>
    ) : (
      list(countries, total, 'Countries', 'No location data')
    );
  return (
    <GridCard
      title="Clicks by Country"
      label="Locations"
      hint="Derived from the visitor’s network connection."
      onClear={filtering?.clear}
      views={[
        { name: 'Map', content: map },
        { name: 'Countries', content: list(countries, total, 'Countries', 'No location data') },
        ...(clicksByCity === undefined
          ? []
          : [
              {
                name: 'Cities',
                content: list(cities ?? null, total, 'Cities', 'No location data'),
              },
            ]),
      ]}
    />
  );
}

const MapSkeleton = () => (
  <Loading label="Loading the map…">
    <Skeleton className="mx-2 mt-2 aspect-[2/1]" />
  </Loading>
);

export function DevicesCard({ analytics, filtering }: CardProps) {
  const { totalClicks: total, clicksByDevice, clicksByBrowser, clicksByOs } = analytics;
  const view = (
    name: string,
    title: string,
    dimension: FilterDimension,
    counts: CountsByName | null | undefined,
  ) =>
    counts === undefined
      ? []
      : [
          {
            name,
            content: list(
              counts === null ? null : rowsOf(filtering, dimension, counts),
              total,
              title,
              'No clicks in this range',
            ),
          },
        ];
  return (
    <GridCard
      title="Clicks by Device"
      label="Devices"
      hint="Derived from the browser’s user agent."
      onClear={filtering?.clear}
      views={[
        ...view('Type', 'Devices', 'device', clicksByDevice),
        ...view('Browser', 'Browsers', 'browser', clicksByBrowser),
        ...view('System', 'Systems', 'os', clicksByOs),
      ]}
    />
  );
}

export function CampaignsCard({ analytics, filtering }: CardProps) {
  const view = (name: string, title: string, counts: CountsByName | null | undefined) => ({
    name,
    content: list(
      counts == null
        ? null
        : rankCounts(counts, Number.POSITIVE_INFINITY).map(({ name: text, clicks }) => ({
            key: text,
            text,
            clicks,
            chosen: false,
            onChoose: null,
          })),
      analytics.totalClicks,
      title,
      'No clicks with a value',
    ),
  });
  return (
    <GridCard
      title="Campaigns"
      label="Campaigns"
      hint="Clicks by the UTM values of the target when they were counted, or else by those that the link forwarded. Clicks without a value are left out."
      onClear={filtering?.clear}
      views={[
        view('Source', 'Campaign sources', analytics.clicksByUtmSource),
        view('Medium', 'Campaign media', analytics.clicksByUtmMedium),
        view('Campaign', 'Campaigns', analytics.clicksByUtmCampaign),
      ]}
    />
  );
}

export const hasCampaigns = ({
  clicksByUtmSource,
  clicksByUtmMedium,
  clicksByUtmCampaign,
}: AdvancedAnalytics): boolean =>
  [clicksByUtmSource, clicksByUtmMedium, clicksByUtmCampaign].some(
    (counts) => Object.keys(counts).length > 0,
  );

/** Shows clicks by referring host. Its path is never stored. */
export function SourcesCard({ analytics, filtering }: CardProps) {
  const counts = analytics.clicksByReferrer ?? null;
  const rows = counts === null ? null : rowsOf(filtering, 'referrer', counts);
  return (
    <GridCard
      title="Sources"
      label="Sources"
      hint="The sites that clicks came from. Clicks without a referrer, for example from apps, count as Direct."
      onClear={filtering?.clear}
      views={[
        {
          name: 'Sources',
          content: list(rows, analytics.totalClicks, 'Sources', 'No clicks in this range'),
        },
      ]}
    />
  );
}
