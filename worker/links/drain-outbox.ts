import { publishLinks } from './publish.ts';

/** The request that made the change has had its own try by then. */
const PENDING_MS = 30_000;
/** KV allows a Worker 1,000 operations per invocation; the rest waits a minute. */
const LINKS_PER_RUN = 800;

/**
 * Puts the KV copies that are pending, oldest first: those that KV refused, those whose request died between
 * D1 and KV, and every change once more after `SETTLE_MS`, which heals a late write of an older copy.
 * Says how many it put and how many are left.
 */
export async function drainOutbox(env: Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>, now: number): Promise<string> {
  const { results } = await env.DB.prepare(`SELECT link_id FROM link_outbox WHERE queued_at <= ?1 ORDER BY queued_at LIMIT ?2`)
    .bind(now - PENDING_MS, LINKS_PER_RUN)
    .all<{ link_id: number }>();
  if (results.length === 0) return 'nothing pending';
  const { published, left } = await publishLinks(
    env,
    results.map((row) => row.link_id),
    now,
  );
  return `${published} put, ${left} left`;
}
