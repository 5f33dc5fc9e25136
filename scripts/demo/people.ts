import type { DemoLink } from './links.ts';

type Weighted<T> = readonly (readonly [weight: number, value: T])[];
export type Place = readonly [country: string, region: string, city: string];

const INDIA: Weighted<Place> = [
  [30, ['IN', 'Karnataka', 'Bengaluru']],
  [18, ['IN', 'Maharashtra', 'Mumbai']],
  [12, ['IN', 'Delhi', 'New Delhi']],
  [10, ['IN', 'Tamil Nadu', 'Chennai']],
  [8, ['IN', 'Telangana', 'Hyderabad']],
  [5, ['IN', 'Maharashtra', 'Pune']],
  [4, ['IN', 'West Bengal', 'Kolkata']],
  [3, ['IN', 'Kerala', 'Kochi']],
];
const EUROPE: Weighted<Place> = [
  [16, ['DE', 'Berlin', 'Berlin']],
  [7, ['DE', 'Bavaria', 'Munich']],
  [12, ['GB', 'England', 'London']],
  [9, ['FR', 'Île-de-France', 'Paris']],
  [7, ['NL', 'North Holland', 'Amsterdam']],
  [6, ['ES', 'Community of Madrid', 'Madrid']],
  [5, ['PL', 'Mazovia', 'Warsaw']],
  [5, ['SE', 'Stockholm', 'Stockholm']],
  [4, ['PT', 'Lisbon', 'Lisbon']],
  [4, ['IT', 'Lombardy', 'Milan']],
];
const OTHERS: Weighted<Place> = [
  [16, ['US', 'California', 'San Francisco']],
  [13, ['US', 'New York', 'New York']],
  [6, ['US', 'Texas', 'Austin']],
  [7, ['CA', 'Ontario', 'Toronto']],
  [7, ['BR', 'São Paulo', 'São Paulo']],
  [6, ['JP', 'Tokyo', 'Tokyo']],
  [6, ['SG', '', 'Singapore']],
  [5, ['AU', 'New South Wales', 'Sydney']],
  [4, ['NG', 'Lagos', 'Lagos']],
  [4, ['ID', 'Jakarta', 'Jakarta']],
  [3, ['MX', 'Mexico City', 'Mexico City']],
  [2, ['', '', '']],
];

const weigh = (share: number, places: Weighted<Place>): Weighted<Place> => {
  const total = places.reduce((sum, [weight]) => sum + weight, 0);
  return places.map(([weight, place]) => [(weight / total) * share, place] as const);
};

/** The places of visitors by audience. Some visitors have none. */
export const PLACES: Readonly<Record<DemoLink['audience'], Weighted<Place>>> = {
  india: [...weigh(86, INDIA), ...weigh(5, EUROPE), ...weigh(9, OTHERS)],
  europe: [...weigh(6, INDIA), ...weigh(80, EUROPE), ...weigh(14, OTHERS)],
  world: [...weigh(35, INDIA), ...weigh(27, EUROPE), ...weigh(38, OTHERS)],
  developers: [...weigh(24, INDIA), ...weigh(32, EUROPE), ...weigh(44, OTHERS)],
};

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`;
const MAC = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME} Safari/537.36`;
const LINUX = `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`;
const EDGE = `${WINDOWS} Edg/142.0.0.0`;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';
const FIREFOX_LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15';
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`;
const SAMSUNG =
  'Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1';
const IPAD =
  'Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1';

const PHONES: Weighted<string> = [
  [46, ANDROID],
  [22, IPHONE],
  [9, SAMSUNG],
  [3, IPAD],
];
const DESKS: Weighted<string> = [
  [30, WINDOWS],
  [18, MAC],
  [10, SAFARI],
  [8, FIREFOX],
  [8, EDGE],
  [6, LINUX],
  [4, FIREFOX_LINUX],
];
const shares = (phones: number): Weighted<string> => [
  ...PHONES.map(([weight, agent]) => [weight * phones, agent] as const),
  ...DESKS.map(([weight, agent]) => [weight * (1 - phones), agent] as const),
];
export const AGENTS: Readonly<Record<DemoLink['audience'], Weighted<string>>> = {
  india: shares(0.8),
  europe: shares(0.5),
  world: shares(0.6),
  developers: shares(0.22),
};

export const BOTS: Weighted<string> = [
  [5, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  [4, 'WhatsApp/2.2587.9 W'],
  [3, 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
  [2, 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
  [2, 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
  [1, 'curl/8.14.1'],
];

/** The referrers of visitors; '' means typed, scanned or opened from an app. */
export const REFERRERS: Readonly<Record<DemoLink['course'], Weighted<string>>> = {
  campaign: [
    [50, ''],
    [18, 'www.instagram.com'],
    [12, 'l.facebook.com'],
    [10, 'www.google.com'],
    [6, 'mail.google.com'],
  ],
  steady: [
    [58, ''],
    [22, 'www.google.com'],
    [6, 'duckduckgo.com'],
    [6, 'www.linkedin.com'],
    [4, 'en.wikipedia.org'],
  ],
  growing: [
    [40, ''],
    [24, 'www.google.com'],
    [14, 'teams.microsoft.com'],
    [12, 'www.linkedin.com'],
    [10, 'mail.google.com'],
  ],
  launch: [
    [30, ''],
    [24, 'news.ycombinator.com'],
    [16, 'www.reddit.com'],
    [12, 't.co'],
    [10, 'www.linkedin.com'],
    [8, 'github.com'],
  ],
  weekly: [
    [64, ''],
    [26, 'mail.google.com'],
    [10, 'outlook.live.com'],
  ],
};
