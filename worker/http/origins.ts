import { DEFAULT_DOMAIN, splitKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { NO_DOMAINS, type DomainNames } from '#worker/db/domain-names.ts';
import {
  configuredOrigins,
  hostOf,
  type ConfiguredOrigins,
} from '#worker/redirect/configured-origins.ts';
import { createLru, type Lru } from '#worker/redirect/lru.ts';

type Settings = Pick<Env, 'APP_ORIGIN' | 'SHORT_ORIGIN' | 'EXTRA_HOSTS'>;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for a URL of this machine, the only place with a local mailbox. */
export const isLoopback = (url: string): boolean => LOOPBACK.has(new URL(url).hostname);

/** The LRU keeps two generations of this size. */
const MAX_ORIGINS = 200;
/** Longer origins, which are not those of hosts, are not remembered. */
const MAX_ORIGIN_LENGTH = 300;
/** Which origins of requests are our own, while the settings stay the same. */
let known: { origins: ConfiguredOrigins | null; isOwn: Lru<boolean> } = {
  origins: null,
  isOwn: createLru(MAX_ORIGINS),
};

/**
 * True for a request to one of our own hosts: the application's, that of short links, loopback, and
 * those of EXTRA_HOSTS (SECURITY.md T49). Scheme and port are ignored. Every redirect runs this, so
 * an origin is parsed once.
 */
export function isOwnHost(env: Settings, requestUrl: string): boolean {
  const origins = configuredOrigins(env);
  if (known.origins !== origins) known = { origins, isOwn: createLru(MAX_ORIGINS) };
  const origin = requestUrl.slice(0, requestUrl.indexOf('/', 8));
  const remembered = known.isOwn.get(origin);
  if (remembered !== undefined) return remembered;
  const url = URL.parse(requestUrl);
  const isOwn = url !== null && (LOOPBACK.has(url.hostname) || origins.hosts.has(hostOf(url)));
  if (origin.length <= MAX_ORIGIN_LENGTH) known.isOwn.set(origin, isOwn);
  return isOwn;
}

/**
 * The origins of the application and of its short links, without a trailing slash. `domains` are
 * the names of the domains on which the caller has links (db/domain-names.ts).
 */
export type Origins = { app: string; short: string; domains: DomainNames };

/** The part of it that short URLs need. */
export type ShortOrigins = Pick<Origins, 'short' | 'domains'>;

/**
 * Returns the configured origins and never the request's Host, because a forged Host must not
 * appear in a short URL or a mail (SECURITY.md T32). Without a configured origin, it uses the
 * request's own on loopback and on hosts of EXTRA_HOSTS. Throws if a deployment has no APP_ORIGIN
 * or a variable is not an origin.
 */
export function originsOf(env: Settings, requestUrl: string): Origins {
  const { app: configured, short, fault, extraHosts } = configuredOrigins(env);
  if (fault !== null) throw new Error(fault);
  const url = new URL(requestUrl);
  const isLocal = LOOPBACK.has(url.hostname) || extraHosts.has(hostOf(url));
  const app = configured?.origin ?? (isLocal ? url.origin : '');
  if (app === '')
    throw new Error(
      'APP_ORIGIN is not set. Set it to the address of this deployment (https://…) in wrangler.toml.',
    );
  return { app, short: short?.origin ?? app, domains: NO_DOMAINS };
}

/** The URL of the application, for jobs, which have no request to take it from. */
export const ownUrl = (env: Settings): string =>
  configuredOrigins(env).app?.href ?? 'http://localhost/';

/** `originsOf` for a link on the host of the request, whose name its short URLs have. */
export function originsOfLink(env: Settings, requestUrl: string, key: LinkKey): Origins {
  const origins = originsOf(env, requestUrl);
  const { domain } = splitKey(key);
  if (domain === DEFAULT_DOMAIN) return origins;
  return { ...origins, domains: new Map([[domain, hostOf(new URL(requestUrl))]]) };
}

/**
 * True if short links have a separate host and this request is for it; the application is not
 * served there (SECURITY.md T3). Only host names are compared, so that another scheme, another port
 * or a trailing dot does not reach the application; the port decides if both variables name the
 * same host. A host of EXTRA_HOSTS counts as one of short links, because it may have been either.
 */
export function isOnShortHost(env: Settings, requestUrl: string): boolean {
  const { app, short, extraHosts } = configuredOrigins(env);
  if (short === null) return false;
  const url = new URL(requestUrl);
  if (hostOf(url) !== hostOf(short))
    return extraHosts.has(hostOf(url)) && (app === null || hostOf(app) !== hostOf(url));
  if (app !== null && hostOf(app) !== hostOf(short)) return true;
  return portOf(url) === portOf(short) && (app === null || portOf(app) !== portOf(short));
}

/**
 * Returns the https origin that a plain-http request must use instead, if a variable configures its
 * host with https, or if the application has https and EXTRA_HOSTS names the host. Null for every
 * other host and always for loopback hosts.
 */
export function httpsOriginFor(env: Settings, requestUrl: string): string | null {
  const { app, short, hasHttps, extraHosts } = configuredOrigins(env);
  if (!hasHttps) return null;
  const url = new URL(requestUrl);
  if (LOOPBACK.has(url.hostname)) return null;
  const host = hostOf(url);
  const named = [app, short].filter((origin) => origin !== null && hostOf(origin) === host);
  if (named.length > 0)
    return named.find((origin) => origin?.protocol === 'https:')?.origin ?? null;
  return app?.protocol === 'https:' && extraHosts.has(host) ? `https://${host}` : null;
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/**
 * Removes the trailing dot of a parsed host name, because the name means the same host without it.
 */
export const withoutTrailingDot = (hostname: string): string =>
  hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
