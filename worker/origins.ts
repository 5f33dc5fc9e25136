const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True where `url` names this machine: the local conveniences exist only there. */
export const isLoopback = (url: string): boolean => LOOPBACK.has(new URL(url).hostname);

/** Where the product and its short links live: absolute origins without a trailing slash. */
export type Origins = { app: string; short: string };

/**
 * The configured origins, never the request's Host (a forged Host must not get into a short URL or a mail).
 * Only on a loopback host, where nothing is configured, the request's own origin serves.
 * Throws when a deployment has no APP_ORIGIN.
 */
export function originsOf(env: Pick<Env, 'APP_ORIGIN' | 'SHORT_ORIGIN'>, requestUrl: string): Origins {
  const app = env.APP_ORIGIN || (isLoopback(requestUrl) ? new URL(requestUrl).origin : '');
  if (app === '') throw new Error('APP_ORIGIN is not set: put the address of this deployment (https://…) into wrangler.toml.');
  return { app, short: env.SHORT_ORIGIN || app };
}

/** True where short links have a host of their own and this request came to it: the app is not served there (threat 3). */
export function hasShortHost(env: Pick<Env, 'APP_ORIGIN' | 'SHORT_ORIGIN'>, requestUrl: string): boolean {
  return env.SHORT_ORIGIN !== '' && env.SHORT_ORIGIN !== env.APP_ORIGIN && requestUrl.startsWith(`${env.SHORT_ORIGIN}/`);
}
