import { sql } from 'drizzle-orm';
import type { ReportedLink, ReportRequest, ReportsResponse } from '#contract/abuse.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { recordStatement } from '#worker/audit/log.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { abuse_reports, links } from '#worker/db/schema.ts';
import type { Networks } from '#worker/http/day-allowance.ts';
import { adoptOrphan, readOrphan } from '#worker/links/orphan.ts';
import { holdsOf, readHolds } from './holds-of.ts';
import { takeReport } from './report-allowance.ts';

/** Open reports that one link gathers at the most: more of the same would only hide others. */
const OPEN_PER_LINK = 50;

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

/**
 * Takes a report in. Nothing tells the sender whether the code exists. False when the daily allowance of the network, or of the IPv6 /48 around it, is used up.
 * Nothing about the sender is kept beside the report. A link that only KV knows gets its row first, because a report
 * about it would otherwise be lost and the link never looked at.
 */
export async function takeIn(
  db: Db,
  report: Pick<ReportRequest, 'code' | 'reason' | 'details'>,
  networks: Networks,
  secret: string,
  now: number,
  edge: Pick<Env, 'LINKS' | 'LINKS_EPOCH'>,
): Promise<boolean> {
  if (!(await takeReport(db, networks, secret, now))) return false;
  const code = codeIn(report.code);
  const insert = sql`insert into ${abuse_reports} (link_id, reason, details, created_at)
    select id, ${report.reason}, ${report.details}, ${now} from ${links}
    where host = '' and code = ${code} and status <> 'deleted'
      and (select count(*) from ${abuse_reports} where link_id = ${links}.id and status = 'open') < ${OPEN_PER_LINK}
    returning id`;
  const [kept] = await runBatch(db, [insert]);
  if (kept?.length !== 0) return true;
  const orphan = await readOrphan(edge, code);
  if (orphan !== null) await runBatch(db, [...adoptOrphan(code, orphan, { status: 'active' }, now), insert]);
  return true;
}

/** People paste 'abc', 'abc+' or the whole short link. */
function codeIn(text: string): string {
  const path = text.trim().replace(/[?#].*$/, '');
  return path.slice(path.lastIndexOf('/') + 1).replace(/\+$/, '');
}

/** One page of reports, newest first, with what is known of the link. */
export async function listReports(db: Db, status: ReportedLink['status'], cursor: string): Promise<ReportsResponse> {
  const before = /^[1-9]\d{0,14}$/.test(cursor) ? Number(cursor) : Number.MAX_SAFE_INTEGER;
  const rows = await db.all<Row>(
    sql`select r.id, r.reason, r.details, r.status, r.created_at, links.code, links.target, links.target_host, links.status as link_status,
        links.disabled_reason, links.user_id, links.created_at as link_created_at, ${holdsOf()} as holds,
        (select count(*) from ${abuse_reports} as o where o.link_id = r.link_id and o.status = 'open') as open_reports
      from ${abuse_reports} as r join ${links} on links.id = r.link_id
      where r.status = ${status} and r.id < ${before} order by r.id desc limit ${PAGE_SIZE + 1}`,
  );
  const page = rows.slice(0, PAGE_SIZE);
  return { reports: page.map(reportOf), next_cursor: rows.length > PAGE_SIZE ? String(page.at(-1)?.id ?? '') : null };
}

/** Puts a report aside, or back into the queue. False where there is no such report. Recorded in the same batch. */
export async function decide(db: Db, adminId: string, id: number, status: 'open' | 'dismissed', now: number): Promise<boolean> {
  const before = sql`(select json_object('status', status) from ${abuse_reports} where id = ${id})`;
  const entry = { at: now, adminId, action: 'decide_report', subject: `report:${id}`, before, after: { status } };
  const closed = status === 'open' ? sql`null` : sql`${now}`;
  const [, changed] = await runBatch(db, [
    recordStatement(db, entry, sql`exists (select 1 from ${abuse_reports} where id = ${id})`),
    sql`update ${abuse_reports} set status = ${status}, closed_at = ${closed}, closed_by = ${status === 'open' ? null : adminId}
      where id = ${id} returning id`,
  ]);
  return (changed?.length ?? 0) > 0;
}

function reportOf(row: Row): ReportedLink {
  return {
    id: row.id,
    short_code: row.code,
    long_url: row.target,
    target_host: row.target_host,
    link_status: row.link_status,
    link_created_at: new Date(row.link_created_at).toISOString(),
    disabled_reason: row.disabled_reason,
    holds: readHolds(row.holds),
    owner_id: row.user_id,
    reason: row.reason,
    details: row.details,
    status: row.status,
    open_reports: row.open_reports,
    created_at: new Date(row.created_at).toISOString(),
  };
}
