import type {
  Device,
  LinkRule,
  RedirectStatus,
  RuleConditions,
  TimeWindow,
} from '#contract/links/rule-conditions.ts';
import { WEEKDAYS } from '#contract/links/rule-conditions.ts';
import { wallClock } from '#contract/links/wall-clock.ts';
import type { EdgeRecord } from './edge-record.ts';
import type { ClickLimit } from './gate.ts';
import { preferredLanguage } from './preferred-language.ts';
import { chooseShare } from './shares.ts';

/** The facts of a request on which rules depend; '' for unknown ones. */
export type Visitor = {
  userAgent: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  continent: string;
  acceptLanguage: string;
  /** The query of the short URL, without its '?'. */
  query: string;
  /**
   * The seed by which a link divides its visitors: the same all day for a visitor who can be
   * recognized, and otherwise random.
   */
  seed: () => number;
};

/**
 * `by` is the index of the rule that matches, or why none decides. `destination` is the id of the
 * destination in the counts, if variants decide.
 */
export type RedirectDecision =
  | {
      kind: 'redirect';
      to: string;
      status: RedirectStatus;
      by: number | 'default' | 'fallback' | 'variants';
      destination?: string;
    }
  | { kind: 'not_yet'; startsAt: number }
  /** The visitor must enter the password first. */
  | { kind: 'password' }
  /** The click must be counted against the limit first. */
  | { kind: 'limit'; limit: ClickLimit }
  /** All clicks of the limit are used. */
  | { kind: 'reached' }
  | { kind: 'ended' }
  | { kind: 'stopped' };

/** The guards of a link that the visitor has passed, and what the count of its clicks said. */
export type Passed = { password?: boolean; limit?: 'passed' | 'reached' };

/**
 * Decides where a link leads a visitor at `now` (ms since 1970), in this order: status, end, start,
 * password, click limit, rules, variants, default. It reads nothing else, so the test of rules in the
 * application gets the very answer that a redirect gives. A fallback is always a 302, because an end
 * date can be moved.
 */
export function decide(
  link: EdgeRecord,
  visitor: Visitor,
  now: number,
  passed: Passed = {},
): RedirectDecision {
  const {
    n: startsAt,
    t: rules,
    o: fallback,
    c: chosen = 302,
    p: password,
    l: limit,
  } = link.g ?? {};
  if (link.s !== 'a') return { kind: 'stopped' };
  if (link.e !== 0 && link.e <= now) return leadTo(fallback) ?? { kind: 'ended' };
  if (startsAt !== undefined && startsAt > now) return { kind: 'not_yet', startsAt };
  if (password !== undefined && !passed.password) return { kind: 'password' };
  if (limit !== undefined && passed.limit === undefined) return { kind: 'limit', limit };
  if (passed.limit === 'reached') return leadTo(fallback) ?? { kind: 'reached' };
  const status = limit === undefined ? chosen : TEMPORARY[chosen];
  const isDivided = rules !== undefined || link.w !== undefined;
  if (!isDivided || isCardBuilder(visitor.userAgent))
    return { kind: 'redirect', to: link.u, status, by: 'default' };
  const by = rules === undefined ? -1 : findRule(rules, visitor, now);
  const rule = rules?.[by];
  if (rule !== undefined) return { kind: 'redirect', to: rule.to, status, by };
  const share = link.w === undefined ? undefined : chooseShare(link.w, visitor.seed());
  return share === undefined
    ? { kind: 'redirect', to: link.u, status, by: 'default' }
    : { kind: 'redirect', to: share.u, status, by: 'variants', destination: share.i };
}

/** Browsers remember permanent redirects, and then follow them without a click that is counted. */
const TEMPORARY = { 301: 302, 302: 302, 307: 307, 308: 307 } as const;

const leadTo = (fallback: string | undefined): RedirectDecision | null =>
  fallback === undefined ? null : { kind: 'redirect', to: fallback, status: 302, by: 'fallback' };

/**
 * Programs that fetch a link to show a card of it in a chat or a social network. They see the link's
 * own card, or else the default destination, because a card is shown to people whom the rules may
 * send elsewhere. The list names each program: a search engine or a scanner for harmful pages that
 * got a card instead of the redirect would not see where the link leads. Apple's Messages, LINE and
 * KakaoTalk call themselves `facebookexternalhit`, Signal `WhatsApp`, and Google's Messages
 * `Google-PageRenderer`; what people open in these apps does not.
 */
const CARD_BUILDER =
  /facebookexternalhit|Facebot\b|Twitterbot\/|LinkedInBot\/|Slackbot|Slack-ImgProxy|Discordbot\/|^WhatsApp\/|TelegramBot|SkypeUriPreview|Mastodon\/|Pinterestbot\/|redditbot\/|Embedly\/|Iframely\/|vkShare|ViberUrlDownloader|Google-PageRenderer|Bluesky Cardyb/i;

export const isCardBuilder = (userAgent: string): boolean => CARD_BUILDER.test(userAgent);

/** Returns the index of the first rule that matches, or -1. */
const findRule = (rules: readonly LinkRule[], visitor: Visitor, now: number): number =>
  rules.findIndex(({ if: conditions }) => matches(conditions, visitor, now));

function matches(conditions: RuleConditions, visitor: Visitor, now: number): boolean {
  const { device, country, continent, language, query, time } = conditions;
  return (
    (country === undefined || country.includes(visitor.country)) &&
    (continent === undefined || continent.some((one) => one === visitor.continent)) &&
    (device === undefined || device.some((one) => one === deviceOf(visitor.userAgent))) &&
    (language === undefined || includesLanguage(language, visitor.acceptLanguage)) &&
    (query === undefined || includesParameter(query, visitor.query)) &&
    (time === undefined || time.some((window) => isWithin(window, now)))
  );
}

/**
 * Tells phones and tablets from computers. Safari on an iPad may call itself a Mac. Null for
 * everything else, such as televisions and programs.
 */
export function deviceOf(userAgent: string): Device | null {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (userAgent.includes('Android')) return 'android';
  return /Windows NT|Macintosh|X11/.test(userAgent) ? 'desktop' : null;
}

/** `pt` includes `pt-br`, but not the other way round. */
function includesLanguage(allowed: readonly string[], header: string): boolean {
  const language = preferredLanguage(header);
  return language !== '' && allowed.some((one) => `${language}-`.startsWith(`${one}-`));
}

function includesParameter(allowed: readonly string[], query: string): boolean {
  if (query === '') return false;
  const given = new URLSearchParams(query);
  return allowed.some((one) => {
    const end = one.indexOf('=');
    return end === -1
      ? given.has(one)
      : given.getAll(one.slice(0, end)).includes(one.slice(end + 1));
  });
}

/** A window that lasts over midnight belongs to the day on which it starts. */
function isWithin({ zone, days, from, to }: TimeWindow, now: number): boolean {
  const local = wallClock(zone, now);
  if (local === null) return false;
  const { day, time } = local;
  const isOnDay = (index: number): boolean => {
    const name = WEEKDAYS[index];
    return days === undefined || (name !== undefined && days.includes(name));
  };
  if (from < to) return time >= from && time < to && isOnDay(day);
  return (time >= from && isOnDay(day)) || (time < to && isOnDay((day + 6) % 7));
}
