import { useEffect, useState } from 'react';
import type { DomainsResponse } from '#contract/domains.ts';
import { api } from '#web/shared/api/api.ts';
import { config } from '#web/shared/page/config.ts';

/**
 * Returns the member's domains for a form; undefined while they load, if there are none, and if
 * they don't load. It does without the query cache, because Home has none.
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
