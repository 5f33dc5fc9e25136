type Settings = Pick<Env, 'APP_ORIGIN' | 'SHORT_ORIGIN'>;

/** The parsed origins of the configuration. Null means not set or invalid; `fault` then says what to change. */
export type ConfiguredOrigins = { app: URL | null; short: URL | null; fault: string | null };

let cached: { settings: Settings; origins: ConfiguredOrigins } | null = null;

/** Parses APP_ORIGIN and SHORT_ORIGIN, once per value. Never throws: an invalid setting must not stop redirects. */
export function configuredOrigins({ APP_ORIGIN, SHORT_ORIGIN }: Settings): ConfiguredOrigins {
  if (cached !== null && cached.settings.APP_ORIGIN === APP_ORIGIN && cached.settings.SHORT_ORIGIN === SHORT_ORIGIN)
    return cached.origins;
  const app = parse('APP_ORIGIN', APP_ORIGIN);
  const short = parse('SHORT_ORIGIN', SHORT_ORIGIN);
  const origins = { app: app.origin, short: short.origin, fault: app.fault ?? short.fault };
  cached = { settings: { APP_ORIGIN, SHORT_ORIGIN }, origins };
  return origins;
}

/** Accepts an origin with or without a trailing slash. Anything more would end up in every short URL and mail. */
function parse(name: string, text: string): { origin: URL | null; fault: string | null } {
  if (!text) return { origin: null, fault: null };
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isOrigin) return { origin: url, fault: null };
  const fault = `${name} is "${text}". It must be an origin such as https://hop.example, without a path, a query or a user name. Change it in wrangler.toml.`;
  return { origin: null, fault };
}
