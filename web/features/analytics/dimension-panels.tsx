import { useState } from 'react';
import type { AnalyticsResponse, Counts } from '#contract/analytics.ts';
import { TOP_COUNTRIES } from '#contract/limits.ts';
import { Panel } from '#web/ui/card.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { RankedList } from './ranked-list.tsx';
import type { RankedRow } from './ranked-list.tsx';
import { countryName, flagEmoji, rankCounts } from './series.ts';

type Props = { analytics: AnalyticsResponse['analytics'] };

const rowsOf = (counts: Counts): RankedRow[] =>
  rankCounts(counts, TOP_COUNTRIES).map(({ name, clicks }) => ({ key: name, label: name, clicks }));

const withFlag = (country: string, text: string) => (
  <>
    <span aria-hidden="true" className="mr-2 inline-block w-5 text-center">
      {flagEmoji(country) || '·'}
    </span>
    {text}
  </>
);

/** Clicks by Country (the ten with most, spec §2) and, behind a tab, by city. */
export function PlacePanel({ analytics }: Props) {
  const [tab, setTab] = useState<'country' | 'city'>('country');
  const countries = rankCounts(analytics.clicksByCountry, TOP_COUNTRIES).map(({ name, clicks }) => ({
    key: name,
    label: withFlag(name, countryName(name)),
    clicks,
  }));
  const cities = analytics.clicksByCity.slice(0, TOP_COUNTRIES).map(({ country, city, clicks }) => ({
    key: `${country} ${city}`,
    label: withFlag(country, city),
    clicks,
  }));
  return (
    <Panel title="Clicks by Country" hint="Where the network says the click came from.">
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

/** Clicks by Device and, behind tabs, by browser and operating system. */
export function DevicePanel({ analytics }: Props) {
  const [tab, setTab] = useState<(typeof AGENT_TABS)[number]['value']>('device');
  const counts = { device: analytics.clicksByDevice, browser: analytics.clicksByBrowser, os: analytics.clicksByOs }[tab];
  return (
    <Panel title="Clicks by Device" hint="Read from what the browser says of itself.">
      <Tabs label="Devices" tabs={AGENT_TABS} value={tab} onChange={setTab}>
        <RankedList total={analytics.totalClicks} rows={rowsOf(counts)} empty="No clicks yet" />
      </Tabs>
    </Panel>
  );
}

/** Where people were when they clicked: the referring host, never its path. */
export const ReferrerPanel = ({ analytics }: Props) => (
  <Panel title="Referrers" hint="The site the click came from. Apps and typed links send none and count as Direct.">
    <RankedList total={analytics.totalClicks} rows={rowsOf(analytics.clicksByReferrer)} empty="No clicks yet" />
  </Panel>
);
