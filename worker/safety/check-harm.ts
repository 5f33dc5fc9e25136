import type { Db } from '#worker/db/client.ts';
import { findBlocked, type BlockedReason } from './find-blocked.ts';
import { nextCheckAt, type Reputation, type Verdict } from './reputation.ts';
import type { Target } from './target.ts';

/** `recheckAt` is when to check the link's host again, in ms since 1970; null for never. */
export type HarmCheck =
  | { ok: true; recheckAt: number | null }
  | { ok: false; reason: BlockedReason | 'known_harmful' | 'not_checked'; href: string };

/**
 * Checks the destinations of a link against the blocklist, the domains for short links and, if one
 * is configured, the reputation service. If the service does not answer, links of visitors are
 * rejected; links of members are created and checked again soon.
 */
export async function checkHarm(
  db: Db,
  targets: readonly Target[],
  reputation: Reputation | null,
  isMember: boolean,
  now: number,
): Promise<HarmCheck> {
  const [blocked] = await findBlocked(db, targets);
  if (blocked !== undefined) return { ok: false, href: blocked[0], reason: blocked[1] };
  if (reputation === null) return { ok: true, recheckAt: null };
  const hosts = [...new Set(targets.map(({ host }) => host))];
  const verdicts = await Promise.all(hosts.map((host) => reputation(host)));
  const hrefWith = (verdict: Verdict) =>
    targets.find(({ host }) => verdicts[hosts.indexOf(host)] === verdict)?.href;
  const bad = hrefWith('bad');
  if (bad !== undefined) return { ok: false, reason: 'known_harmful', href: bad };
  const unknown = hrefWith('unknown');
  if (unknown !== undefined && !isMember)
    return { ok: false, reason: 'not_checked', href: unknown };
  return { ok: true, recheckAt: nextCheckAt(unknown === undefined ? 'good' : 'unknown', now, now) };
}
