import { sql } from 'drizzle-orm';
import { CODE_PATTERN, KV_CACHE_SECONDS } from '#contract/limits.ts';
import type { Statement } from '#worker/db/batch.ts';
import { link_outbox, links } from '#worker/db/schema.ts';
import { decodeEdgeRecord, edgeKey, type EdgeRecord } from '#worker/redirect/edge-record.ts';
import { bareHost } from './destination.ts';

/**
 * An orphan is an edge record without a row in D1: a database that was restored to an earlier time has lost the link, and
 * KV goes on redirecting it. Nobody can stop what has no row, so it gets one before it is acted on.
 */

/** The state that an orphan's row begins with. */
export type OrphanState = { status: 'active' } | { status: 'disabled'; reason: string };

/** The active edge record under `code`, for a caller that has just found no row of it. Throws where KV does not answer. */
export async function readOrphan(env: Pick<Env, 'LINKS' | 'LINKS_EPOCH'>, code: string): Promise<EdgeRecord | null> {
  if (!CODE_PATTERN.test(code)) return null;
  const text = await env.LINKS.get(edgeKey(env.LINKS_EPOCH, '', code), { cacheTtl: KV_CACHE_SECONDS });
  const record = text === null ? null : decodeEdgeRecord(text);
  return record?.s === 'a' ? record : null;
}

/**
 * The statements that give an orphan its row and note it for publishing. The first returns the row's id, a new one, because
 * the record's may belong to another link by now; its version is above the record's, so that every copy of that is out of
 * date. Where the code has a row already nothing happens. After the last, `changes() = 1` says that the row is new.
 */
export function adoptOrphan(code: string, record: EdgeRecord, state: OrphanState, now: number): Statement[] {
  const by = state.status === 'disabled' ? 'admin' : null;
  const reason = state.status === 'disabled' ? state.reason : null;
  const host = bareHost(new URL(record.u).hostname);
  return [
    sql`insert into ${links}
      (code, target, target_host, status, disabled_by, disabled_reason, expires_at, version, created_at, updated_at)
      values (${code}, ${record.u}, ${host}, ${state.status}, ${by}, ${reason}, ${record.e || null}, ${record.v + 1}, ${now}, ${now})
      on conflict do nothing returning id`,
    sql`insert into ${link_outbox} (link_id, version, queued_at)
      select id, version, ${now} from ${links} where changes() = 1 and host = '' and code = ${code}`,
  ];
}
