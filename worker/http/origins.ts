import { configuredOrigins } from '#worker/redirect/configured-origins.ts';

type Settings = Pick<Env, 'APP_ORIGIN' | 'SHORT_ORIGIN'>;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True where `url` names this machine: the local conveniences exist only there. */
export const isLoopback = (url: string): boolean => LOOPBACK.has(new URL(url).hostname);

/** Where the product and its short links live: absolute origins without a trailing slash. */
export type Origins = { app: string; short: string };

/**
 * The configured origins, never the request's Host (a forged Host must not get into a short URL or a mail).
 * Only on a loopback host, where nothing is configured, the request's own origin serves.
 * Throws when a deployment has no APP_ORIGIN, or where a setting is not an origin.
 */
export function originsOf(env: Settings, requestUrl: string): Origins {
  const { app: configured, short, fault } = configuredOrigins(env);
  if (fault !== null) throw new Error(fault);
  const app = configured?.origin ?? (isLoopback(requestUrl) ? new URL(requestUrl).origin : '');
  if (app === '') throw new Error('APP_ORIGIN is not set: put the address of this deployment (https://…) into wrangler.toml.');
  return { app, short: short?.origin ?? app };
}

/**
 * True where short links have a host of their own and this request came to it: the app is not served there (threat 3).
 * Host names are compared, so that another scheme, another port or a trailing dot does not lead to the app. Where both
 * settings name one host, the port tells them apart.
 */
export function hasShortHost(env: Settings, requestUrl: string): boolean {
  const { app, short } = configuredOrigins(env);
  if (short === null) return false;
  const url = new URL(requestUrl);
  if (hostOf(url) !== hostOf(short)) return false;
  if (app !== null && hostOf(app) !== hostOf(short)) return true;
  return portOf(url) === portOf(short) && (app === null || portOf(app) !== portOf(short));
}

/**
 * The https origin that a request over http has to use instead: where the settings name its host with https. Null
 * for every other host, and on a loopback host always.
 */
export function secureOriginFor(env: Settings, requestUrl: string): string | null {
  const { app, short } = configuredOrigins(env);
  if (app?.protocol !== 'https:' && short?.protocol !== 'https:') return null;
  const url = new URL(requestUrl);
  if (LOOPBACK.has(url.hostname)) return null;
  for (const origin of [app, short]) if (origin?.protocol === 'https:' && hostOf(origin) === hostOf(url)) return origin.origin;
  return null;
}

/** One trailing dot means the same host. */
const hostOf = ({ hostname }: URL): string => (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname);

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
