import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { ClickEvent } from '#worker/redirect/click-event.ts';
import type { DemoLink } from './links.ts';
import { AGENTS, BOTS, PLACES, REFERRERS, type Place } from './people.ts';
import { pick, poisson } from './random.ts';

/** The weight of each weekday, Monday to Sunday. */
const WEEK = [1.12, 1.15, 1.1, 1.08, 1, 0.74, 0.7];
/**
 * The weight of each hour, UTC: quiet before dawn in India, with a peak in its afternoon and
 * Europe's morning.
 */
const HOURS = [3, 2, 2, 3, 5, 7, 8, 9, 9, 10, 10, 9, 9, 9, 9, 8, 8, 7, 6, 5, 5, 4, 4, 3];
const BOT_SHARE = 0.07;
const PREFETCH_SHARE = 0.03;
const PRIVATE_SHARE = 0.08;
const AGAIN_SHARE = 0.18;
/** Of the visitors of a link with campaigns. */
const CAMPAIGN_SHARE = 0.7;
/**
 * Links on posters and tables, with the number of clicks out of ten that come from their QR code.
 */
const PRINTED: ReadonlySet<string> = new Set([
  'find-us',
  'monsoon',
  'autumn',
  'menu',
  'parking',
  'handbook',
]);
const SCANS_OF_TEN = 4;

/**
 * Returns the clicks on a link between `madeAt` and `now`, unsorted. The same `random` gives the
 * same clicks.
 */
export function clicksOn(
  link: DemoLink,
  id: number,
  madeAt: number,
  now: number,
  random: () => number,
): ClickEvent[] {
  const clicks: ClickEvent[] = [];
  for (let day = Math.floor(madeAt / DAY_MS) * DAY_MS; day < now; day += DAY_MS) {
    const mean =
      link.perDay * pace(link.course, (day - madeAt) / DAY_MS, day) * (WEEK[weekday(day)] ?? 1);
    const visitors: { agent: string; place: Place; key: string }[] = [];
    for (let left = poisson(random, mean); left > 0; left -= 1) {
      const t = Math.floor(day + hourIn(random) * HOUR_MS + random() * HOUR_MS);
      if (t < madeAt || t >= now) continue;
      const again =
        random() < AGAIN_SHARE ? visitors[Math.floor(random() * visitors.length)] : undefined;
      const visitor = again ?? {
        agent: pick(random, AGENTS[link.audience]),
        place: pick(random, PLACES[link.audience]),
        key: random() < PRIVATE_SHARE ? '' : `demo-${id}-${day / DAY_MS}-${visitors.length}`,
      };
      if (again === undefined) visitors.push(visitor);
      clicks.push(click(link, id, t, visitor, random));
    }
  }
  return clicks;
}

function click(
  link: DemoLink,
  id: number,
  t: number,
  visitor: { agent: string; place: Place; key: string },
  random: () => number,
): ClickEvent {
  const [c, g, y] = visitor.place;
  const kind = random();
  if (kind < BOT_SHARE)
    return { l: id, t, ua: pick(random, BOTS), r: '', c: 'US', g: 'Virginia', y: 'Ashburn', k: '' };
  const event: ClickEvent = {
    l: id,
    t,
    ua: visitor.agent,
    r: pick(random, REFERRERS[link.course]),
    c,
    g,
    y,
    k: visitor.key,
  };
  const { campaigns = [] } = link;
  if (campaigns.length > 0 && random() < CAMPAIGN_SHARE)
    event.u = pick(
      random,
      campaigns.map((utm, index) => [campaigns.length - index, utm] as const),
    );
  if (PRINTED.has(link.alias ?? '') && t % 10 < SCANS_OF_TEN) event.q = 1;
  return kind < BOT_SHARE + PREFETCH_SHARE ? { ...event, p: 1 } : event;
}

/** Returns the factor by which a link's clicks differ from an ordinary day. `age` is in days. */
function pace(course: DemoLink['course'], age: number, day: number): number {
  switch (course) {
    case 'steady':
      return 1;
    case 'growing':
      return 0.35 + Math.min(1, age / 365) * 1.1 + 0.2 * Math.sin(day / DAY_MS / 9);
    case 'campaign':
      return 1.6 * Math.exp(-Math.max(0, age) / 16) + 0.05;
    case 'launch':
      return age < 1 ? 3.2 : 2.2 * Math.exp(-age / 3.5) + 0.06;
    case 'weekly':
      return weekday(day) === 3 ? 4 : weekday(day) === 4 ? 1.4 : 0.25;
  }
}

/** 0 = Monday. */
const weekday = (day: number): number => (new Date(day).getUTCDay() + 6) % 7;

const hourIn = (random: () => number): number =>
  pick(
    random,
    HOURS.map((weight, hour) => [weight, hour] as const),
  );
