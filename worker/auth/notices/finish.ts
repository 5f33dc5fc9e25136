import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';

/**
 * Finishes a change and its email even if the client closes the connection, because the platform
 * ends a request whose client is gone. Otherwise somebody could make a change and disconnect before
 * the owner is told.
 */
export async function finish<T>(work: Promise<T>, waitUntil: WaitUntil): Promise<T> {
  waitUntil(work.catch(() => undefined));
  return work;
}
