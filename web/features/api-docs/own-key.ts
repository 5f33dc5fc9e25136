import { useEffect, useState } from 'react';
import type { ApiKey, ApiKeysResponse } from '#contract/api-keys.ts';
import { api } from '#web/shared/api.ts';
import { useSession } from '#web/shared/session.ts';

export type OwnKey =
  | { who: 'visitor' }
  /**
   * `key` is null for a member without keys, and until the keys have loaded. Only the start of its
   * secret can be shown.
   */
  | { who: 'member'; key: ApiKey | null };

/** Returns the reader's newest API key that is not an app's. If it fails to load, the page uses the placeholder. */
export function useOwnKey(): OwnKey {
  const session = useSession();
  const id = session.status === 'member' ? session.id : '';
  const [found, setFound] = useState<{ id: string; key: ApiKey | null }>({ id: '', key: null });
  useEffect(() => {
    if (id === '') return;
    const controller = new AbortController();
    api<ApiKeysResponse>('/api/keys', { signal: controller.signal }).then(
      ({ keys }) => setFound({ id, key: keys.find(({ app }) => app === null) ?? null }),
      () => undefined,
    );
    return () => controller.abort();
  }, [id]);
  if (id === '') return { who: 'visitor' };
  return { who: 'member', key: found.id === id ? found.key : null };
}
