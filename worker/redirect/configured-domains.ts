import { configuredOrigins, hostIn } from './configured-origins.ts';

/** A configuration that was not written by the deploy command may lack them. */
type Settings = { SHORT_HOSTS?: string; CF_SAAS_ZONE_ID?: string };
type OriginSettings = Parameters<typeof configuredOrigins>[0];

/**
 * `shared` are the operator's hosts of SHORT_HOSTS, without those that serve the application or the
 * deployment's own short links. `hasMemberHosts` is true if members can add hosts.
 */
export type ConfiguredDomains = { shared: ReadonlySet<string>; hasMemberHosts: boolean };

const NONE: ConfiguredDomains = { shared: new Set(), hasMemberHosts: false };
let cached: { SHORT_HOSTS: string; hosts: ReadonlySet<string>; shared: Set<string> } | null = null;

/**
 * Parses the settings of further hosts, once per value. There are none without APP_ORIGIN: only with
 * it can another host be told from the application's.
 */
export function configuredDomains(env: Settings & OriginSettings): ConfiguredDomains {
  const { SHORT_HOSTS = '', CF_SAAS_ZONE_ID = '' } = env;
  if (SHORT_HOSTS === '' && CF_SAAS_ZONE_ID === '') return NONE;
  const { app, hosts } = configuredOrigins(env);
  if (app === null) return NONE;
  if (cached === null || cached.SHORT_HOSTS !== SHORT_HOSTS || cached.hosts !== hosts) {
    const named = SHORT_HOSTS.split(/[\s,]+/).flatMap((word) => hostIn(`http://${word}`));
    const shared = new Set(named.filter((host) => !hosts.has(host) && host.includes('.')));
    cached = { SHORT_HOSTS, hosts, shared };
  }
  return { shared: cached.shared, hasMemberHosts: CF_SAAS_ZONE_ID !== '' };
}
