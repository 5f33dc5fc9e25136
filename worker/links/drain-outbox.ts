import { sql } from 'drizzle-orm';
import { openDb } from '#worker/db/client.ts';
import { link_outbox } from '#worker/db/schema.ts';
import { publishLinks } from './publish.ts';

/** The age at which the request that made a change has had time to publish it. */
const PENDING_MS = 30_000;
/** KV allows a Worker 1,000 operations per invocation. The rest waits for the next run. */
const LINKS_PER_RUN = 800;

/**
 * Publishes the links in the outbox, oldest first: those that KV refused, those whose request ended between D1 and KV, and
 * every change once more after `SETTLE_MS`, which repairs a late write of an older record. Returns how many were published
 * and how many are left.
 */
export async function drainOutbox(env: Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>, now: number): Promise<string> {
  const pending = await openDb(env.DB).all<{ link_id: number }>(
    sql`select link_id from ${link_outbox} where queued_at <= ${now - PENDING_MS} order by queued_at limit ${LINKS_PER_RUN}`,
  );
  if (pending.length === 0) return 'nothing pending';
  const ids = pending.map(({ link_id }) => link_id);
  const { published, left } = await publishLinks(env, ids, now);
  return `${published} put, ${left} left`;
}
