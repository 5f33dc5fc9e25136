import { CLOCK, localDateFormat } from '#web/shared/texts/format.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { useState } from 'react';
import { plural } from '#contract/language.ts';
import type { RecentClick } from '#contract/reports/analytics.ts';
import { Button } from '#web/ui/button.tsx';
import { browserName, systemName } from '#web/features/analytics/names/agent-names.ts';
import { sourceSite } from '#web/features/analytics/names/sources.ts';
import { countryName } from '#web/shared/texts/country-name.ts';
import { Flag } from './flag.tsx';

const SHOWN_FIRST = 10;
const formatTime = localDateFormat(CLOCK);
const formatDay = localDateFormat({ weekday: 'short', month: 'short', day: 'numeric' });

/**
 * Lists the most recent clicks, newest first, one line each under their day. A button shows those
 * after the first ten.
 */
export function RecentClicks({ clicks }: { clicks: readonly RecentClick[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? clicks : clicks.slice(0, SHOWN_FIRST);
  const hasDetails = clicks.some(({ referrer }) => referrer !== undefined);
  return (
    <>
      <table className="w-full table-fixed border-collapse text-14 max-sm:text-13">
        <caption className="sr-only">Recent clicks, newest first</caption>
        <colgroup>
          <col className="w-12 sm:w-16" />
          <col className="w-2/5 sm:w-1/3" />
          <col />
          {hasDetails && <col className="w-1/4 max-sm:w-px" />}
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Time</th>
            <th scope="col">{hasDetails ? 'City and country' : 'Country'}</th>
            <th scope="col">{hasDetails ? 'Device, browser and system' : 'Device and browser'}</th>
            {hasDetails && (
              <th scope="col" className="max-sm:hidden">
                Source
              </th>
            )}
          </tr>
        </thead>
        {groupByDay(shown).map(({ name, clicks: ofDay }) => (
          <tbody key={name} className="[&:not(:first-of-type)_th]:pt-4">
            <tr>
              <th
                scope="rowgroup"
                colSpan={hasDetails ? 4 : 3}
                className="border-b border-line pb-1 text-start text-12 font-medium text-ink-3"
              >
                {name}
              </th>
            </tr>
            {ofDay.map((click) => (
              <Click key={`${click.clicked_at} ${clicks.indexOf(click)}`} click={click} />
            ))}
          </tbody>
        ))}
      </table>
      {clicks.length > SHOWN_FIRST && (
        <div className="mt-3 text-center print:hidden">
          <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer clicks' : `Show all ${plural(clicks.length, 'click')}`}
          </Button>
        </div>
      )}
    </>
  );
}

/** A line, 36 px high, or 44 on a phone. Its titles have the texts that do not fit. */
function Click({ click }: { click: RecentClick }) {
  const { city, device_type: device } = click;
  // The device is in the column beside it.
  const browser = browserName(click.browser).replace(' (mobile)', '');
  const os = click.os === undefined ? undefined : systemName(click.os);
  const referrer = click.referrer === undefined ? undefined : sourceSite(click.referrer).name;
  const country = countryName(click.country);
  const place = city === undefined || city === 'Unknown' ? country : city;
  const agent = [device, browser, os].filter((part) => part !== undefined).join(' · ');
  return (
    <tr className="h-9 border-b border-line max-sm:h-11">
      <td className="p-0 text-ink-3 tabular-nums">
        <Time at={click.clicked_at}>{formatTime(click.clicked_at)}</Time>
      </td>
      <td className="py-0 ps-0 pe-3">
        <span
          className="flex min-w-0 items-center gap-2"
          title={place === country ? country : `${place}, ${country}`}
        >
          <Flag country={click.country} />
          <span className="relative truncate">
            <bdi>{place}</bdi>
            {place !== country && <span className="text-ink-3 max-sm:sr-only"> {country}</span>}
          </span>
        </span>
      </td>
      <td className="relative truncate py-0 ps-0 pe-3 text-ink-2" title={agent}>
        {/* A phone has room for the browser, followed by the source. */}
        <span className="max-sm:sr-only">{device} · </span>
        {browser}
        {os !== undefined && <span className="max-sm:sr-only"> · {os}</span>}
        {referrer !== undefined && <span className="text-ink-3 sm:hidden"> · {referrer}</span>}
      </td>
      {referrer !== undefined && (
        <td className="truncate p-0 text-end max-sm:hidden text-ink-3" title={click.referrer}>
          {referrer}
        </td>
      )}
    </tr>
  );
}

function groupByDay(clicks: readonly RecentClick[]): { name: string; clicks: RecentClick[] }[] {
  const groups = new Map<string, RecentClick[]>();
  for (const click of clicks) {
    const name = formatDay(click.clicked_at);
    groups.set(name, [...(groups.get(name) ?? []), click]);
  }
  return [...groups].map(([name, ofDay]) => ({ name, clicks: ofDay }));
}
