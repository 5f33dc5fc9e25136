import {
  CONTINENTS,
  DEVICES,
  WEEKDAYS,
  type LinkRule,
  type RedirectStatus,
  type RuleConditions,
  type TimeWindow,
} from '#contract/links/rule-conditions.ts';

/** What decides about a redirect besides the status and the end of its link. */
export type Gate = {
  /** When the link begins to redirect, in ms since 1970. */
  n?: number;
  /** Its rules. */
  t?: LinkRule[];
  /** Where it leads after its end. */
  o?: string;
  /** The status of its redirects. Absent = 302. */
  c?: Exclude<RedirectStatus, 302>;
  /** The hash of its password. */
  p?: string;
  /** Its click limit. */
  l?: ClickLimit;
};

/** How many redirects a link makes. `d` names the Durable Object that counts them. */
export type ClickLimit = {
  n: number;
  d: string;
  /** 1 if the link redirects while the object cannot be reached. */
  o?: 1;
};

/**
 * The highest version of a gate in KV that this release reads. A Worker does not redirect a link
 * whose gate has a higher version than it knows. Gates without a password or limit have version 1.
 */
export const GATE_VERSION = 2;

/** True for a gate that a Worker which knows starts and rules only must not pass. */
export const isGuarded = ({ p, l }: Gate): boolean => p !== undefined || l !== undefined;

export const versionOf = (gate: Gate): number => (isGuarded(gate) ? GATE_VERSION : 1);

/** True if a link with this gate does not redirect everyone at every time. */
export const isConditional = (gate: Gate): boolean =>
  gate.n !== undefined || gate.t !== undefined || isGuarded(gate);

/** The status under which D1 holds an active link with this gate (db/link-status.ts). */
export const statusOf = (gate: Gate): 'active' | 'conditional' | 'guarded' =>
  isGuarded(gate) ? 'guarded' : isConditional(gate) ? 'conditional' : 'active';

/** A valid Location header (SECURITY.md T12). Hop stores hrefs, which are printable ASCII. */
export const HREF = /^https?:\/\/[\x21-\x7e]+$/;

/** The columns of `links` from which a gate is made. */
export type GateRow = {
  starts_at: number | null;
  rules: string;
  fallback_url: string;
  redirect_status: number;
  password_hash: string;
  click_limit: number | null;
  limit_id: string;
  limit_open: number | boolean;
};

/** Returns the columns of a gate; without one, those of a link that always redirects. */
export const toGateRow = ({ n, t = [], o = '', c, p = '', l }: Gate = {}): GateRow => ({
  starts_at: n ?? null,
  rules: t.length === 0 ? '' : JSON.stringify(t),
  fallback_url: o,
  redirect_status: c ?? 302,
  password_hash: p,
  click_limit: l?.n ?? null,
  limit_id: l?.d ?? '',
  limit_open: l?.o ?? 0,
});

export const GATE_COLUMNS = Object.keys(toGateRow());

/** Undefined for a link without a gate, null if this release cannot read it. */
export function toGate(row: GateRow): Gate | undefined | null {
  const { starts_at: n, rules, fallback_url: o, redirect_status: c, password_hash: p } = row;
  const gate: Gate = {};
  if (n !== null) gate.n = n;
  if (rules !== '') {
    const t = parseRules(rules);
    if (t === null) return null;
    gate.t = t;
  }
  if (o !== '') gate.o = o;
  if (c === 301 || c === 307 || c === 308) gate.c = c;
  if (p !== '') gate.p = p;
  if (row.click_limit !== null) {
    if (row.limit_id === '') return null;
    gate.l = { n: row.click_limit, d: row.limit_id };
    if (row.limit_open) gate.l.o = 1;
  }
  return Object.keys(gate).length === 0 ? undefined : gate;
}

function parseRules(text: string): LinkRule[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRules(value) ? value : null;
  } catch {
    return null;
  }
}

/** False for a gate with a member that this release does not know: it might be a condition. */
export function isGate(value: object): value is Gate {
  return Object.entries(value).every(([name, member]: [string, unknown]) => {
    if (name === 'n') return Number.isSafeInteger(member);
    if (name === 't') return isRules(member);
    if (name === 'o') return typeof member === 'string' && HREF.test(member);
    if (name === 'p') return typeof member === 'string' && member !== '';
    if (name === 'l') return isClickLimit(member);
    return name === 'c' && (member === 301 || member === 307 || member === 308);
  });
}

function isClickLimit(value: unknown): value is ClickLimit {
  if (typeof value !== 'object' || value === null) return false;
  const { n, d, o, ...others }: Partial<Record<keyof ClickLimit, unknown>> = value;
  return (
    Object.keys(others).length === 0 &&
    Number.isSafeInteger(n) &&
    typeof d === 'string' &&
    d !== '' &&
    (o === undefined || o === 1)
  );
}

const isRules = (value: unknown): value is LinkRule[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRule);

function isRule(value: unknown): value is LinkRule {
  if (typeof value !== 'object' || value === null) return false;
  const { if: conditions, to, ...others }: { if?: unknown; to?: unknown } = value;
  return (
    Object.keys(others).length === 0 &&
    typeof to === 'string' &&
    HREF.test(to) &&
    typeof conditions === 'object' &&
    conditions !== null &&
    Object.keys(conditions).length > 0 &&
    Object.entries(conditions).every(
      ([name, values]: [string, unknown]) =>
        isCondition(name) && Array.isArray(values) && values.every(VALUES[name]),
    )
  );
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isOneOf =
  (list: readonly unknown[]) =>
  (value: unknown): boolean =>
    list.includes(value);

const VALUES: Readonly<Record<keyof RuleConditions, (value: unknown) => boolean>> = {
  device: isOneOf(DEVICES),
  country: isText,
  continent: isOneOf(CONTINENTS),
  language: isText,
  query: isText,
  time: isTimeWindow,
};
const isCondition = (name: string): name is keyof RuleConditions => Object.hasOwn(VALUES, name);

const CLOCK = /^\d\d:\d\d$/;

function isTimeWindow(value: unknown): value is TimeWindow {
  if (typeof value !== 'object' || value === null) return false;
  const { zone, days, from, to, ...others }: Partial<Record<keyof TimeWindow, unknown>> = value;
  return (
    Object.keys(others).length === 0 &&
    isText(zone) &&
    (days === undefined || (Array.isArray(days) && days.every(isOneOf(WEEKDAYS)))) &&
    [from, to].every((time) => typeof time === 'string' && CLOCK.test(time))
  );
}
