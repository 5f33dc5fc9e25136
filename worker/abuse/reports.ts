import { sql, type SQL } from 'drizzle-orm';
import type { ReportedLink, ReportsResponse } from '#contract/moderation/abuse.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { containsText, idFromCursor, PAGE_LIMIT, paginate } from '#worker/db/paginate.ts';
import { shownStatus } from '#worker/db/link-status.ts';
import { abuse_reports } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { users } from '#worker/db/schema-users.ts';
import { parseLinkDomain, selectLinkDomain } from '#worker/domains/link-domain.ts';
import { earlierCodesAsJson } from '#worker/edge/earlier-codes.ts';
import { parseHolds, selectHolds } from '#worker/edge/link-holds.ts';

/** The most reports that a page of a search reads. The next page continues. */
export const REPORTS_SCAN_MAX = 5_000;

type Row = Omit<ReportedLink, 'createdAt' | 'linkCreatedAt' | 'holds' | 'domain'> & {
  createdAt: number;
  linkCreatedAt: number;
  holds: string;
  domain: string | null;
};
type ReportRow = Row & {
  linkId: number;
  recheckAt: number | null;
  targetChangedAt: number | null;
  closedAt: number | null;
  closedBy: string | null;
  closedByEmail: string | null;
  /** JSON. */
  earlierCodes: string;
};

const reportColumns = (): SQL =>
  sql`r.id, r.reason, r.details, r.status, r.created_at as createdAt, links.code, links.target as longUrl,
    links.target_host as targetHost, r.target as reportedUrl, r.target_host as reportedHost,
    ${shownStatus()} as linkStatus, links.disabled_reason as disabledReason, links.user_id as ownerId,
    coalesce(links.imported_at, links.created_at) as linkCreatedAt,
    ${selectHolds()} as holds, ${selectLinkDomain()} as domain,
    (select count(*) from ${abuse_reports} as o where o.link_id = r.link_id and o.status = 'open') as openReports,
    (select coalesce(sum(not_stored), 0) from ${abuse_reports} as o where o.link_id = r.link_id and o.status = r.status) as notStored`;

/**
 * One page of reports with their links, newest first. `q` is part of the code, of the reported
 * destination or of the present one. A search reads at most REPORTS_SCAN_MAX reports for a page.
 */
export async function listReports(
  db: Db,
  { status, q, cursor }: { status: ReportedLink['status']; q: string; cursor: string },
): Promise<ReportsResponse> {
  const before = idFromCursor(cursor) ?? Number.MAX_SAFE_INTEGER;
  const start = q === '' ? null : await findScanEnd(db, before);
  const found = await db.all<Row>(
    sql`select ${reportColumns()}
      from ${abuse_reports} as r join ${links} on links.id = r.link_id
      where r.status = ${status} and r.id < ${before} and r.id >= ${start ?? 0}
        and ${containsText(q, sql`coalesce(r.target, '')`, links.target, links.code, earlierCodesAsJson) ?? sql`1`}
      order by r.id desc limit ${PAGE_LIMIT}`,
  );
  const { rows, nextCursor } = paginate(
    found,
    ({ id }) => String(id),
    start === null ? null : String(start),
  );
  return { reports: rows.map(toReportedLink), nextCursor };
}

/**
 * Returns the id of the oldest report that one page of a search may read; null if so few reports
 * are left that it reads all of them.
 */
async function findScanEnd(db: Db, before: number): Promise<number | null> {
  const [row] = await db.all<{ id: number }>(
    sql`select id from ${abuse_reports} where id < ${before} order by id desc limit 1 offset ${REPORTS_SCAN_MAX - 1}`,
  );
  return row?.id ?? null;
}

/** One report with its link; undefined for an unknown id. */
export async function findReport(db: Db, id: number): Promise<ReportRow | undefined> {
  const [row] = await db.all<ReportRow>(
    sql`select ${reportColumns()}, r.link_id as linkId, links.recheck_at as recheckAt,
        links.target_changed_at as targetChangedAt, ${earlierCodesAsJson} as earlierCodes,
        r.closed_at as closedAt, r.closed_by as closedBy,
        (select email from ${users} as u where u.id = r.closed_by) as closedByEmail
      from ${abuse_reports} as r join ${links} on links.id = r.link_id where r.id = ${id}`,
  );
  return row;
}

/**
 * A decision about a report. `destination` is where the link led when the administrator saw it, if
 * the caller sends it.
 */
export type ReportDecision = { status: 'open' | 'dismissed'; destination?: string | undefined };
export type DecisionResult =
  | { ok: true }
  | { ok: false; reason: 'unknown_report' | 'report_outdated' };

/**
 * Dismisses a report or reopens it, with its audit entry in the same batch. A dismissal stores
 * where the link led, and is refused if that has changed since the administrator saw it.
 */
export async function decideReport(
  db: Db,
  adminId: string,
  id: number,
  { status, destination }: ReportDecision,
  now: number,
): Promise<DecisionResult> {
  const isDestinationUnchanged =
    status === 'open' || destination === undefined
      ? sql`1`
      : sql`exists (select 1 from ${links} where ${links}.id = ${abuse_reports}.link_id and target = ${destination})`;
  const where = sql`${abuse_reports}.id = ${id} and ${isDestinationUnchanged}`;
  const before = sql`(select json_object('status', status) from ${abuse_reports} where id = ${id})`;
  const entry = {
    at: now,
    adminId,
    action: 'decide_report',
    subject: `report:${id}`,
    before,
    after: { status },
  };
  const closed =
    status === 'open'
      ? { closed_at: null, closed_by: null }
      : { closed_at: now, closed_by: adminId };
  const presentTarget = sql`(select iif(${links}.status = 'deleted', null, target) from ${links} where id = ${abuse_reports}.link_id)`;
  const { known, changed } = await runNamedBatch(db, {
    known: sql`select 1 from ${abuse_reports} where id = ${id}`,
    record: recordAction(entry, sql`exists (select 1 from ${abuse_reports} where ${where})`),
    changed: db
      .update(abuse_reports)
      .set({ status, ...closed, dismissed_target: status === 'open' ? null : presentTarget })
      .where(where)
      .returning({ id: abuse_reports.id }),
  });
  if (known.rows.length === 0) return { ok: false, reason: 'unknown_report' };
  return changed.rows.length > 0 ? { ok: true } : { ok: false, reason: 'report_outdated' };
}

export const toReportedLink = (row: Row): ReportedLink => ({
  ...row,
  domain: parseLinkDomain(row.domain),
  holds: parseHolds(row.holds),
  createdAt: new Date(row.createdAt).toISOString(),
  linkCreatedAt: new Date(row.linkCreatedAt).toISOString(),
});
