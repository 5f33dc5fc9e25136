import { errorFacts, logEvent } from '#worker/log.ts';
import { dispatchWebhooks } from './dispatch.ts';
import { publishLinks } from '#worker/edge/publish.ts';

/**
 * How many links one request publishes, because an invocation may do only 1,000 KV operations. The
 * outbox job publishes the rest.
 */
const MAX_PUBLISHED = 500;

/**
 * Publishes changed links and dispatches webhook events after the response, in `waitUntil`. Without
 * links it only dispatches, because changed notes cause events and no redirect reads them. Never
 * rejects, because jobs repeat what fails here. `now` is in ms.
 */
export async function publishLater(env: Env, linkIds: number[], now: number): Promise<void> {
  try {
    if (linkIds.length > 0) await publishLinks(env, linkIds.slice(0, MAX_PUBLISHED), now);
    await dispatchWebhooks(env, now);
  } catch (error) {
    logEvent('publish_failed', { links: linkIds.length, ...errorFacts(error) });
  }
}
