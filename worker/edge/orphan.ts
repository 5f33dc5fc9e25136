import { sql, type SQL } from 'drizzle-orm';
import { isLinkKey } from '#contract/codes/domain-key.ts';
import { KV_CACHE_SECONDS } from '#contract/limits.ts';
import { jsonRows, type Statement } from '#worker/db/batch.ts';
import { hasKey, link_destinations, link_outbox, links } from '#worker/db/schema-links.ts';
import { decodeEdgeRecord, edgeKey, type EdgeRecord } from '#worker/redirect/edge-record.ts';
import { toGateRow } from '#worker/redirect/gate.ts';
import { withoutTrailingDot } from '#worker/http/origins.ts';

/**
 * An orphan is an edge record without a row in D1: restoring the database to an earlier time has
 * removed the link, while KV still redirects it. Nothing can disable a link without a row, so an
 * orphan gets one before anything else is done to it.
 */

export type OrphanState = { status: 'active' } | { status: 'disabled'; reason: string };

/**
 * Returns the active edge record of `code`; the caller has just found no row for it. Throws if KV
 * does not answer.
 */
export async function readOrphan(
  env: Pick<Env, 'LINKS' | 'LINKS_EPOCH'>,
  code: string,
): Promise<EdgeRecord | null> {
  if (!isLinkKey(code)) return null;
  const text = await env.LINKS.get(edgeKey(env.LINKS_EPOCH, code), {
    cacheTtl: KV_CACHE_SECONDS,
  });
  const record = text === null ? null : decodeEdgeRecord(text);
  return record?.s === 'a' ? record : null;
}

/**
 * Returns the statements that insert an orphan's row and add it to the outbox, unless the code
 * already has a row. The first one returns the row's id, which is new, because another link may
 * have the record's id by now. The row's version is above the record's, so that it replaces every
 * cached copy of the record.
 */
export function adoptOrphan(
  code: string,
  record: EdgeRecord,
  state: OrphanState,
  now: number,
): Statement[] {
  const { o: fallback = '', t: rules = [] } = record.g ?? {};
  const hostOf = (href: string): string => withoutTrailingDot(new URL(href).hostname);
  const variants = (record.w ?? []).slice(1).map(({ u, p }) => ({ url: u, weight: p }));
  const others = [
    ...rules.map(({ to }) => to),
    ...variants.map(({ url }) => url),
    ...(fallback === '' ? [] : [fallback]),
  ].map((href) => ({ href, host: hostOf(href) }));
  const row = {
    code,
    target: record.u,
    target_host: hostOf(record.u),
    status: state.status,
    disabled_by: state.status === 'disabled' ? 'admin' : null,
    disabled_reason: state.status === 'disabled' ? state.reason : null,
    expires_at: record.e || null,
    version: record.v + 1,
    created_at: now,
    updated_at: now,
    forward_params: record.f ?? '',
    variants: variants.length === 0 ? '' : JSON.stringify(variants),
    ...toGateRow(record.g),
  };
  const columns = Object.keys(row);
  return [
    sql`insert into ${links} (${sql.raw(columns.join(', '))})
      select * from ${jsonRows(columns, [row])} where true on conflict do nothing returning id`,
    sql`insert or ignore into ${link_destinations} (link_id, host, href)
      select ${links}.id, item.host, item.href from ${links} cross join ${jsonRows(['host', 'href'], others)} as item
      where ${isAdopted(code, record, now)}`,
    sql`insert into ${link_outbox} (link_id, version, queued_at)
      select id, version, ${now} from ${links} where ${isAdopted(code, record, now)} on conflict do nothing`,
  ];
}

/** True in SQL for the row that `adoptOrphan` has inserted at `now`. */
export const isAdopted = (code: string, record: EdgeRecord, now: number): SQL =>
  sql`${hasKey(code)} and version = ${record.v + 1} and created_at = ${now} and updated_at = ${now}`;
