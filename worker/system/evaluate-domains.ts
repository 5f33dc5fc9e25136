import { DAY_MS } from '#contract/time.ts';
import { bad, ok, unknown, warn, type Evaluation } from './evaluation.ts';
import type { StoredFacts } from './facts.ts';

/** The share of a quota from which its signal is yellow. It is red when nothing is left. */
const USED_WARN = 0.8;
const SILENT_MS = DAY_MS;

type Quota = { used: number; allocated: number };

/** `max`: how many domains members may have; null if they bring none. */
export function evaluateDomains(
  { domains: fact }: StoredFacts,
  max: number | null,
  now: number,
): Evaluation {
  if (max === null) return ok('no_member_domains');
  if (fact === null) return unknown('domains_not_counted');
  const { hosts, quota, silentSince } = fact;
  const ms = silentSince === null ? 0 : now - silentSince;
  if (ms > SILENT_MS) return bad('platform_silent', { ms }, silentSince);
  const own = { used: hosts, allocated: max };
  const share = Math.max(shareOf(own), quota === null ? 0 : shareOf(quota));
  const values = { domains: own, hostnames: quota, share };
  if (share >= 1) return bad('domains_full', values);
  return share >= USED_WARN ? warn('domains', values) : ok('domains', values);
}

/** A quota of 0 is not used up. */
const shareOf = ({ used, allocated }: Quota): number => (allocated === 0 ? 0 : used / allocated);
