import type { ShortenResponse } from '#contract/links/links.ts';

/**
 * A result in the state of its history entry, with the id of the member who saw it ('' for a
 * visitor).
 */
type KeptResult = {
  result: Pick<ShortenResponse, 'code' | 'shortUrl' | 'longUrl' | 'created_at'>;
  userId: string;
};

/** Returns the history state that restores a result after Back and after a reload. */
export const toHistoryState = (
  { code, shortUrl, longUrl, created_at }: ShortenResponse,
  userId: string,
): KeptResult => ({
  result: { code, shortUrl, longUrl, created_at },
  userId,
});

/**
 * Returns the result in a history state; null if there is none, or if another user has signed in
 * since.
 */
export function resultFromHistory(state: unknown, userId: string): ShortenResponse | null {
  if (typeof state !== 'object' || state === null) return null;
  const { result, userId: seenBy }: { result?: unknown; userId?: unknown } = state;
  if (typeof result !== 'object' || result === null || (seenBy !== '' && seenBy !== userId))
    return null;
  const { code, shortUrl, longUrl, created_at }: Partial<Record<keyof ShortenResponse, unknown>> =
    result;
  if (typeof code !== 'string' || typeof shortUrl !== 'string') return null;
  if (typeof longUrl !== 'string' || typeof created_at !== 'string') return null;
  return { code, shortUrl, longUrl, created_at };
}
