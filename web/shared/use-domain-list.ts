import { useEffect, useState } from 'react';
import type { DomainsResponse } from '#contract/domains.ts';
import { api } from './api.ts';
import { config } from './config.ts';

/**
 * The member's domains for a form; undefined until they have loaded, and where there are none.
 * Without the query cache, which Home does not have. If they don't load, the form works without a
 * choice.
 */
export function useDomainList(): DomainsResponse | undefined {
  const [list, setList] = useState<DomainsResponse>();
  useEffect(() => {
    if (!config.domains) return;
    const request = new AbortController();
    api<DomainsResponse>('/api/domains', { signal: request.signal }).then(setList, () => undefined);
    return () => request.abort();
  }, []);
  return list;
}
