/** A configuration that was not written by the deploy command may lack EXTRA_HOSTS. */
type Settings = Pick<Env, 'APP_ORIGIN' | 'SHORT_ORIGIN'> & { EXTRA_HOSTS?: string };

/**
 * The parsed origins of the configuration; null if an origin is not set or invalid. `fault` says
 * what to change. `hosts` are all names under which this deployment is served; `extraHosts` are
 * those that only EXTRA_HOSTS names.
 */
export type ConfiguredOrigins = {
  app: URL | null;
  short: URL | null;
  /** Whether one of the two has https. Reading a property of a URL calls into the runtime. */
  hasHttps: boolean;
  fault: string | null;
  hosts: ReadonlySet<string>;
  extraHosts: ReadonlySet<string>;
};

type Parsed = { origin: URL | null; host: string; fault: string | null };

let cached: { settings: Settings; origins: ConfiguredOrigins } | null = null;

/**
 * Parses APP_ORIGIN, SHORT_ORIGIN and EXTRA_HOSTS, once per value. Never throws: an invalid setting
 * must not stop redirects.
 */
export function configuredOrigins({
  APP_ORIGIN,
  SHORT_ORIGIN,
  EXTRA_HOSTS = '',
}: Settings): ConfiguredOrigins {
  if (
    cached !== null &&
    cached.settings.APP_ORIGIN === APP_ORIGIN &&
    cached.settings.SHORT_ORIGIN === SHORT_ORIGIN &&
    cached.settings.EXTRA_HOSTS === EXTRA_HOSTS
  )
    return cached.origins;
  const app = parse('APP_ORIGIN', APP_ORIGIN);
  const short = parse('SHORT_ORIGIN', SHORT_ORIGIN);
  const extraHosts = new Set(
    EXTRA_HOSTS.split(/[\s,]+/).flatMap((word) => hostIn(`http://${word}`)),
  );
  const origins = {
    app: app.origin,
    short: short.origin,
    hasHttps: [app.origin, short.origin].some((origin) => origin?.protocol === 'https:'),
    fault: app.fault ?? short.fault,
    hosts: new Set([...[app.host, short.host].filter((host) => host !== ''), ...extraHosts]),
    extraHosts,
  };
  cached = { settings: { APP_ORIGIN, SHORT_ORIGIN, EXTRA_HOSTS }, origins };
  return origins;
}

/**
 * Accepts an origin with or without a trailing slash, because anything more would appear in every
 * short URL and mail. An invalid value is still searched for a host, so that a typing mistake does
 * not stop the redirects there.
 */
function parse(name: string, text: string): Parsed {
  if (!text) return { origin: null, host: '', fault: null };
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isOrigin) return { origin: url, host: hostOf(url), fault: null };
  const fault = `${name} is "${text}". It must be an origin such as https://hop.example, without a path, a query or a user name. Change it in wrangler.toml.`;
  const [host = ''] = [...hostIn(text), ...hostIn(`https://${text}`)];
  return { origin: null, host, fault };
}

/** The host of a URL as a list, which is empty if the text is not a URL with a host. */
export function hostIn(text: string): string[] {
  const url = URL.parse(text);
  return url === null || url.hostname === '' ? [] : [hostOf(url)];
}

/** `hop.example.` and `hop.example` are the same host. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;

/**
 * The origin of the application for links on a page of this request; '' if the page has the same
 * origin, or may have it.
 */
export function appOriginFrom(env: Settings, requestUrl: string): string {
  const { app, short, hosts } = configuredOrigins(env);
  if (app === null) return '';
  return short !== null || isOutside(hosts, new URL(requestUrl)) ? app.origin : '';
}

/** True for a host of a domain. Loopback is in no setting, and serves the application, too. */
const isOutside = (hosts: ReadonlySet<string>, url: URL): boolean =>
  !hosts.has(hostOf(url)) && url.hostname.includes('.') && !/^[\d.]+$/.test(url.hostname);
