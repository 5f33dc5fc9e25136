import { DEFAULT_DOMAIN, splitKey } from '#contract/codes/domain-key.ts';
import type { ListedLink } from '#contract/links/links.ts';
import { shortHost } from '#web/shared/page/config.ts';

type Place = {
  code: string;
  /** The host of its domain, '' for the deployment's own; null for one that the link has left. */
  domain: string | null;
  /** The key as text for people: 'go.example.com/sale'. */
  label: string;
};

/** Returns where a present or earlier key of a link is. */
export function keyPlace(key: string, link: Pick<ListedLink, 'short_code' | 'domain'>): Place {
  const { domain: id, code } = splitKey(key);
  const isOnSame = id === splitKey(link.short_code).domain;
  if (isOnSame) return { code, domain: link.domain, label: code };
  return id === DEFAULT_DOMAIN
    ? { code, domain: '', label: `${shortHost()}/${code}` }
    : { code, domain: null, label: `${code} on another domain` };
}
