import type { Context } from 'hono';
import { isLinkKey, linkKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { domainIdsOf } from '#worker/db/domain-names.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { configuredOrigins, hostOf } from '#worker/redirect/configured-origins.ts';

/**
 * Returns the key of the link that a caller names: by its code, or by its short URL with or without
 * a scheme. Null for a URL on a host that is neither ours nor a domain of the caller.
 */
export function keyOfName(c: Context<ApiEnv>, name: string): LinkKey | null {
  if (isLinkKey(name)) return name;
  const url = URL.parse(name.includes('://') ? name : `https://${name}`);
  if (url === null) return null;
  const { app, short, domains } = c.get('origins');
  const host = hostOf(url);
  const own = [app, short].map((origin) => hostOf(new URL(origin)));
  const code = url.pathname.replaceAll(/^\/+|[/+]+$/g, '');
  if (own.includes(host) || configuredOrigins(c.env).extraHosts.has(host)) return code;
  const [domain] = domainIdsOf(domains, host);
  return domain === undefined ? null : linkKey(domain, code);
}
