import { sql } from 'drizzle-orm';
import { openDb, type Db } from '#worker/db/client.ts';
import { nameDomains } from '#worker/db/domain-names.ts';
import type { Origins } from '#worker/http/origins.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { readJobState, saveJobState } from '#worker/job-runtime/job-state.ts';
import { composeMail, type Mail } from '#worker/mail/compose.ts';
import { createJobMailer } from '#worker/mail/job-mailer.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { supportAddress } from '#worker/redirect/support-address.ts';
import {
  changedPlan,
  findDisabledLinks,
  hasDecisionsAfter,
  newestEntry,
  nextDecision,
  readMember,
  splitSubject,
  type Decision,
} from './decision-store.ts';

/** The row of `job_runs` with the last entry of the audit log that the job has read. */
const STATE = 'decision-mails:state';
/** The page offers Undo for 10 seconds after a change of a plan, so nobody is told sooner. */
const UNDO_MS = 30_000;

/** `support` is an address or ''. */
type Addresses = Origins & { support: string };

/** True in SQL while the audit log has decisions that the job has not read. */
export const hasDecisions = () =>
  hasDecisionsAfter(
    sql`coalesce((select cast(detail as integer) from job_runs where name = ${STATE}), 0)`,
  );

/**
 * Emails members about decisions of administrators: a link was disabled, the account suspended or
 * restored, the plan changed. The audit log is the list of what to tell. A decision counts as told
 * before its emails are sent, so that nobody gets two; one that was undone meanwhile is not told.
 */
export async function mailDecisions(
  env: Env,
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const stored = await readJobState(db, STATE);
  const mailer = createJobMailer(env, db, now);
  if (stored === null || mailer === null) {
    const newest = await newestEntry(db);
    if (stored !== String(newest)) await saveRead(db, newest, now);
    return { reason: stored === null ? 'first_run' : 'no_mailer' };
  }
  const addresses = { ...mailer.origins, support: supportAddress(env) };
  let read = Number(stored);
  let sent = 0;
  for (;;) {
    const decision = await nextDecision(db, read, now - UNDO_MS);
    const done = { mails_sent: sent };
    if (decision === undefined) return { done };
    if (!budget.canContinue()) return { done, left: 1 };
    const mails = await composeMails(db, decision, addresses);
    read = decision.id;
    await saveRead(db, read, now);
    for (const mail of mails) await mailer.send(mail);
    sent += mails.length;
  }
}

const saveRead = (db: Db, id: number, now: number) =>
  saveJobState(db, STATE, { at: now, ok: true, detail: String(id) });

async function composeMails(db: Db, decision: Decision, addresses: Addresses): Promise<Mail[]> {
  const { app, support } = addresses;
  const [kind, userId] = splitSubject(decision.subject);
  if (decision.action === 'disable_links') {
    if (kind !== 'link' && kind !== 'host') return [];
    const disabled = await findDisabledLinks(db, decision);
    const keys = disabled.flatMap(({ codes }) => codes);
    const origins = await nameDomains(db, addresses, keys);
    return disabled.map(({ email, codes, ...found }) => {
      const shortUrls = codes.map((code) => shortUrlOf(origins, code));
      return composeMail(
        email,
        MAILS.linksDisabled({ ...found, shortUrls, support }),
        `${app}/dashboard`,
      );
    });
  }
  const member = await readMember(db, userId);
  if (member === undefined || member.email === '') return [];
  const { email, suspension } = member;
  switch (decision.action) {
    case 'update_plan': {
      const plan = await changedPlan(db, decision, UNDO_MS);
      return plan === null
        ? []
        : [composeMail(email, MAILS.planSet(plan, support), `${app}/settings`)];
    }
    case 'suspend_user':
      return suspension === null ? [] : [composeMail(email, MAILS.suspended(suspension, support))];
    case 'lift_suspension':
      return suspension === null ? [composeMail(email, MAILS.restored, `${app}/dashboard`)] : [];
  }
}
