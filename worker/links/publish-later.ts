import { logEvent } from '#worker/log.ts';
import { publishLinks } from './publish.ts';

/** Copies put while a request lives: KV allows a Worker 1,000 operations. The outbox job puts the rest. */
const PUBLISHED_AT_ONCE = 500;

/**
 * Copies changed links to KV after the answer, for `waitUntil`. Never rejects: their outbox rows stand already, so that
 * cron repairs what fails here. `now` in ms.
 */
export async function publishLater(env: Env, linkIds: number[], now: number): Promise<void> {
  if (linkIds.length === 0) return;
  try {
    await publishLinks(env, linkIds.slice(0, PUBLISHED_AT_ONCE), now);
  } catch (error) {
    logEvent('publish_failed', { links: linkIds.length, error: error instanceof Error ? error.message : String(error) });
  }
}
