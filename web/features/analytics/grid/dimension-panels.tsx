import { useState } from 'react';
import type { AnalyticsResponse, Counts } from '#contract/analytics.ts';
import { Panel } from '#web/ui/card.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { countryName, flagEmoji } from './countries.ts';
import { RankedList } from './ranked-list.tsx';
import type { RankedRow } from './ranked-list.tsx';
import { rankCounts } from '#web/features/analytics/series.ts';

/** Rows of each ranked list. */
const ROWS_MAX = 10;

const toRows = (counts: Counts): RankedRow[] =>
  rankCounts(counts, ROWS_MAX).map(({ name, clicks }) => ({ key: name, label: name, clicks }));

const withFlag = (country: string, text: string) => (
  <>
    <span aria-hidden="true" className="mr-2 inline-block w-5 text-center">
      {flagEmoji(country) || '·'}
    </span>
    {text}
  </>
);

type Lists = { label: string; lists: { name: string; rows: RankedRow[] }[]; total: number; empty: string };

/** Ranked lists in tabs, or a single list without any. `label` names the tabs for screen readers. */
function RankedLists({ label, lists, total, empty }: Lists) {
  const [selected, setSelected] = useState('');
  const shown = lists.find(({ name }) => name === selected) ?? lists[0];
  const list = <RankedList total={total} rows={shown?.rows ?? []} empty={empty} />;
  if (shown === undefined || lists.length === 1) return list;
  return (
    <Tabs label={label} tabs={lists.map(({ name }) => ({ value: name, label: name }))} value={shown.name} onChange={setSelected}>
      {list}
    </Tabs>
  );
}

/** Clicks by country and, with advanced analytics, by city in a second tab. */
export function PlacePanel({ report }: { report: AnalyticsResponse }) {
  const countries = rankCounts(report.analytics.clicksByCountry, ROWS_MAX).map(({ name, clicks }) => ({
    key: name,
    label: withFlag(name, countryName(name)),
    clicks,
  }));
  const cities = report.advanced
    ? report.analytics.clicksByCity.slice(0, ROWS_MAX).map(({ country, region, city, clicks }) => ({
        key: `${country} ${region} ${city}`,
        label: withFlag(country, city),
        clicks,
      }))
    : null;
  return (
    <Panel title="Clicks by Country" hint="Derived from the visitor’s network connection.">
      <RankedLists
        label="Places"
        lists={[{ name: 'Countries', rows: countries }, ...(cities === null ? [] : [{ name: 'Cities', rows: cities }])]}
        total={report.analytics.totalClicks}
        empty="No location data"
      />
    </Panel>
  );
}

/** Clicks by device and, with advanced analytics, by browser and operating system in further tabs. */
export function DevicePanel({ report }: { report: AnalyticsResponse }) {
  const devices = { name: 'Devices', rows: toRows(report.analytics.clicksByDevice) };
  const software = report.advanced
    ? [
        { name: 'Browsers', rows: toRows(report.analytics.clicksByBrowser) },
        { name: 'Systems', rows: toRows(report.analytics.clicksByOs) },
      ]
    : [];
  return (
    <Panel title="Clicks by Device" hint="Derived from the browser’s user agent.">
      <RankedLists label="Devices" lists={[devices, ...software]} total={report.analytics.totalClicks} empty="No clicks yet" />
    </Panel>
  );
}

/** Clicks by referring host. Its path is never stored. */
export const ReferrerPanel = ({ clicksByReferrer, total }: { clicksByReferrer: Counts; total: number }) => (
  <Panel
    title="Referrers"
    hint="The sites that clicks came from. Clicks without a referrer, for example from apps, count as Direct."
  >
    <RankedList total={total} rows={toRows(clicksByReferrer)} empty="No clicks yet" />
  </Panel>
);
