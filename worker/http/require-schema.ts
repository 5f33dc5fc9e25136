import type { Db } from '#worker/db/client.ts';
import { isCurrent, NEEDED_SCHEMA, readSchema } from '#worker/db/schema-version.ts';
import { logEvent } from '#worker/log.ts';
import { ApiError } from './errors.ts';

const RETRY_AFTER_SECONDS = 30;
/** Once the schema is new enough, this isolate does not check it again. */
let isKnown = false;

/**
 * Throws 503 while the database has an older schema than this release needs, because a Worker
 * deployed before its migrations would fail halfway through requests. Reads D1 once per isolate. If
 * D1 does not answer, the route reports that itself.
 */
export async function requireSchema(db: Db): Promise<void> {
  if (isKnown) return;
  const schema = await readSchema(db).catch(() => null);
  if (schema === null) return;
  isKnown = isCurrent(schema.found);
  if (isKnown) return;
  logEvent('schema_too_old', {
    found: schema.found,
    needed: NEEDED_SCHEMA,
    advice: 'Apply the migrations.',
  });
  throw new ApiError('unavailable', 'We are upgrading. Try again in a few minutes.', {
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
