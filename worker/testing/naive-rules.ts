import type { LinkVariant } from '#contract/links/link-variants.ts';
import type { LinkRule, RedirectStatus, TimeWindow } from '#contract/links/rule-conditions.ts';

/** A link and a request as people describe them, for the model of redirects. Times in ms. */
export type NaiveLink = {
  target: string;
  status: 'active' | 'disabled' | 'deleted';
  startsAt: number | null;
  expiresAt: number | null;
  fallbackUrl: string;
  redirectStatus: RedirectStatus;
  rules: LinkRule[];
  variants: LinkVariant[];
  hasPassword: boolean;
  /** How many clicks the limit leaves; null without a limit. */
  clicksLeft: number | null;
  hasCard: boolean;
};

export type NaiveRequest = {
  userAgent: string;
  country: string;
  continent: string;
  /** Languages with their quality, in the order of the header. */
  languages: { tag: string; quality: number }[];
  parameters: { name: string; value: string }[];
  /** Whether the browser has entered the password of the link within the hour. */
  knowsPassword: boolean;
  at: number;
};

export type NaiveResult =
  | `${number} ${string}`
  | 'starts later'
  | 'asks for the password'
  | 'not for programs'
  | 'gone'
  /** A card that does not say where the link leads. */
  | 'neutral card'
  /** The card of the link, with the host of its destination. */
  | `card ${string}`;

/**
 * A slow and obvious implementation of docs/product.md, with which the redirect is compared. It
 * shares no code with it. Returns every result that is right: variants may lead to several.
 */
export function naiveRedirect(link: NaiveLink, request: NaiveRequest): NaiveResult[] {
  if (link.status !== 'active') return ['gone'];
  const hasEnded = link.expiresAt !== null && request.at >= link.expiresAt;
  const afterEnd: NaiveResult = link.fallbackUrl === '' ? 'gone' : `302 ${link.fallbackUrl}`;
  if (hasEnded) return [afterEnd];
  if (link.startsAt !== null && request.at < link.startsAt) return ['starts later'];
  const isGuarded = link.hasPassword || link.clicksLeft !== null;
  if (isGuarded && isCardBuilder(request.userAgent)) return ['neutral card'];
  if (link.hasPassword && !request.knowsPassword) return ['asks for the password'];
  if (link.clicksLeft !== null) {
    if (isProgram(request.userAgent)) return ['not for programs'];
    if (link.clicksLeft === 0) return [afterEnd];
  }
  let status = link.redirectStatus;
  if (link.clicksLeft !== null && status === 301) status = 302;
  if (link.clicksLeft !== null && status === 308) status = 307;
  if (isCardBuilder(request.userAgent)) {
    return [link.hasCard ? `card ${new URL(link.target).host}` : `${status} ${link.target}`];
  }
  for (const rule of link.rules) if (isMatch(rule, request)) return [`${status} ${rule.to}`];
  return [link.target, ...link.variants.map(({ url }) => url)].map(
    (url): NaiveResult => `${status} ${url}`,
  );
}

const isCardBuilder = (userAgent: string): boolean =>
  ['Slackbot', 'Twitterbot', 'facebookexternalhit'].some((name) => userAgent.startsWith(name));

const isProgram = (userAgent: string): boolean =>
  userAgent === '' || userAgent.startsWith('curl') || isCardBuilder(userAgent);

function isMatch({ if: conditions }: LinkRule, request: NaiveRequest): boolean {
  const results: boolean[] = [];
  if (conditions.device) results.push(conditions.device.some((one) => one === device(request)));
  if (conditions.country) results.push(conditions.country.some((one) => one === request.country));
  if (conditions.continent)
    results.push(conditions.continent.some((one) => one === request.continent));
  if (conditions.language) {
    const language = bestLanguage(request);
    results.push(
      conditions.language.some((one) => language === one || language.startsWith(`${one}-`)),
    );
  }
  if (conditions.query)
    results.push(
      conditions.query.some((wanted) =>
        request.parameters.some(({ name, value }) =>
          wanted.includes('=') ? `${name}=${value}` === wanted : name === wanted,
        ),
      ),
    );
  if (conditions.time) results.push(conditions.time.some((window) => isInside(window, request.at)));
  return results.every((result) => result);
}

function device({ userAgent }: NaiveRequest): string {
  for (const word of ['iPhone', 'iPad']) if (userAgent.includes(word)) return 'ios';
  if (userAgent.includes('Android')) return 'android';
  for (const word of ['Windows NT', 'Macintosh', 'X11'])
    if (userAgent.includes(word)) return 'desktop';
  return 'unknown';
}

function bestLanguage({ languages }: NaiveRequest): string {
  const wanted = languages.filter(({ quality }) => quality > 0);
  const [best] = wanted.toSorted((one, other) => other.quality - one.quality);
  return best === undefined ? '' : best.tag.toLowerCase();
}

/** Looks at the window of this day and of the day before, as wall clocks in its zone show them. */
function isInside({ zone, days, from, to }: TimeWindow, at: number): boolean {
  const wall = new Date(new Date(at).toLocaleString('en-US', { timeZone: zone }));
  const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const now = wall.getHours() * 60 + wall.getMinutes();
  const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  const length = (minutes(to) - minutes(from) + 1440) % 1440 || 1440;
  return [0, 1].some((daysAgo) => {
    const name = names[(wall.getDay() - daysAgo + 7) % 7] ?? '';
    const isDay = days === undefined || days.some((day) => day === name);
    const since = now + daysAgo * 1440 - minutes(from);
    return isDay && since >= 0 && since < length;
  });
}
