import { useState } from 'react';
import type { AnalyticsResponse, Counts } from '#contract/analytics.ts';
import { Panel } from '#web/ui/card.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { countryName, flagEmoji } from './countries.ts';
import { RankedList } from './ranked-list.tsx';
import type { RankedRow } from './ranked-list.tsx';
import { rankCounts } from './series.ts';

/** Rows of each ranked list. */
const ROWS_MAX = 10;

type Props = { analytics: AnalyticsResponse['analytics'] };

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

/** Clicks by country and, in a second tab, by city. */
export function PlacePanel({ analytics }: Props) {
  const [tab, setTab] = useState<'country' | 'city'>('country');
  const countries = rankCounts(analytics.clicksByCountry, ROWS_MAX).map(({ name, clicks }) => ({
    key: name,
    label: withFlag(name, countryName(name)),
    clicks,
  }));
  const cities = analytics.clicksByCity.slice(0, ROWS_MAX).map(({ country, city, clicks }) => ({
    key: `${country} ${city}`,
    label: withFlag(country, city),
    clicks,
  }));
  return (
    <Panel title="Clicks by Country" hint="Derived from the visitor’s network connection.">
      <Tabs
        label="Places"
        tabs={[
          { value: 'country', label: 'Countries' },
          { value: 'city', label: 'Cities' },
        ]}
        value={tab}
        onChange={setTab}
      >
        <RankedList total={analytics.totalClicks} rows={tab === 'country' ? countries : cities} empty="No location data" />
      </Tabs>
    </Panel>
  );
}

const AGENT_TABS = [
  { value: 'device', label: 'Devices' },
  { value: 'browser', label: 'Browsers' },
  { value: 'os', label: 'Systems' },
] as const;

/** Clicks by device and, in further tabs, by browser and operating system. */
export function DevicePanel({ analytics }: Props) {
  const [tab, setTab] = useState<(typeof AGENT_TABS)[number]['value']>('device');
  const counts = { device: analytics.clicksByDevice, browser: analytics.clicksByBrowser, os: analytics.clicksByOs }[tab];
  return (
    <Panel title="Clicks by Device" hint="Derived from the browser’s user agent.">
      <Tabs label="Devices" tabs={AGENT_TABS} value={tab} onChange={setTab}>
        <RankedList total={analytics.totalClicks} rows={toRows(counts)} empty="No clicks yet" />
      </Tabs>
    </Panel>
  );
}

/** Clicks by referring host. Its path is never stored. */
export const ReferrerPanel = ({ analytics }: Props) => (
  <Panel
    title="Referrers"
    hint="The sites that clicks came from. Clicks without a referrer, for example from apps, count as Direct."
  >
    <RankedList total={analytics.totalClicks} rows={toRows(analytics.clicksByReferrer)} empty="No clicks yet" />
  </Panel>
);
