import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { ClickEvent, ClickWindow } from '#worker/redirect/click-event.ts';
import { PAUSE_MS } from '#worker/redirect/click-window.ts';

/** How links are visited. Clicks are those of the scaled-down simulation. */
export type Profile = {
  name: string;
  what: string;
  links: number;
  /** Returns the clicks of a day, counted from 0. */
  clicksOn: (day: number) => number;
  /** Exponent of the Zipf distribution of clicks over links. */
  zipf: number;
  /**
   * Clicks per second in one isolate while it has traffic. They decide how many clicks share a
   * window.
   */
  rate: number;
  /** Share of human clicks by visitors who are new to the link on that day. */
  newVisitors: number;
};

/** A viral link gets two thirds of its clicks in its first week, followed by a long tail. */
const VIRAL_WEEK = [10_000, 10_000, 5_000, 2_500, 1_200, 800, 500];

export const PROFILES: readonly Profile[] = [
  {
    name: 'long tail',
    what: 'almost every click is the only one of its link on its day, and travels alone',
    links: 600,
    clicksOn: () => 60,
    zipf: 0.3,
    rate: 0.05,
    newVisitors: 1,
  },
  {
    name: 'typical',
    what: 'some links are popular, most are not',
    links: 200,
    clicksOn: () => 150,
    zipf: 1,
    rate: 2,
    newVisitors: 0.8,
  },
  {
    name: 'viral',
    what: 'one link with two thirds of its clicks in its first week',
    links: 1,
    clicksOn: (day) => VIRAL_WEEK[day] ?? Math.max(5, Math.round(3_000 / (day - 5))),
    zipf: 1,
    rate: 50,
    newVisitors: 0.75,
  },
];

/** Returns a generator of numbers from 0 to 1 that is the same in every run. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * Returns a function that draws from 0 to `count` - 1, each with a weight of 1 / (rank ^ exponent).
 */
function makeZipf(count: number, exponent: number, random: () => number): () => number {
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= count; rank++) sums.push((sum += rank ** -exponent));
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const CHROME = (version: number, os: string) =>
  `Mozilla/5.0 (${os}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;
const AGENTS = [
  ...[142, 141, 140].flatMap((version) => [
    CHROME(version, 'Windows NT 10.0; Win64; x64'),
    CHROME(version, 'Linux; Android 10; K'),
    CHROME(version, 'Macintosh; Intel Mac OS X 10_15_7'),
  ]),
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
];
export const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const BOT_SHARE = 0.1;
const COUNTRIES = ['IN', 'US', 'DE', 'BR', 'GB', 'FR', 'JP', 'NG', 'ID', 'MX'];
const PLACES = 400;
const REFERRERS = 150;
const MAX_WINDOW_CLICKS = 400;
/** Clicks come after the simulated runs of cron, because the clock must not go back. */
const FIRST_CLICK_MS = 2 * HOUR_MS;

export type Traffic = {
  /** The windows of a day as the queue delivers them. `day` begins at `dayStart`, in ms. */
  windowsOf: (day: number, dayStart: number) => ClickWindow[];
  /**
   * The share of clicks that read KV. The others are served from the isolate's memory of
   * `memoryMs`.
   */
  kvReadShare: (memoryMs: number) => number;
};

/** Creates the traffic of a profile on links with these ids, in windows of `windowMs`. */
export function makeTraffic(
  profile: Profile,
  linkIds: readonly number[],
  windowMs: number,
): Traffic {
  const random = makeRandom(profile.links * 7 + 1);
  const link = makeZipf(linkIds.length, profile.zipf, random);
  const agent = makeZipf(AGENTS.length, 1, random);
  const place = makeZipf(PLACES, 1, random);
  const referrer = makeZipf(REFERRERS, 1, random);
  let visitors = 0;
  let windows = 0;

  const clickAt = (t: number): ClickEvent => {
    const where = place();
    const isNew = random() < profile.newVisitors;
    return {
      l: linkIds[link()] ?? 0,
      t,
      ua: random() < BOT_SHARE ? BOT : (AGENTS[agent()] ?? ''),
      r: random() < 0.3 ? '' : `site${referrer()}.example`,
      c: COUNTRIES[where % COUNTRIES.length] ?? '',
      g: `R${where % 40}`,
      y: `City ${where}`,
      k: `v${String(isNew ? ++visitors : Math.floor(random() * (visitors + 1))).padStart(15, '0')}`,
    };
  };
  /**
   * The first click after a pause travels alone. Every other one that finds no window opens one,
   * which clicks join until it closes.
   */
  const windowSize = (): number => {
    if (random() < Math.exp((-profile.rate * PAUSE_MS) / 1000)) return 1;
    const mean = (profile.rate * windowMs) / 1000;
    let others = 0;
    for (let waited = -Math.log(random()); waited < mean; waited -= Math.log(random())) others++;
    return Math.min(MAX_WINDOW_CLICKS, 1 + others);
  };

  return {
    windowsOf(day, dayStart) {
      const made: ClickWindow[] = [];
      const total = profile.clicksOn(day);
      for (let done = 0; done < total;) {
        const size = Math.min(windowSize(), total - done);
        const at =
          dayStart + FIRST_CLICK_MS + Math.floor((done / total) * (DAY_MS - FIRST_CLICK_MS));
        made.push({
          v: 1,
          id: String(++windows).padStart(16, '0'),
          e: Array.from({ length: size }, () => clickAt(at)),
        });
        done += size;
      }
      return made;
    },
    kvReadShare(memoryMs) {
      let share = 0;
      let sum = 0;
      for (let rank = 1; rank <= linkIds.length; rank++) sum += rank ** -profile.zipf;
      for (let rank = 1; rank <= linkIds.length; rank++) {
        const ofLink = rank ** -profile.zipf / sum;
        // The first click in an isolate reads KV. Clicks in the following `memoryMs` do not.
        share += ofLink / (1 + (profile.rate * ofLink * memoryMs) / 1000);
      }
      return share;
    },
  };
}
