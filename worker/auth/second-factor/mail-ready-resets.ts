import { openDb } from '#worker/db/client.ts';
import { confirmPageUrl, NOTICE_TTL_MS } from '#worker/auth/mailed-links/mail-link.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { createJobMailer } from '#worker/mail/job-mailer.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import { findReadyResets, setOffHash } from './reset-store.ts';

const STEP = 5;

/**
 * Sends the second mail of resets whose wait is over. The token is stored before the mail is sent,
 * so that nobody gets two mails. If the mail is not accepted, the next run tries again.
 */
export async function mailReadyResets(
  env: Env,
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const due = await findReadyResets(db, now, STEP);
  if (due.length === 0) return {};
  const mailer = createJobMailer(env, db, now);
  if (mailer === null) return { reason: 'no_mailer' };
  let sent = 0;
  for (const reset of due) {
    if (!budget.canContinue()) return { done: { mails_sent: sent }, left: 1 };
    const token = randomToken();
    const hash = hashToken(token);
    if (!(await setOffHash(db, reset, null, hash))) continue;
    const link = confirmPageUrl(mailer.origins.app, 'recovery', token);
    const mail = composeMail(reset.email, MAILS.resetReady(NOTICE_TTL_MS), link);
    if ((await mailer.send(mail)) === null) sent += 1;
    else await setOffHash(db, reset, hash, null);
  }
  return { done: { mails_sent: sent } };
}
