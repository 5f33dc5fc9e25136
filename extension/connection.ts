import { createClient, dataOf, type ApiMe } from '#cli/client.ts';
import { SCOPE_TEXTS } from '#contract/api/scopes.ts';

/** The installation that the extension uses. The key is as good as a password. */
export type Connection = {
  origin: string;
  key: string;
  keyName: string;
  /** Whether the key may set tags. */
  canTag: boolean;
};

const KEY = 'connection';

/** Reads the stored connection; null if there is none. The browser never syncs it. */
export async function readConnection(): Promise<Connection | null> {
  const { [KEY]: stored } = await chrome.storage.local.get(KEY);
  return isConnection(stored) ? stored : null;
}

export const storeConnection = (connection: Connection): Promise<void> =>
  chrome.storage.local.set({ [KEY]: connection });

export const removeConnection = (): Promise<void> => chrome.storage.local.remove(KEY);

const isConnection = (value: unknown): value is Connection =>
  typeof value === 'object' &&
  value !== null &&
  'origin' in value &&
  typeof value.origin === 'string' &&
  'key' in value &&
  typeof value.key === 'string';

/** Returns what a key lacks for this extension, as a sentence; null if it has all. */
export function lacksScope(scopes: ApiMe['key']['scopes']): string | null {
  const [read, write] = [SCOPE_TEXTS['links:read'].name, SCOPE_TEXTS['links:write'].name];
  const canCreate = scopes.includes('links:write') || scopes.includes('links:create');
  return canCreate && scopes.includes('links:read')
    ? null
    : `This key cannot do enough. Create one with the scopes “${read}” and “${write}”.`;
}

export const readAccount = (origin: string, key: string): Promise<ApiMe> =>
  dataOf(createClient(origin, key).GET('/me'));
