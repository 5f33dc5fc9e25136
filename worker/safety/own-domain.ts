import type { Origins } from '#worker/http/origins.ts';
import { isWithinDomain } from './shorteners.ts';
import { isIpv4, isIpv6 } from './public-address.ts';
import { withoutTrailingDot } from '#worker/http/origins.ts';
import { configuredDomains } from '#worker/redirect/configured-domains.ts';
import { configuredOrigins } from '#worker/redirect/configured-origins.ts';

/**
 * The domains of this deployment, which get no webhooks, and the hosts under them that the operator
 * allows.
 */
export type OwnDomains = { domains: readonly string[]; allowed: ReadonlySet<string> };

/**
 * Public suffixes of two labels, such as `co.uk`: a registered domain below one has three labels
 * (https://publicsuffix.org/). If ours is below a suffix that is missing here, hosts of other
 * owners below it are rejected, too. `workers.dev` is for deployments without their own domain.
 */
const SUFFIXES = new Set(
  `co.uk org.uk ac.uk gov.uk me.uk net.uk ltd.uk com.au net.au org.au edu.au gov.au co.nz org.nz net.nz ac.nz
  co.jp or.jp ne.jp ac.jp go.jp co.kr or.kr co.in net.in org.in ac.in co.id or.id co.il org.il ac.il co.za org.za ac.za co.ke or.ke
  co.th or.th in.th com.br net.br org.br edu.br gov.br com.ar com.mx org.mx com.co com.pe com.ec com.uy com.ve com.cn net.cn org.cn
  edu.cn gov.cn com.tw org.tw com.hk org.hk com.sg edu.sg com.my com.ph com.vn com.pk com.tr org.tr com.ua com.pl org.pl com.pt
  com.gr com.cy com.eg com.sa com.ng com.gh co.tz co.ug co.zw co.at or.at ac.at workers.dev`.split(
    /\s+/,
  ),
);

/**
 * Returns the domains of the configured hosts, and the hosts that ALLOWED_WEBHOOK_HOSTS exempts.
 * Our own hosts are never exempt.
 */
export function ownDomains(env: Env, { app, short }: Origins): OwnDomains {
  const urls = [app, short].map((origin) => withoutTrailingDot(new URL(origin).hostname));
  const further = [...configuredOrigins(env).extraHosts, ...configuredDomains(env).shared];
  const hosts = [...new Set([...urls, ...further])];
  const listed = env.ALLOWED_WEBHOOK_HOSTS.toLowerCase()
    .split(/[\s,]+/)
    .filter((host) => host !== '' && !hosts.some((own) => isWithinDomain(host, own)));
  return { domains: [...new Set(hosts.map(registeredDomain))], allowed: new Set(listed) };
}

/**
 * Returns the domain of ours that contains a host (as `URL.hostname`); null if there is none, or if
 * the operator allows the host.
 */
export function findOwnDomain(hostname: string, { domains, allowed }: OwnDomains): string | null {
  const host = withoutTrailingDot(hostname);
  return allowed.has(host)
    ? null
    : (domains.find((domain) => isWithinDomain(host, domain)) ?? null);
}

/** True for a top-level domain, or a suffix of two labels that the list above has. */
export const isPublicSuffix = (host: string): boolean => !host.includes('.') || SUFFIXES.has(host);

/**
 * Returns the last two labels of a host, or three after a suffix of two. An IP address is returned
 * unchanged.
 */
function registeredDomain(host: string): string {
  if (isIpv4(host) || isIpv6(host)) return host;
  const labels = host.split('.');
  return labels.slice(SUFFIXES.has(labels.slice(-2).join('.')) ? -3 : -2).join('.');
}
