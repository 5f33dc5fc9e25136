import { plural } from '#contract/language.ts';
import { LIVE_CLICKS_MINUTES, type LiveClick } from '#contract/reports/live-clicks.ts';

/** The numbers beside the picture. Places that are not known count as no country. */
export const countClicks = (clicks: readonly LiveClick[]) => ({
  clicks: clicks.length,
  countries: new Set(
    clicks.map(({ country }) => country).filter((name) => name !== 'XX' && /^[A-Z]{2}$/.test(name)),
  ).size,
  links: new Set(clicks.map(({ code }) => code)).size,
});

/** Says what the picture shows: '14 clicks from 5 countries in the last 10 minutes.' */
export function describeClicks(clicks: readonly LiveClick[], complete: boolean): string {
  const { clicks: count, countries } = countClicks(clicks);
  const time = `in the last ${LIVE_CLICKS_MINUTES} minutes`;
  if (count === 0) return complete ? `No clicks ${time}.` : `No clicks found ${time}.`;
  const from = countries === 0 ? '' : ` from ${plural(countries, 'country', 'countries')}`;
  return `${complete ? '' : 'At least '}${plural(count, 'click')}${from} ${time}.`;
}
