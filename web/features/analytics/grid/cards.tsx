import { Suspense, lazy } from 'react';
import type { AdvancedAnalytics, CountsByName, FilteredReport } from '#contract/analytics.ts';
import {
  canFilterBy,
  cityValue,
  formatFilter,
  type Filter,
  type FilterDimension,
} from '#contract/report-filter.ts';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { NO_CLICKS_IN_RANGE } from '#web/features/analytics/metrics.ts';
import { countryName } from '#web/shared/country-name.ts';
import type { Filtering } from './filters.ts';
import { Flag } from './flag.tsx';
import { GridCard, NoRows } from './grid-card.tsx';
import type { RankedRow } from './ranked-list.tsx';
import { TopRows } from './ranked-lists.tsx';
import { Lock } from 'lucide-react';
import { FEATURES } from '#contract/plan-features.ts';
import { PLANS } from '#contract/site.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

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

const list = (rows: readonly RankedRow[] | null, total: number, title: string, empty: string) =>
  rows === null ? null : rows.length === 0 ? (
    <NoRows>{empty}</NoRows>
  ) : (
    <TopRows rows={rows} total={total} title={title} />
  );

/** Returns a view of counts. Without a `dimension`, its rows do not filter. */
const countsView = (
  { analytics, filtering }: CardProps,
  name: string,
  title: string,
  counts: CountsByName | null,
  dimension: FilterDimension | null,
  empty = NO_CLICKS_IN_RANGE,
) => ({
  name,
  content: list(
    counts &&
      rankCounts(counts).map(({ name: text, clicks }) =>
        dimension === null
          ? { key: text, text, clicks, chosen: false, onChoose: null }
          : rowOf(filtering, { dimension, value: text }, clicks, { text }),
      ),
    analytics.totalClicks,
    title,
    empty,
  ),
});

export function PlacesCard({ analytics, filtering }: CardProps) {
  const { totalClicks: total, clicksByCountry, clicksByCity } = analytics;
  const countries =
    clicksByCountry === null
      ? null
      : rankCounts(clicksByCountry).map(({ name, clicks }) =>
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
  const countryList = list(countries, total, 'Countries', 'No location data');
  const map =
    countries !== null && countries.length > 0 ? (
      <Suspense fallback={<MapSkeleton />}>
        <WorldMap countries={countries} total={total} />
      </Suspense>
    ) : (
      countryList
    );
  return (
    <GridCard
      title="Clicks by Country"
      label="Locations"
      hint="Derived from the visitor’s network connection."
      onClear={filtering?.clear}
      views={[
        { name: 'Map', content: map },
        { name: 'Countries', content: countryList },
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

export function DevicesCard(props: CardProps) {
  const { clicksByDevice, clicksByBrowser, clicksByOs } = props.analytics;
  const view = (
    name: string,
    dimension: FilterDimension,
    counts: CountsByName | null | undefined,
    title = `${name}s`,
  ) => (counts === undefined ? [] : [countsView(props, name, title, counts, dimension)]);
  return (
    <GridCard
      title="Clicks by Device"
      label="Devices"
      hint="Derived from the browser’s user agent."
      onClear={props.filtering?.clear}
      views={[
        ...view('Type', 'device', clicksByDevice, 'Devices'),
        ...view('Browser', 'browser', clicksByBrowser),
        ...view('System', 'os', clicksByOs),
      ]}
    />
  );
}

export function CampaignsCard(props: CardProps) {
  const { clicksByUtmSource, clicksByUtmMedium, clicksByUtmCampaign } = props.analytics;
  const view = (name: string, title: string, counts: CountsByName | null = null) =>
    countsView(props, name, title, counts, null, 'No clicks with a value');
  return (
    <GridCard
      title="Campaigns"
      label="Campaigns"
      hint="Clicks by the UTM values of the target when they were counted, or else by those that the link forwarded. Clicks without a value are left out."
      onClear={props.filtering?.clear}
      views={[
        view('Source', 'Campaign sources', clicksByUtmSource),
        view('Medium', 'Campaign media', clicksByUtmMedium),
        view('Campaign', 'Campaigns', clicksByUtmCampaign),
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
export const SourcesCard = (props: CardProps) => (
  <GridCard
    title="Sources"
    label="Sources"
    hint="The sites that clicks came from. Clicks without a referrer, for example from apps, count as Direct."
    onClear={props.filtering?.clear}
    views={[
      countsView(props, 'Sources', 'Sources', props.analytics.clicksByReferrer ?? null, 'referrer'),
    ]}
  />
);

/** Returns the entries of `counts`, most clicks first. Ties are ordered by name. */
export const rankCounts = (counts: CountsByName) =>
  Object.entries(counts)
    .map(([name, clicks]) => ({ name, clicks }))
    .sort((a, b) => b.clicks - a.clicks || a.name.localeCompare(b.name));

/**
 * Says what the plan does not include. `onUpgrade` is null for administrators, who cannot upgrade
 * the owner here.
 */
export function LockedPanel({ onUpgrade }: { onUpgrade: (() => void) | null }) {
  const { name, detail } = FEATURES.advancedAnalytics;
  return (
    <Card className="flex flex-col justify-center px-4 py-4 sm:px-5">
      <div className="relative flex flex-wrap items-center gap-x-4 gap-y-3 sm:ps-8">
        <Lock className="absolute inset-s-0 top-0.5 size-4 text-ink-3 max-sm:hidden" />
        <section aria-label={name} className="min-w-0 flex-1 basis-64">
          <h2 className="text-14 font-medium">{name}</h2>
          <p className="mt-0.5 text-13 text-ink-3">
            {detail}{' '}
            {onUpgrade === null
              ? 'The plan of this link’s owner does not include them.'
              : `With ${PLANS.premium.name} you see them for past clicks, too.`}
          </p>
        </section>
        {onUpgrade !== null && <Button onClick={onUpgrade}>Upgrade to {PLANS.premium.name}</Button>}
      </div>
    </Card>
  );
}
