type Settings = Pick<Env, 'APP_ORIGIN' | 'SHORT_ORIGIN'>;

/** The addresses in the settings. Null = not set, or not an origin; `fault` then says what to change. */
export type OwnOrigins = { app: URL | null; short: URL | null; fault: string | null };

let known: { settings: Settings; origins: OwnOrigins } | null = null;

/** APP_ORIGIN and SHORT_ORIGIN, parsed once per value. Never throws: links redirect whatever the settings say. */
export function ownOrigins({ APP_ORIGIN, SHORT_ORIGIN }: Settings): OwnOrigins {
  if (known !== null && known.settings.APP_ORIGIN === APP_ORIGIN && known.settings.SHORT_ORIGIN === SHORT_ORIGIN)
    return known.origins;
  const app = parse('APP_ORIGIN', APP_ORIGIN);
  const short = parse('SHORT_ORIGIN', SHORT_ORIGIN);
  const origins = { app: app.origin, short: short.origin, fault: app.fault ?? short.fault };
  known = { settings: { APP_ORIGIN, SHORT_ORIGIN }, origins };
  return origins;
}

/** A trailing slash is dropped, because people paste addresses with one. Anything more would get into every short URL and mail. */
function parse(name: string, text: string): { origin: URL | null; fault: string | null } {
  if (!text) return { origin: null, fault: null };
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isOrigin) return { origin: url, fault: null };
  const fault = `${name} is "${text}". It must be an origin like https://hop.example, without a path, a query or a user name. Change it in wrangler.toml.`;
  return { origin: null, fault };
}
