import { sql, type SQL } from 'drizzle-orm';
import type { ReportRequest } from '#contract/moderation/abuse.ts';
import { DEFAULT_DOMAIN, splitKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { domains } from '#worker/db/schema-domains.ts';
import { abuse_reports } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { withoutTrailingDot } from '#worker/http/origins.ts';
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
  const link = await findLink(db, code);
  if (link !== null) return storeReport(db, link, submission);
  const orphan = await readOrphan(edge, code);
  if (orphan !== null) await runBatch(db, adoptOrphan(code, orphan, { status: 'active' }, now));
  const about = orphan === null ? await findPage(db, code) : await findLink(db, code);
  return about === null || storeReport(db, about, submission);
}

/** A reported link and where it leads. `note` says what else was reported. */
type Reported = { id: number; target: string; host: string; note: string };

async function findLink(db: Db, code: LinkKey): Promise<Reported | null> {
  const [link] = await db.all<Omit<Reported, 'note'>>(
    sql`select id, target, target_host as host from ${links} where id = ${idOfCode(code)} and status <> 'deleted'`,
  );
  return link === undefined ? null : { ...link, note: '' };
}

/**
 * The page of a member's domain to which its root or an unknown code leads. A report about it belongs
 * to the newest link there or, without one, of its owner, because reports are about links. Null if
 * there is no such page or link.
 */
async function findPage(db: Db, key: LinkKey): Promise<Reported | null> {
  const { domain, code } = splitKey(key);
  if (domain === DEFAULT_DOMAIN) return null;
  const page = code === '' ? sql`root_url` : sql`not_found_url`;
  const newest = (where: SQL) =>
    sql`(select id from ${links} where ${where} and status <> 'deleted' order by id desc limit 1)`;
  const [found] = await db.all<{ id: number | null; name: string; target: string }>(
    sql`select name, ${page} as target, coalesce(${newest(sql`domain_id = ${domain} and domain_id <> ''`)},
      ${newest(sql`user_id = ${domains}.owner_id`)}) as id
      from ${domains} where ${domains}.id = ${domain} and ${page} <> ''`,
  );
  if (found === undefined || found.id === null) return null;
  const { id, name, target } = found;
  const host = withoutTrailingDot(new URL(target).hostname);
  return { id, target, host, note: `${name}/${code} leads to ${target}. ` };
}

/**
 * Stores a report with the present destination. Returns true.
 * Beyond the limit, reports with the same reason about the same destination are counted on the
 * newest of them, so that a flood does not hide other reports (SECURITY.md T51). Another
 * destination counts separately, so the owner of a link cannot use up the limit beforehand.
 */
async function storeReport(
  db: Db,
  { id, target, host, note }: Reported,
  { report, networks, secret, now }: ReportSubmission,
): Promise<true> {
  const { reason, details } = report;
  const sameReports = sql`from ${abuse_reports} where link_id = ${id} and status = 'open' and reason = ${reason}
    and target = ${target}`;
  const { statements, isCharged } = takeSameReport(networks, { linkId: id, reason }, secret, now);
  const isStored = sql`exists (select 1 from ${links} where id = ${id} and status <> 'deleted')
    and (not exists (select 1 ${sameReports}) or (${isCharged} and (select count(*) ${sameReports}) < ${SAME_REPORTS_MAX}))`;
  await runBatch(db, [
    ...statements,
    // This runs before the insert, because it would otherwise find the new report itself.
    sql`update ${abuse_reports} set not_stored = not_stored + 1 where not (${isStored}) and id = (select max(id) ${sameReports})`,
    sql`insert into ${abuse_reports} (link_id, reason, details, created_at, target, target_host)
      select ${id}, ${reason}, ${note + details}, ${now}, ${target}, ${host} where ${isStored}`,
  ]);
  return true;
}
