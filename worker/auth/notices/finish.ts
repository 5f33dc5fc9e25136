import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';

/**
 * Finishes a change and the email about it even if the client closes the connection. Otherwise
 * somebody could make the change and leave before the owner is told, because the platform ends a
 * request whose client is gone.
 */
export async function finish<T>(work: Promise<T>, waitUntil: WaitUntil): Promise<T> {
  waitUntil(work.catch(() => undefined));
  return work;
}
