import { DAY_MS } from '#contract/time.ts';
import { createJobMailer } from '#worker/mail/job-mailer.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { isEmbedded } from '#worker/redirect/sign-in-settings.ts';
import { readRolledUpTo } from '#worker/clicks/accounts/roll-up-accounts.ts';
import { openDb } from '#worker/db/client.ts';
import { nameDomains } from '#worker/db/domain-names.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { composeWeeklyMail } from './compose-weekly-mail.ts';
import { claimWeek, findDue } from './store.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';
import { readWeeklyReport } from './weekly-report.ts';
import { weekToSend } from './weeks.ts';

const STEP = 5;

/**
 * Sends the weekly mails on Mondays from 06:00 UTC on, once the clicks of the week are rolled up.
 * Each mail is claimed before it is sent, so that nobody gets two; if a run dies in between, that
 * mail is never sent.
 */
export async function sendWeeklyMails(
  env: Env,
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const monday = weekToSend(now);
  if (monday === null) return {};
  const db = openDb(env.DB);
  const mailer = createJobMailer(env, db, now);
  if (mailer === null) return { reason: 'no_mailer' };
  const rolledUpTo = await readRolledUpTo(db);
  if (rolledUpTo === null || rolledUpTo < monday * DAY_MS) return { reason: 'week_not_counted' };
  let sent = 0;
  for (;;) {
    const due = await findDue(db, monday, isEmbedded(env), STEP);
    if (due.length === 0) return { done: { mails_sent: sent } };
    for (const { user_id: userId, email } of due) {
      if (!budget.canContinue()) return { done: { mails_sent: sent }, left: 1 };
      if (!(await claimWeek(db, userId, monday))) continue;
      const report = await readWeeklyReport(db, userId, monday);
      if (report === null) continue;
      const codes = [...report.top, ...report.stopped].map(({ code }) => code);
      const named = await nameDomains(db, mailer.origins, codes);
      const token = unsubscribeToken(authSecret(env), userId);
      await mailer.send(composeWeeklyMail(email, report, { ...named, token }));
      sent += 1;
    }
  }
}
