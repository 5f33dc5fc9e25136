import * as z from 'zod/mini';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { readBodyText } from '#worker/http/read-body.ts';

/** The host of the lookup. It counts as the host of a target: one request at a time. */
export const ARCHIVE_HOST = 'archive.org';
const COPIES_HOST = 'web.archive.org';
const TIME_LIMIT_MS = 10_000;
const ANSWER_MAX_BYTES = 64_000;

/** https://archive.org/help/wayback_api.php */
const answer = z.object({
  archived_snapshots: z.object({
    closest: z.optional(
      z.object({ available: z.literal(true), status: z.literal('200'), url: z.string() }),
    ),
  }),
});

/**
 * Returns the address of the latest copy of a page at web.archive.org, with https. Null if there is
 * none that was stored with status 200, or no answer. Never throws.
 */
export async function findArchivedCopy(
  href: string,
  fetcher: FetchFunction,
): Promise<string | null> {
  try {
    const response = await fetcher(
      `https://${ARCHIVE_HOST}/wayback/available?url=${encodeURIComponent(href)}`,
      {
        headers: { Accept: 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      },
    );
    if (!response.ok) {
      await response.body?.cancel();
      return null;
    }
    const body = await readBodyText(response.body, ANSWER_MAX_BYTES);
    if (!body.ok) return null;
    const parsed = answer.safeParse(JSON.parse(body.text));
    const url = parsed.success
      ? URL.parse(parsed.data.archived_snapshots.closest?.url ?? '')
      : null;
    if (url === null || url.hostname !== COPIES_HOST || !url.pathname.startsWith('/web/'))
      return null;
    // The service names copies with http, and serves the same ones with https.
    url.protocol = 'https:';
    return url.href;
  } catch {
    return null;
  }
}
