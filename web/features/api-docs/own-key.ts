import { useEffect, useState } from 'react';
import type { ApiKey, ApiKeysResponse } from '#contract/api/api-keys.ts';
import { useNewApiKey } from '#web/shared/secrets/new-api-key.ts';
import { api } from '#web/shared/api/api.ts';
import { useSession } from '#web/shared/session/session.ts';

export type OwnKey =
  | { who: 'visitor' }
  /**
   * `key` is null for a member without keys, and until the keys have loaded. `secret` is known only
   * of a key that this page has created; of others, only the start can be shown.
   */
  | { who: 'member'; key: ApiKey | null; secret: string | null };

/**
 * Returns the API key that the reader has just created, or the newest one that is not an app's. If
 * the keys fail to load, the page uses the placeholder.
 */
export function useOwnKey(): OwnKey {
  const session = useSession();
  const created = useNewApiKey();
  const id = session.status === 'member' ? session.id : '';
  const [found, setFound] = useState<{ id: string; keys: ApiKey[] }>({ id: '', keys: [] });
  useEffect(() => {
    if (id === '') return;
    const controller = new AbortController();
    api<ApiKeysResponse>('/api/keys', { signal: controller.signal }).then(
      ({ keys }) => setFound({ id, keys }),
      () => undefined,
    );
    return () => controller.abort();
  }, [id]);
  if (id === '') return { who: 'visitor' };
  const keys = found.id === id ? found.keys.filter(({ app }) => app === null) : [];
  // Looked up among the reader's keys, because it may be another account's or revoked by now.
  const fresh = keys.find((key) => key.id === created?.id);
  const secret = fresh === undefined ? null : (created?.key ?? null);
  return { who: 'member', key: fresh ?? keys[0] ?? null, secret };
}
