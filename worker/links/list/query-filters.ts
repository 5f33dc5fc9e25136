import { DEFAULT_DOMAIN, type DomainId } from '#contract/codes/domain-key.ts';
import type { LinkFilterQuery } from '#contract/links/links.ts';
import { domainIdsOf } from '#worker/db/domain-names.ts';
import type { ShortOrigins } from '#worker/http/origins.ts';
import { originOnHost } from '#worker/http/short-url.ts';
import { toSearchWords } from '#worker/links/words/words.ts';
import { parseTime } from './link-order.ts';
import type { LinkSelection } from './select-links.ts';

/** Returns the filters of a request by My URLs. No other filter applies to the trash. */
export function filtersOf(query: LinkFilterQuery, origins: ShortOrigins): LinkSelection {
  const { status } = query;
  if (status === 'trash') return { words: [], codePrefix: '', archived: false, isDeleted: true };
  const sought = domainSought(query.q, origins);
  // Null if the member has no domain of this name.
  const domain =
    query.domain === undefined ? sought : (domainIdsOf(origins.domains, query.domain)[0] ?? null);
  const matchesNone = domain === null || (sought !== undefined && sought !== domain);
  return {
    words: matchesNone ? null : sought === undefined ? wordsOf(query.q, origins) : [],
    codePrefix: '',
    archived: status === 'archived',
    favorite: query.favorite === undefined ? undefined : true,
    tag: query.tag,
    status: status === 'archived' ? undefined : status,
    health: query.health,
    host: query.host?.toLowerCase(),
    domain: domain ?? undefined,
    createdAfter: parseTime(query.from),
    createdBefore: parseTime(query.to),
    minClicks: query.min_clicks,
    maxClicks: query.max_clicks,
    importId: query.import,
  };
}

/** Returns the domain if the text of a search is only its host: such a search lists its links. */
function domainSought(q: string, { short, domains }: ShortOrigins): DomainId | undefined {
  const url = URL.parse(`http://${withoutScheme(q)}`);
  if (url === null || url.pathname !== '/' || url.search !== '') return undefined;
  return new URL(short).hostname === url.hostname
    ? DEFAULT_DOMAIN
    : domainIdsOf(domains, url.hostname)[0];
}

const withoutScheme = (q: string): string => q.trim().replace(/^https?:\/\//i, '');

/**
 * Returns the words of a search, where a pasted short URL stands for its code; null if no link can
 * match.
 */
function wordsOf(q: string, { short, domains }: ShortOrigins): string[] | null {
  if (q.trim() === '') return [];
  const text = withoutScheme(q);
  const hosts = [new URL(short).host];
  for (const name of domains.values()) hosts.push(new URL(originOnHost(short, name)).host);
  const host = hosts.find((each) => text.toLowerCase().startsWith(`${each}/`));
  return toSearchWords(host === undefined ? text : text.slice(host.length + 1));
}
