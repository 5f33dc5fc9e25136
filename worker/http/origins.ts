import { configuredOrigins } from '#worker/redirect/configured-origins.ts';

type Settings = Pick<Env, 'APP_ORIGIN' | 'SHORT_ORIGIN'>;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for a URL of this machine. The local mailbox exists only there. */
export const isLoopback = (url: string): boolean => LOOPBACK.has(new URL(url).hostname);

/** The origins of the application and of its short links, without a trailing slash. */
export type Origins = { app: string; short: string };

/**
 * Returns the configured origins and never the request's Host, because a forged Host must not get into a short URL or a
 * mail (SECURITY.md T32). Without a configured origin, a loopback request's own origin is used.
 * Throws if a deployment has no APP_ORIGIN or a variable is not an origin.
 */
export function originsOf(env: Settings, requestUrl: string): Origins {
  const { app: configured, short, fault } = configuredOrigins(env);
  if (fault !== null) throw new Error(fault);
  const app = configured?.origin ?? (isLoopback(requestUrl) ? new URL(requestUrl).origin : '');
  if (app === '')
    throw new Error('APP_ORIGIN is not set. Set it to the address of this deployment (https://…) in wrangler.toml.');
  return { app, short: short?.origin ?? app };
}

/**
 * True if short links have a separate host and this request came to it; the application is not served there
 * (SECURITY.md T3). Compares host names, so that another scheme, another port or a trailing dot does not reach the
 * application. If both variables name the same host, the port decides.
 */
export function isOnShortHost(env: Settings, requestUrl: string): boolean {
  const { app, short } = configuredOrigins(env);
  if (short === null) return false;
  const url = new URL(requestUrl);
  if (hostOf(url) !== hostOf(short)) return false;
  if (app !== null && hostOf(app) !== hostOf(short)) return true;
  return portOf(url) === portOf(short) && (app === null || portOf(app) !== portOf(short));
}

/**
 * Returns the https origin that a plain-http request must use instead, if a variable configures its host with https.
 * Null for every other host and always for loopback hosts.
 */
export function httpsOriginFor(env: Settings, requestUrl: string): string | null {
  const { app, short } = configuredOrigins(env);
  if (app?.protocol !== 'https:' && short?.protocol !== 'https:') return null;
  const url = new URL(requestUrl);
  if (LOOPBACK.has(url.hostname)) return null;
  for (const origin of [app, short]) if (origin?.protocol === 'https:' && hostOf(origin) === hostOf(url)) return origin.origin;
  return null;
}

/** `hop.example.` and `hop.example` are the same host. */
const hostOf = ({ hostname }: URL): string => (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname);

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
