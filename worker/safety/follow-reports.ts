import { sql, type SQL } from 'drizzle-orm';
import type { Statement } from '#worker/db/batch.ts';
import { hasKey, links } from '#worker/db/schema-links.ts';
import { jsonList } from '#worker/db/batch.ts';
import { abuse_reports, admin_log } from '#worker/db/schema-moderation.ts';

/**
 * Returns the statements that reopen dismissed reports once a link leads to a reported host again,
 * and log that (SECURITY.md T51). They belong at the end of the batch that changes the links that
 * `where` selects. A dismissal is final only if the administrator could see the reported
 * destination; otherwise an owner could change the destination, wait for the dismissal, and change
 * it back.
 */
export function reopenReports(where: SQL, now: number): Statement[] {
  const isReportedAgain = sql`report.status = 'dismissed' and ${links}.status <> 'deleted'
    and report.dismissed_target is not report.target and report.dismissed_target is not ${links}.target
    and (${links}.target_host = report.target_host
      or substr(${links}.target_host, -(length(report.target_host) + 1)) = '.' || report.target_host)`;
  const returned = sql`${links} cross join ${abuse_reports} as report on report.link_id = ${links}.id where ${where} and ${isReportedAgain}`;
  return [
    sql`insert into ${admin_log} (at, admin_id, action, subject, before, after, reason)
      select ${now}, 'system', 'decide_report', 'report:' || report.id, '{"status":"dismissed"}', '{"status":"open"}',
        'The link leads to the reported host again.' from ${returned}`,
    sql`update ${abuse_reports} set status = 'open', closed_at = null, closed_by = null, dismissed_target = null
      where id in (select report.id from ${returned})`,
  ];
}

/**
 * Returns the statements that move the reports about former links to the links that now have their
 * codes, for the end of the batch that releases the codes. A report is about a code, so a new link
 * with the same code must not start without it.
 */
export const moveReports = (formers: readonly { id: number }[]): Statement[] =>
  formers.length === 0
    ? []
    : [
        sql`update ${abuse_reports} set link_id = (
          select ${links}.id from ${links} as former cross join ${links} on ${hasKey(sql`former.code`)}
          where former.id = ${abuse_reports}.link_id)
        where status <> 'acted' and link_id in (select former.id from ${links} as former
          cross join ${links} on ${hasKey(sql`former.code`)}
          where former.id in ${jsonList(formers.map(({ id }) => id))} and former.released_at is not null)`,
      ];
