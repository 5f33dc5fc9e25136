import { generations } from './generations.ts';

/** One click as it travels to the consumer: raw, bounded facts. Nothing is parsed and nothing is classed here. */
export type ClickEvent = {
  /** Link id. */
  l: number;
  /** When, ms since 1970. */
  t: number;
  /** 1 where the browser said that it only prefetches. */
  p?: 1;
  ua: string;
  /** Referrer host, '' = direct. */
  r: string;
  /** Country (ISO 3166-1 alpha-2), region and city, '' = unknown. */
  c: string;
  g: string;
  y: string;
  /** Visitor key, '' where the visitor asked not to be recognised. */
  k: string;
};

/** A queue message: the clicks of one isolate within a short time. The id is made when the window opens and counts once, ever. */
export type ClickWindow = { v: 1; id: string; e: ClickEvent[] };

/**
 * A click while its window is open. `from` is the visitor's address ('' where they asked not to be recognised):
 * it becomes the visitor key when the window closes, and lives no longer than that.
 */
export type RawClick = { event: ClickEvent; from: string };

const UA_MAX = 400;
const HOST_MAX = 100;
const PLACE_MAX = 60;
/** Outside printable ASCII, or longer as JSON than as text. User agents with these are not worth their exact bytes. */
const COSTLY = /[^\x20\x21\x23-\x5b\x5d-\x7e]/;
const ALL_COSTLY = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;
const HOST = /^[a-z0-9._-]+$/;
/** Per generation: under a megabyte. */
const MOST_AGENTS = 500;
const agents = generations<string>(MOST_AGENTS);
/** The JSON around the strings of an event, with a visitor key. */
const FRAME_BYTES = 130;

/** Takes from a request what the consumer needs: a few header reads and no parsing, because this runs in every redirect. */
export function captureClick(request: Request, linkId: number, now: number): RawClick {
  const { headers } = request;
  const cf = request.cf;
  const event: ClickEvent = {
    l: linkId,
    t: now,
    ua: agentOf(headers.get('User-Agent') ?? ''),
    r: hostOf(headers.get('Referer')),
    c: place(cf?.country),
    g: place(cf?.region),
    y: place(cf?.city),
    k: '',
  };
  if (isPrefetch(headers)) event.p = 1;
  const hidden = headers.get('Sec-GPC') === '1' || headers.get('DNT') === '1';
  return { event, from: hidden ? '' : (headers.get('CF-Connecting-IP') ?? '').slice(0, 45) };
}

/** At least the bytes that the event takes as JSON. */
export function eventBytes({ ua, r, c, g, y }: ClickEvent): number {
  return FRAME_BYTES + ua.length + r.length + 6 * (c.length + g.length + y.length);
}

/** Decision 19: `Sec-Purpose` (Chromium, may go on ";prerender"), `Purpose` (Safari, older Chromium), `X-Moz` (Firefox). */
function isPrefetch(headers: Headers): boolean {
  return (
    headers.get('Sec-Purpose')?.startsWith('prefetch') === true ||
    headers.get('Purpose') === 'prefetch' ||
    headers.get('X-Moz') === 'prefetch'
  );
}

/** Bounded and plain. Kept, for most people use one of few browsers: all clicks of a browser share one text. */
function agentOf(raw: string): string {
  if (raw.length > UA_MAX) return plain(raw.slice(0, UA_MAX));
  const known = agents.get(raw);
  if (known !== undefined) return known;
  const agent = plain(raw);
  agents.set(raw, agent);
  return agent;
}

const plain = (text: string): string => (COSTLY.test(text) ? text.replace(ALL_COSTLY, '?') : text);

const place = (value: unknown): string => (typeof value === 'string' ? value.slice(0, PLACE_MAX) : '');

/** The host of a referrer, without parsing the URL. '' for what is none. */
function hostOf(referrer: string | null): string {
  if (referrer === null) return '';
  const scheme = referrer.indexOf('://');
  if (scheme === -1) return '';
  let end = referrer.indexOf('/', scheme + 3);
  if (end === -1) end = referrer.length;
  let host = referrer.slice(scheme + 3, Math.min(end, scheme + 3 + HOST_MAX));
  const port = host.indexOf(':');
  if (port !== -1) host = host.slice(0, port);
  host = host.toLowerCase();
  return HOST.test(host) ? host : '';
}
