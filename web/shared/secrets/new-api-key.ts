import type { CreatedApiKey } from '#contract/api/api-keys.ts';
import { createStore } from '#web/ui/create-store.ts';

/**
 * The key that the member has just created or rotated, for the samples of the API documentation. It
 * is in the memory of the page only, so a reload forgets it.
 */
const store = createStore<Pick<CreatedApiKey, 'id' | 'key'> | null>(null);

export const useNewApiKey = store.use;
export const rememberNewApiKey = (key: CreatedApiKey): void => store.set(key);
