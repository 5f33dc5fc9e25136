import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import type { HealthReason } from '#contract/links/watch.ts';
import type { DueLink } from './find-due.ts';
import { isUnused } from './health.ts';
import { isOneTimeAddress } from './one-time-address.ts';

/** A check that does not happen now. `reason` is what the owner reads about it; null for nothing. */
export type Postponed = { link: DueLink; until: number; reason: HealthReason | null };
/** `left` are due links for which this run, or this day, has no room. */
export type RunPlan = { requests: DueLink[]; postponed: Postponed[]; left: number };

/** A link that cannot be checked now is looked at again after this time. */
const LATER_MS = DAY_MS;

type Limits = {
  /** How many hosts get a request in this run. */
  hosts: number;
  /** How many checks may still begin today; a check that has begun always continues. */
  checks: number;
  /** How many checks of one account may begin today, given those that have. */
  checksOf: (userId: string) => number;
};

/**
 * Decides which links get a request in this run: one for each host. Further links of a host get a
 * turn each in the minutes that follow, so that they do not hide the links of other hosts.
 */
export function planRun(
  due: readonly DueLink[],
  freeAt: ReadonlyMap<string, number>,
  limits: Limits,
  now: number,
): RunPlan {
  const plan: RunPlan = { requests: [], postponed: [], left: 0 };
  /** The number of links of each host that have been given a turn. */
  const turns = new Map<string, number>();
  const begun = new Map<string, number>();
  let checks = 0;
  for (const link of due) {
    const reason = reasonNotToCheck(link);
    if (reason !== null || !link.isRedirecting || isUnused(link.lastUsedAt, now)) {
      plan.postponed.push({ link, until: now + LATER_MS, reason });
      continue;
    }
    const ownChecks = begun.get(link.userId) ?? 0;
    if (!link.hasBegun && ownChecks >= limits.checksOf(link.userId)) {
      plan.postponed.push({ link, until: (dayNumber(now) + 1) * DAY_MS, reason: null });
      continue;
    }
    const turn = turns.get(link.host) ?? 0;
    const hostIsFreeAt = Math.max(freeAt.get(link.host) ?? 0, now);
    if (turn > 0 || hostIsFreeAt > now) {
      turns.set(link.host, turn + 1);
      plan.postponed.push({ link, until: hostIsFreeAt + turn * MINUTE_MS, reason: null });
    } else if (plan.requests.length < limits.hosts && (link.hasBegun || checks < limits.checks)) {
      turns.set(link.host, 1);
      plan.requests.push(link);
      if (link.hasBegun) continue;
      checks += 1;
      begun.set(link.userId, ownChecks + 1);
    } else plan.left += 1;
  }
  return plan;
}

function reasonNotToCheck({ watch, home, hasPassword }: DueLink): HealthReason | null {
  if (watch === 'always') return null;
  if (hasPassword) return 'password';
  return isOneTimeAddress(home) ? 'one_time' : null;
}
