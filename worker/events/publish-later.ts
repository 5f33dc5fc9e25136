import { errorFacts, logEvent } from '#worker/log.ts';
import { dispatchWebhooks } from './dispatch.ts';
import { publishLinks } from '#worker/edge/publish.ts';

/**
 * How many links one request publishes, of the 1,000 KV operations of an invocation. The outbox job
 * publishes the rest.
 */
const MAX_PUBLISHED = 500;

/**
 * Publishes changed links after the response, and sends their events to webhooks, for `waitUntil`.
 * Never rejects: jobs do what fails here. `now` is in ms.
 */
export async function publishLater(env: Env, linkIds: number[], now: number): Promise<void> {
  if (linkIds.length === 0) return;
  try {
    await publishLinks(env, linkIds.slice(0, MAX_PUBLISHED), now);
    await dispatchWebhooks(env, now);
  } catch (error) {
    logEvent('publish_failed', { links: linkIds.length, ...errorFacts(error) });
  }
}
