import { sql } from 'drizzle-orm';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { domain_hosts, domain_removals, domains } from '#worker/db/schema-domains.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { checkMemberHost, MEMBER_HOST, type MemberHost } from './check-member-host.ts';
import { mailFailing } from './mail-owners.ts';
import { storeQuota } from './quota.ts';
import { saasTools, type SaasTools } from './tools.ts';

/**
 * A check takes up to 20 subrequests, of which the platform's free plan allows an invocation 50, and
 * with a mail some ten statements.
 */
const HOSTS_PER_RUN = { paid: 15, free: 2 };
const REMOVALS_PER_RUN = { paid: 10, free: 2 };
const RETRY_MS = 10 * MINUTE_MS;
const RETRY_MAX_MS = DAY_MS;

/** True in SQL while hosts are due for a check, or hostnames for their deletion. */
export const hasDueHosts = (now: number) =>
  sql`(exists (select 1 from ${domain_hosts} where next_check_at <= ${now})
    or exists (select 1 from ${domain_removals} where next_try_at <= ${now}))`;

/**
 * The job that checks members' hosts. It asks DNS and the platform about hosts that are due, mails
 * owners of failing ones, deletes hostnames that are no longer used, and reads the quota.
 */
export async function checkHosts(
  env: Env,
  now: number,
  budget: JobBudget = UNBOUNDED,
  fetcher: FetchFunction = fetch,
): Promise<JobResult> {
  const tools = saasTools(env, openDb(env.DB), fetcher);
  if (tools === null) return { reason: 'not_configured' };
  const size = env.WORKERS_PLAN === 'free' ? 'free' : 'paid';
  const removed = await removeHostnames(tools, now, REMOVALS_PER_RUN[size], budget);
  const due = await findDue(tools.db, now, HOSTS_PER_RUN[size] + 1);
  let checked = 0;
  let mails = 0;
  for (const host of due.slice(0, HOSTS_PER_RUN[size])) {
    if (!budget.canContinue()) break;
    const next = await checkMemberHost(tools, host, now);
    if (await mailFailing(env, tools.db, next, now)) mails += 1;
    checked += 1;
  }
  if (budget.canContinue()) await storeQuota(tools, now);
  return {
    done: { hosts_checked: checked, hostnames_deleted: removed, mails_sent: mails },
    left: due.length - checked,
  };
}

const findDue = (db: Db, now: number, limit: number) =>
  db.all<MemberHost>(sql`select ${MEMBER_HOST} from ${domain_hosts} cross join ${domains} on ${domains}.id = domain_id
    where next_check_at <= ${now} and owner_id <> '' order by next_check_at limit ${limit}`);

async function removeHostnames(
  { db, platform }: SaasTools,
  now: number,
  limit: number,
  budget: JobBudget,
): Promise<number> {
  const due = await db.all<{ saas_id: string; tries: number }>(
    sql`select saas_id, tries from ${domain_removals} where next_try_at <= ${now} order by next_try_at limit ${limit}`,
  );
  let removed = 0;
  for (const { saas_id: id, tries } of due) {
    if (!budget.canContinue()) break;
    const result = await platform.remove(id);
    if (result.ok) removed += 1;
    const pause = Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** tries);
    await db.run(
      result.ok
        ? sql`delete from ${domain_removals} where saas_id = ${id}`
        : sql`update ${domain_removals} set tries = tries + 1, next_try_at = ${now + pause} where saas_id = ${id}`,
    );
  }
  return removed;
}
