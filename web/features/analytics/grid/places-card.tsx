import { Suspense } from 'react';
import { cityValue } from '#contract/reports/report-filter.ts';
import { countryName } from '#web/shared/texts/country-name.ts';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { loadOnline } from '#web/ui/load-online.ts';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { countsView, listView, rankCounts, rowOf, type CardProps } from './card-views.tsx';
import { Flag } from './flag.tsx';
import type { CardSpec } from './grid-card.tsx';

const WorldMap = lazyOr(
  () => loadOnline(() => import('./world-map.tsx').then((m) => m.WorldMap)),
  () => <p className="text-13 text-ink-3">The map could not be loaded.</p>,
);
const COUNTRIES_SHOWN = 10;
const EMPTY = 'No location data';

/** Countries and cities, with the map beside them, or behind a tab on a narrow screen. */
export function placesCard(props: CardProps, wide: boolean): CardSpec {
  const { analytics, filtering } = props;
  const { totalClicks: total, clicksByCountry, clicksByCity } = analytics;
  const countries = countsView(props, 'Countries', {
    title: 'Countries',
    empty: EMPTY,
    shown: COUNTRIES_SHOWN,
    counts: clicksByCountry,
    dimension: 'country',
    readClick: (click) => click.country,
    look: (country) => ({ text: countryName(country), icon: <Flag country={country} /> }),
  });
  const cities = clicksByCity?.map((place) =>
    rowOf(filtering, { dimension: 'city', value: cityValue(place) }, place.clicks, {
      text: place.city,
      detail: countryName(place.country),
      icon: <Flag country={place.country} />,
    }),
  );
  const onMap =
    clicksByCountry != null &&
    Object.keys(clicksByCountry).length > 0 &&
    rankCounts(clicksByCountry).map(({ name, clicks }) =>
      rowOf(filtering, { dimension: 'country', value: name }, clicks, { text: countryName(name) }),
    );
  const map = onMap && (
    <Suspense fallback={<MapSkeleton />}>
      <WorldMap countries={onMap} total={total} />
    </Suspense>
  );
  return {
    title: 'Clicks by Country',
    label: 'Locations',
    param: 'places',
    hint: 'Derived from the visitor’s network connection. “Unknown” has no known place.',
    views: [
      countries,
      ...(clicksByCity === undefined
        ? []
        : [listView('Cities', cities ?? null, total, { title: 'Cities', empty: EMPTY })]),
      ...(map && !wide ? [{ name: 'Map', rows: 0, content: map }] : []),
    ],
    ...(map && wide && { aside: map }),
  };
}

const MapSkeleton = () => (
  <Loading label="Loading the map…">
    <Skeleton className="mx-2 mt-2 aspect-[2/1]" />
  </Loading>
);
