import { sql } from 'drizzle-orm';
import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { describeFinding, type Finding } from '#contract/links/watch.ts';
import { jsonList, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { nameDomains } from '#worker/db/domain-names.ts';
import { link_health } from '#worker/db/schema-health.ts';
import { links } from '#worker/db/schema-links.ts';
import { counters } from '#worker/db/schema-system.ts';
import { users } from '#worker/db/schema-users.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import type { JobBudget } from '#worker/job-runtime/job-budget.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { createJobMailer } from '#worker/mail/job-mailer.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { accountCounter } from '#worker/plans/account-counters.ts';

/** How many links an email names. */
const NAMED_MAX = 20;
const OWNERS_PER_RUN = 20;

type Owner = { id: string; email: string };
type Unreachable = Finding & { id: number; code: string; home: string };

/**
 * Emails the owners of links whose destination has become unreachable: once for each time, and one
 * email a day (UTC) for all their links. The email counts as sent before it is, so that nobody gets
 * two. Returns how many were sent.
 */
export async function mailUnreachable(
  env: Env,
  db: Db,
  now: number,
  budget: JobBudget,
): Promise<number> {
  const mailer = createJobMailer(env, db, now);
  if (mailer === null) return 0;
  const key = accountCounter('unreachable-mails', sql`${users.id}`, now);
  const owners = await db.all<Owner>(sql`select ${users.id} as id, ${users.email} as email from (
      select distinct ${links}.user_id from ${link_health} cross join ${links} on ${links}.id = link_id
      where ${link_health}.state = 'dead' and ${link_health}.mailed_at is null) as owner
    cross join ${users} on ${users.id} = owner.user_id
    where ${users.email} <> '' and ${users.suspended_at} is null
      and not exists (select 1 from ${counters} where key = ${key}) limit ${OWNERS_PER_RUN}`);
  if (owners.length === 0) return 0;
  const { origins, send } = mailer;
  let sent = 0;
  for (const { id, email } of owners) {
    if (!budget.canContinue()) break;
    const found = await takeUnreachable(db, id, now);
    if (found.length === 0) continue;
    const shown = found.slice(0, NAMED_MAX);
    const keys = shown.map(({ code }) => code);
    const named = await nameDomains(db, origins, keys);
    const lines = shown.map(
      ({ code, home, ...finding }) =>
        `${shortUrlOf(named, code)} → ${home}: ${describeFinding(finding)}`,
    );
    const page = `${origins.app}/dashboard?health=dead`;
    await send(composeMail(email, MAILS.unreachable(found.length, lines), page));
    sent += 1;
  }
  return sent;
}

/** Marks the links of an owner as told, once a day, and returns them. */
async function takeUnreachable(db: Db, userId: string, now: number): Promise<Unreachable[]> {
  const found =
    await db.all<Unreachable>(sql`select ${links}.id, ${links}.code, health.home, health.reason, health.status
    from ${link_health} as health cross join ${links} on ${links}.id = health.link_id
    where health.state = 'dead' and health.mailed_at is null and ${links}.user_id = ${userId} order by ${links}.id`);
  const key = accountCounter('unreachable-mails', userId, now);
  const { taken } = await runNamedBatch(db, {
    taken: sql`insert into ${counters} (key, count, expires_at)
      values (${key}, 1, ${(dayNumber(now) + 2) * DAY_MS}) on conflict (key) do nothing returning key`,
    told: sql`update ${link_health} set mailed_at = ${now} where mailed_at is null and state = 'dead'
      and link_id in ${jsonList(found.map(({ id }) => id))}`,
  });
  return taken.rows.length === 0 ? [] : found;
}
