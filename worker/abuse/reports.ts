import { eq, sql, type SQL } from 'drizzle-orm';
import type { ReportedLink, ReportRequest, ReportsResponse } from '#contract/abuse.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { idFromCursor, PAGE_LIMIT, paginate } from '#worker/db/paginate.ts';
import { abuse_reports, links, users } from '#worker/db/schema.ts';
import type { Networks } from '#worker/http/day-allowance.ts';
import { earlierCodesAsJson, idOfCode } from '#worker/links/earlier-codes.ts';
import { adoptOrphan, readOrphan } from '#worker/links/orphan.ts';
import { parseHolds, selectHolds } from './link-holds.ts';
import { takeReport } from './report-allowance.ts';

/** Open reports kept per link. More reports about the same link would only hide others. */
const OPEN_REPORTS_PER_LINK = 50;

type Row = Pick<ReportedLink, 'id' | 'reason' | 'details' | 'status'> & {
  created_at: number;
  code: string;
  target: string;
  target_host: string;
  link_status: ReportedLink['link_status'];
  disabled_reason: string | null;
  user_id: string | null;
  link_created_at: number;
  open_reports: number;
  holds: string;
};
/** What one report has besides: its link, and who closed it. */
type ReportRow = Row & {
  link_id: number;
  recheck_at: number | null;
  closed_at: number | null;
  closed_by: string | null;
  closed_by_email: string | null;
  /** JSON. */
  earlier_codes: string;
};

export type ReportSubmission = {
  report: Pick<ReportRequest, 'code' | 'reason' | 'details'>;
  networks: Networks;
  /** Keys the counters of networks. */
  secret: string;
  edge: Pick<Env, 'LINKS' | 'LINKS_EPOCH'>;
  /** Milliseconds since 1970. */
  now: number;
};

/**
 * Stores a report about a link; the result does not reveal whether the code exists. Returns false if the daily allowance of
 * the network is used up. Nothing about the sender is stored with the report. A link that only KV knows gets a row first,
 * because a report about it would otherwise be lost.
 */
export async function submitReport(db: Db, { report, networks, secret, edge, now }: ReportSubmission): Promise<boolean> {
  if (!(await takeReport(db, networks, secret, now))) return false;
  const code = parseCode(report.code);
  const insert = sql<{ id: number }>`insert into ${abuse_reports} (link_id, reason, details, created_at)
    select id, ${report.reason}, ${report.details}, ${now} from ${links}
    where id = ${idOfCode(code)} and status <> 'deleted'
      and (select count(*) from ${abuse_reports} where link_id = ${links}.id and status = 'open') < ${OPEN_REPORTS_PER_LINK}
    returning id`;
  if ((await db.all(insert)).length > 0) return true;
  const orphan = await readOrphan(edge, code);
  if (orphan !== null) await runNamedBatch(db, { adopt: adoptOrphan(code, orphan, { status: 'active' }, now), insert });
  return true;
}

/** Returns the code in what people paste: 'abc', 'abc+' or a whole short URL. */
function parseCode(text: string): string {
  const path = text.trim().replace(/[?#].*$/, '');
  return path.slice(path.lastIndexOf('/') + 1).replace(/\+$/, '');
}

const reportColumns = (): SQL =>
  sql`r.id, r.reason, r.details, r.status, r.created_at, links.code, links.target, links.target_host, links.status as link_status,
    links.disabled_reason, links.user_id, coalesce(links.imported_at, links.created_at) as link_created_at, ${selectHolds()} as holds,
    (select count(*) from ${abuse_reports} as o where o.link_id = r.link_id and o.status = 'open') as open_reports`;

/** One page of reports with their links, newest first. */
export async function listReports(db: Db, status: ReportedLink['status'], cursor: string): Promise<ReportsResponse> {
  const before = idFromCursor(cursor) ?? Number.MAX_SAFE_INTEGER;
  const found = await db.all<Row>(
    sql`select ${reportColumns()}
      from ${abuse_reports} as r join ${links} on links.id = r.link_id
      where r.status = ${status} and r.id < ${before} order by r.id desc limit ${PAGE_LIMIT}`,
  );
  const { rows, nextCursor } = paginate(found, ({ id }) => String(id));
  return { reports: rows.map(toReportedLink), next_cursor: nextCursor };
}

/** One report with its link; undefined for an unknown id. */
export async function findReport(db: Db, id: number): Promise<ReportRow | undefined> {
  const [row] = await db.all<ReportRow>(
    sql`select ${reportColumns()}, r.link_id, links.recheck_at, ${earlierCodesAsJson} as earlier_codes, r.closed_at, r.closed_by,
        (select email from ${users} as u where u.id = r.closed_by) as closed_by_email
      from ${abuse_reports} as r join ${links} on links.id = r.link_id where r.id = ${id}`,
  );
  return row;
}

/** Dismisses a report or reopens it. Returns false for an unknown report. The audit entry is in the same batch. */
export async function decideReport(
  db: Db,
  adminId: string,
  id: number,
  status: 'open' | 'dismissed',
  now: number,
): Promise<boolean> {
  const before = sql`(select json_object('status', status) from ${abuse_reports} where id = ${id})`;
  const entry = { at: now, adminId, action: 'decide_report', subject: `report:${id}`, before, after: { status } };
  const closed = status === 'open' ? { closed_at: null, closed_by: null } : { closed_at: now, closed_by: adminId };
  const { changed } = await runNamedBatch(db, {
    record: recordAction(db, entry, sql`exists (select 1 from ${abuse_reports} where id = ${id})`),
    changed: db
      .update(abuse_reports)
      .set({ status, ...closed })
      .where(eq(abuse_reports.id, id))
      .returning({ id: abuse_reports.id }),
  });
  return changed.rows.length > 0;
}

export function toReportedLink(row: Row): ReportedLink {
  return {
    id: row.id,
    short_code: row.code,
    long_url: row.target,
    target_host: row.target_host,
    link_status: row.link_status,
    link_created_at: new Date(row.link_created_at).toISOString(),
    disabled_reason: row.disabled_reason,
    holds: parseHolds(row.holds),
    owner_id: row.user_id,
    reason: row.reason,
    details: row.details,
    status: row.status,
    open_reports: row.open_reports,
    created_at: new Date(row.created_at).toISOString(),
  };
}
