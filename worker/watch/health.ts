import type { Finding, HealthReason, HealthState } from '#contract/links/watch.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';

/** A destination is dead after this many failed checks in a row, over at least this time. */
export const FAILURES = 3;
export const FAILING_MS = DAY_MS;
/** A failed check is repeated after this time, so that an outage is known after a day. */
const SUSPECT_MS = 12 * HOUR_MS;
const OFTEN_MS = DAY_MS;
const SELDOM_MS = 30 * DAY_MS;
/** A link that was clicked within this time is checked often. */
const IN_USE_MS = 7 * DAY_MS;
/** Without a click for this time, a link is not checked. */
const UNUSED_MS = 180 * DAY_MS;

/** What a check says about a destination: it works, it fails, or it is not possible to tell. */
export type CheckOutcome = Finding & { kind: 'ok' | 'unclear' | 'failure' };

/** The state of a destination. Times in ms. */
export type Health = Finding & {
  state: HealthState;
  /** Failed checks in a row, and the time of the first of them. */
  fails: number;
  firstFailedAt: number | null;
  /** When it got its state. */
  since: number;
};

/**
 * Returns the state after a check at `now`. An unclear outcome neither counts as a failure nor ends
 * a row of them, and a dead destination stays dead until one works.
 */
export function judge(before: Health | null, outcome: CheckOutcome, now: number): Health {
  const { kind, reason, status } = outcome;
  const failed = before?.fails ?? 0;
  const firstFailedAt = before?.firstFailedAt ?? null;
  const enter = (state: HealthState, fails: number, firstAt: number | null): Health => ({
    state,
    reason,
    status,
    fails,
    firstFailedAt: firstAt,
    since: before?.state === state ? before.since : now,
  });
  if (kind === 'ok') return enter('ok', 0, null);
  if (kind === 'unclear')
    return enter(before?.state === 'dead' ? 'dead' : 'unclear', failed, firstFailedAt);
  const fails = failed + 1;
  const firstAt = firstFailedAt ?? now;
  const isDead = before?.state === 'dead' || (fails >= FAILURES && now - firstAt >= FAILING_MS);
  return enter(isDead ? 'dead' : 'suspect', fails, firstAt);
}

/** True for a link that nobody has clicked, or given this destination, for half a year. */
export const isUnused = (lastUsedAt: number, now: number): boolean => now - lastUsedAt > UNUSED_MS;

/** Returns when a destination with this state is checked next, in ms since 1970. */
export function scheduleCheck(state: HealthState, lastUsedAt: number, now: number): number {
  if (state === 'suspect') return now + SUSPECT_MS;
  return now + (now - lastUsedAt <= IN_USE_MS ? OFTEN_MS : SELDOM_MS);
}

/** Statuses that say nothing about whether people see the page. */
const UNCLEAR: ReadonlySet<number> = new Set([401, 403, 407, 429, 451, 999]);

/** Judges the final answer of a destination. */
export function judgeStatus(status: number): CheckOutcome {
  const finding = { reason: 'status' as HealthReason, status };
  if (status === 404 || status === 410) return { kind: 'failure', ...finding };
  if (UNCLEAR.has(status)) return { kind: 'unclear', ...finding };
  if (status >= 500) return { kind: 'failure', ...finding };
  // Other errors are about the request, for example that it has no cookie.
  if (status >= 400) return { kind: 'unclear', ...finding };
  return { kind: 'ok', reason: 'answered', status };
}
