import { RECENT_CLICKS_MAX } from '#contract/limits.ts';
import { sourceOf } from '#contract/reports/sources.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { ClickEvent, ClickWindow } from '#worker/redirect/click-event.ts';
import { add, HOUR_SUFFIX, noCounts, type ClickCounts } from './counts.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { cleanValue } from '#worker/redirect/utm.ts';
import type { UserAgent } from '#worker/http/user-agent.ts';
import { newestClicks, type StoredRecentClick } from './recent-clicks.ts';
import { hashVisitor, type Visitors } from './visitor-set.ts';

/**
 * What windows add to one link. Visitors are not in the counts of a day yet, because only the
 * stored set tells which of them are new.
 */
export type LinkClicks = {
  days: Map<number, { counts: ClickCounts; visitors: Visitors }>;
  recent: StoredRecentClick[];
  first: number | null;
  last: number | null;
};

/**
 * Counts the clicks of windows by link and UTC day. Pure: the order of clicks and windows does not
 * matter.
 */
export function aggregateClicks(
  windows: readonly ClickWindow[],
  parseUserAgent: (ua: string) => UserAgent,
): Map<number, LinkClicks> {
  const links = new Map<number, LinkClicks>();
  const clean = memoize(cleanValue);
  const agentOf = memoize((ua) => {
    const { bot, device, browser, os } = parseUserAgent(ua);
    return bot ? null : `${clean(device)}|${clean(browser)}|${clean(os)}`;
  });
  for (const window of windows)
    for (const event of window.e) {
      const link = getOrCreate(links, event.l, (): LinkClicks => ({
        days: new Map(),
        recent: [],
        first: null,
        last: null,
      }));
      const day = getOrCreate(link.days, dayNumber(event.t), () => ({
        counts: noCounts(),
        visitors: new Map(),
      }));
      const agent = agentOf(event.ua);
      const hour = Math.floor((event.t % DAY_MS) / HOUR_MS);
      // A bot that prefetches counts as a prefetch.
      const figure = event.p === 1 ? 'prefetch' : agent === null ? 'bot' : 'human';
      day.counts[figure] += 1;
      add(day.counts.times, hour + HOUR_SUFFIX[figure], 1);
      if (figure === 'human' && agent !== null) {
        const country = countryOf(event);
        const place = `${country}|${clean(event.g)}|${clean(event.y)}`;
        const ref = sourceOf(clean(event.r));
        add(day.counts.place, place, 1);
        add(day.counts.agent, agent, 1);
        add(day.counts.ref, ref, 1);
        add(day.counts.devices, `${country}|${agent.slice(0, agent.indexOf('|'))}`, 1);
        add(day.counts.sources, `${country}|${ref}`, 1);
        // UTM values of the link's own target are added later (merge-clicks.ts).
        if (event.u !== undefined) add(day.counts.utm, utmValue(event.u, clean), 1);
        if (event.d !== undefined) add(day.counts.destination, event.d, 1);
        if (event.q === 1) add(day.counts.scans, String(hour), 1);
        if (event.k !== '') {
          const visitor = hashVisitor(event.k);
          const first = day.visitors.get(visitor);
          if (first === undefined || event.t < first.at)
            day.visitors.set(visitor, { at: event.t, hour, destination: event.d ?? '' });
        }
        link.first = Math.min(link.first ?? event.t, event.t);
        link.last = Math.max(link.last ?? event.t, event.t);
        link.recent.push([event.t, place, agent, ref]);
        // Sorting now and then bounds the memory for a link with many clicks.
        if (link.recent.length > 20 * RECENT_CLICKS_MAX) link.recent = newestClicks(link.recent);
      }
    }
  return links;
}

/** Cleans each of the three values that `utmOf` has joined. */
const utmValue = (text: string, clean: (part: string) => string): string => {
  const [source = '', medium = '', campaign = ''] = text.split('|');
  return [source, medium, campaign].map(clean).join('|');
};

/** Cloudflare reports unknown countries as 'XX' and Tor as 'T1': both count as unknown. */
const countryOf = ({ c }: ClickEvent): string => (/^[A-Z]{2}$/.test(c) && c !== 'XX' ? c : '');

/** Calls `compute` once for each distinct text. */
function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, { value: T }>();
  return (text) => getOrCreate(results, text, () => ({ value: compute(text) })).value;
}
