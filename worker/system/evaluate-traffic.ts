import { MINUTE_MS } from '#contract/time.ts';
import { bad, ok, warn, type Evaluation } from './evaluation.ts';
import type { StoredFacts } from './facts.ts';

/** Fewer failed requests are no pattern, whatever their share is. */
const ERRORS_MIN = 10;
/** The shares of failed requests at which their signal turns. */
const ERRORS_SHARE = { warn: 0.01, bad: 0.05 };
/** A single mail that fails is mostly followed by one that does not. */
const MAIL_FAILS_MS = 5 * MINUTE_MS;
/** The shares of the time for which a database is busy at which its signal turns. */
const BUSY_SHARE = { warn: 0.5, bad: 0.8 };

export function evaluateErrors({ errors }: StoredFacts): Evaluation {
  if (errors === null) return ok('no_errors');
  const share = errors.errors / errors.requests;
  const values = { count: errors.errors, share };
  if (errors.errors < ERRORS_MIN || share < ERRORS_SHARE.warn) return ok('errors', values);
  return share >= ERRORS_SHARE.bad ? bad('errors', values) : warn('errors', values);
}

export function evaluateMail({ channels }: StoredFacts, now: number): Evaluation {
  const mail = channels.find(({ channel }) => channel === 'mail');
  if (mail === undefined) return ok('no_mails');
  if (mail.failing === null) return ok('mails_sent');
  const { since, fault } = mail.failing;
  const values = { ms: now - since, names: [fault] };
  return values.ms > MAIL_FAILS_MS ? bad('mails_fail', values, since) : warn('mails_fail', values);
}

export function evaluateWriter({ busy }: StoredFacts): Evaluation {
  const busiest = busy.toSorted((a, b) => b.share - a.share)[0];
  if (busiest === undefined || busiest.share === 0) return ok('writer_idle');
  const values = { names: [busiest.name], share: Math.min(1, busiest.share) };
  if (busiest.share < BUSY_SHARE.warn) return ok('writer_busy', values);
  return busiest.share >= BUSY_SHARE.bad ? bad('writer_full', values) : warn('writer_full', values);
}
