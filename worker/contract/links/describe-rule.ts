import { languageName, listAny, regionName } from '#contract/language.ts';
import type { Continent, Device, RuleConditions, TimeWindow, Weekday } from './rule-conditions.ts';

/** How conditions of rules read, for the application and the preview page. */

export const DEVICE_NAMES: Readonly<Record<Device, string>> = {
  ios: 'iPhone or iPad',
  android: 'Android',
  desktop: 'Computer',
};

export const CONTINENT_NAMES: Readonly<Record<Continent, string>> = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
};

export const WEEKDAY_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** Describes conditions: 'Device: Android. Country: Brazil or Portugal.' */
export function describeConditions(conditions: RuleConditions): string {
  const { device = [], country = [], continent = [], language = [], query = [] } = conditions;
  const parts: [string, string[]][] = [
    ['Device', device.map((one) => DEVICE_NAMES[one])],
    ['Country', country.map(regionName)],
    ['Continent', continent.map((one) => CONTINENT_NAMES[one])],
    ['Language', language.map(languageName)],
    ['Query', query],
    ['Time', (conditions.time ?? []).map(describeWindow)],
  ];
  return parts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}: ${listAny(values)}.`)
    .join(' ');
}

function describeWindow({ zone, days, from, to }: TimeWindow): string {
  const on = days === undefined ? 'every day' : listAny(days.map((day) => WEEKDAY_NAMES[day]));
  return `${from} to ${to}, ${on} (${zone})`;
}
