import { createLru } from './lru.ts';
import type { QueryResult } from './read-query.ts';

/**
 * One click as it is sent to the queue consumer: raw facts of bounded size, neither parsed nor
 * classified.
 */
export type ClickEvent = {
  /** Link id. */
  l: number;
  /** When it happened, in ms since 1970. */
  t: number;
  /** 1 if the browser says that it is only prefetching. */
  p?: 1;
  /** 1 if the click came from the link's QR code. */
  q?: 1;
  /** UTM values that the link passed on, as 'source|medium|campaign'. Absent if there were none. */
  u?: string;
  /** The destination that the link's variants chose (see `destinationId`). Absent if none did. */
  d?: string;
  /** User agent. */
  ua: string;
  /** Referrer host. '' = direct. */
  r: string;
  /** Country (ISO 3166-1 alpha-2), region and city. '' = unknown. */
  c: string;
  g: string;
  y: string;
  /** Visitor id. '' if the visitor asked not to be tracked. */
  k: string;
};

/**
 * A queue message: the clicks of one isolate within a short time. Its id is counted once, however
 * often it is delivered.
 */
export type ClickWindow = { v: 1; id: string; e: ClickEvent[] };

/**
 * A click in an open window. `address` is the visitor's IP address, or '' if the visitor asked not
 * to be tracked. The visitor id replaces it when the window closes, so it never leaves the isolate.
 */
export type PendingClick = { event: ClickEvent; address: string };

const MAX_AGENT_LENGTH = 400;
const MAX_HOST_LENGTH = 100;
const MAX_PLACE_LENGTH = 60;
/** The longest IPv6 address, as text. */
const MAX_ADDRESS_LENGTH = 45;
/**
 * Characters outside of printable ASCII, and those that JSON escapes, which would make an event's
 * size unpredictable.
 */
const UNSAFE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/;
const ALL_UNSAFE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;
const HOST = /^[a-z0-9._-]+$/;
/** The LRU keeps two generations of this size, together under a megabyte. */
const MAX_AGENTS = 500;
const agents = createLru<string>(MAX_AGENTS);
/**
 * The bytes of an event's JSON without its texts. This includes the visitor id, but not `q`,
 * `u` and `d`, which few clicks have.
 */
const FRAME_BYTES = 130;
const QR_BYTES = ',"q":1'.length;
const UTM_BYTES = ',"u":""'.length;
const DESTINATION_BYTES = ',"d":""'.length;

/**
 * Captures the facts of a click from its request. Runs in every redirect, so it reads a few headers
 * and parses nothing.
 */
export function captureClick(
  request: Request,
  linkId: number,
  now: number,
  query: QueryResult | null = null,
  destination?: string,
): PendingClick {
  const { headers } = request;
  const cf = request.cf;
  const event: ClickEvent = {
    l: linkId,
    t: now,
    ua: agentOf(headers),
    r: hostOf(headers.get('Referer')),
    c: placeOf(cf?.country),
    g: placeOf(cf?.region),
    y: placeOf(cf?.city),
    k: '',
  };
  if (isPrefetch(headers)) event.p = 1;
  if (query?.isQrScan === true) event.q = 1;
  if (query !== null && query.utm !== '') event.u = query.utm;
  if (destination !== undefined) event.d = destination;
  return { event, address: visitorAddress(headers) };
}

/** The user agent as events contain it. */
export const agentOf = (headers: Headers): string => userAgentOf(headers.get('User-Agent') ?? '');

/** The visitor's IP address, or '' if the visitor asked not to be tracked. */
export function visitorAddress(headers: Headers): string {
  const isUntracked = headers.get('Sec-GPC') === '1' || headers.get('DNT') === '1';
  return isUntracked ? '' : (headers.get('CF-Connecting-IP') ?? '').slice(0, MAX_ADDRESS_LENGTH);
}

/** The largest size that an event can have as JSON, in bytes. */
export function maxEventBytes({ q, u, d, ua, r, c, g, y }: ClickEvent): number {
  const qr = q === undefined ? 0 : QR_BYTES;
  const utm = u === undefined ? 0 : UTM_BYTES + maxBytes(u);
  const destination = d === undefined ? 0 : DESTINATION_BYTES + d.length;
  return FRAME_BYTES + qr + utm + destination + ua.length + r.length + maxBytes(c + g + y);
}

/** A character outside of printable ASCII may take six bytes, as an escape. */
const maxBytes = (text: string): number => (UNSAFE.test(text) ? 6 : 1) * text.length;

/**
 * Chromium sends `Sec-Purpose`, which may continue with ";prerender", Safari `Purpose`, and Firefox
 * `X-Moz`.
 */
export function isPrefetch(headers: Headers): boolean {
  return (
    headers.get('Sec-Purpose')?.startsWith('prefetch') === true ||
    headers.get('Purpose') === 'prefetch' ||
    headers.get('X-Moz') === 'prefetch'
  );
}

/**
 * Bounds a user agent and removes unsafe characters. Cached, because most visitors use one of a few
 * browsers.
 */
function userAgentOf(text: string): string {
  if (text.length > MAX_AGENT_LENGTH) return replaceUnsafe(text.slice(0, MAX_AGENT_LENGTH));
  const known = agents.get(text);
  if (known !== undefined) return known;
  const agent = replaceUnsafe(text);
  agents.set(text, agent);
  return agent;
}

const replaceUnsafe = (text: string): string =>
  UNSAFE.test(text) ? text.replace(ALL_UNSAFE, '?') : text;

const placeOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, MAX_PLACE_LENGTH) : '';

/** The host of a referrer, found without parsing the URL. '' if there is none. */
function hostOf(referrer: string | null): string {
  if (referrer === null) return '';
  const scheme = referrer.indexOf('://');
  if (scheme === -1) return '';
  let end = referrer.indexOf('/', scheme + 3);
  if (end === -1) end = referrer.length;
  let host = referrer.slice(scheme + 3, Math.min(end, scheme + 3 + MAX_HOST_LENGTH));
  const port = host.indexOf(':');
  if (port !== -1) host = host.slice(0, port);
  host = host.toLowerCase();
  return HOST.test(host) ? host : '';
}
