import { sql } from 'drizzle-orm';
import type { ReportRequest } from '#contract/abuse.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { abuse_reports } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import type { Networks } from '#worker/http/allowances.ts';
import { idOfCode } from '#worker/edge/earlier-codes.ts';
import { adoptOrphan, readOrphan } from '#worker/edge/orphan.ts';
import { findReportedKey } from './find-reported-key.ts';
import { takeReport, takeSameReport } from './report-allowance.ts';

/** The most open reports that are stored about one destination of a link for one reason. */
const SAME_REPORTS_MAX = 10;

export type ReportSubmission = {
  report: Pick<ReportRequest, 'code' | 'reason' | 'details'>;
  networks: Networks;
  /** Keys the counters of networks. */
  secret: string;
  edge: Pick<Env, 'LINKS' | 'LINKS_EPOCH'>;
  now: number;
};

/**
 * Stores a report about a link; the result does not reveal whether the code exists. Returns false
 * if the daily allowance of the network is used up. Nothing about the sender is stored with the
 * report. A link that only KV knows gets a row first, because a report about it would otherwise be
 * lost.
 */
export async function submitReport(db: Db, submission: ReportSubmission): Promise<boolean> {
  const { report, networks, secret, edge, now } = submission;
  if (!(await takeReport(db, networks, secret, now))) return false;
  const code = await findReportedKey(db, report.code);
  if (await storeReport(db, code, submission)) return true;
  const orphan = await readOrphan(edge, code);
  if (orphan === null) return true;
  await runBatch(db, adoptOrphan(code, orphan, { status: 'active' }, now));
  await storeReport(db, code, submission);
  return true;
}

/**
 * Stores a report with the link's present destination. Returns false if no link has the code.
 * Beyond the limit, reports with the same reason about the same destination are counted on the
 * newest of them, so that a flood does not hide other reports (SECURITY.md T51). Another
 * destination counts separately, so the owner of a link cannot use up the limit beforehand.
 */
async function storeReport(
  db: Db,
  code: string,
  { report, networks, secret, now }: ReportSubmission,
): Promise<boolean> {
  const { reason, details } = report;
  const [link] = await db.all<{ id: number }>(
    sql`select id from ${links} where id = ${idOfCode(code)} and status <> 'deleted'`,
  );
  if (link === undefined) return false;
  const sameReports = sql`from ${abuse_reports} where link_id = ${link.id} and status = 'open' and reason = ${reason}
    and target = (select target from ${links} where id = ${link.id})`;
  const { statements, isTaken } = takeSameReport(
    networks,
    { linkId: link.id, reason },
    secret,
    now,
  );
  const isStored = sql`exists (select 1 from ${links} where id = ${link.id} and status <> 'deleted')
    and (not exists (select 1 ${sameReports}) or (${isTaken} and (select count(*) ${sameReports}) < ${SAME_REPORTS_MAX}))`;
  await runBatch(db, [
    ...statements,
    // This runs before the insert, because it would otherwise find the new report itself.
    sql`update ${abuse_reports} set not_stored = not_stored + 1 where not (${isStored}) and id = (select max(id) ${sameReports})`,
    sql`insert into ${abuse_reports} (link_id, reason, details, created_at, target, target_host)
      select id, ${reason}, ${details}, ${now}, target, target_host from ${links} where id = ${link.id} and ${isStored}`,
  ]);
  return true;
}
