/**
 * What a link's rules consist of. Without zod, because redirects read them; the schemas of requests
 * are in link-rules.ts.
 */

export const DEVICES = ['ios', 'android', 'desktop'] as const;
export type Device = (typeof DEVICES)[number];

/** The codes that Cloudflare gives a request's continent. */
export const CONTINENTS = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'] as const;
export type Continent = (typeof CONTINENTS)[number];

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const REDIRECT_STATUSES = [302, 301, 307, 308] as const;
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];

/**
 * Part of a day in a time zone: from `from` until before `to`, as 09:30. A window whose end is not
 * after its start continues on the next day. `days` are the days on which it starts; absent = all.
 */
export type TimeWindow = { zone: string; days?: Weekday[] | undefined; from: string; to: string };

/** Each condition is a list of allowed values. A rule matches if all of its conditions do. */
export type RuleConditions = {
  device?: Device[] | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  country?: string[] | undefined;
  continent?: Continent[] | undefined;
  /** Lower-case language tags. `pt` includes `pt-br`. */
  language?: string[] | undefined;
  /** `name=value`, or `name` for any value. */
  query?: string[] | undefined;
  time?: TimeWindow[] | undefined;
};

/** A link redirects to `to` of its first rule that matches, and to its target if none does. */
export type LinkRule = { if: RuleConditions; to: string };
