import type { Db } from '#worker/db/client.ts';
import { findBlocked } from './find-blocked.ts';
import { nextCheckAt, type Reputation } from './reputation.ts';
import type { Target } from './target.ts';

/** `recheckAt` is when to check the link's host again, in ms since 1970; null for never. */
export type HarmCheck =
  | { ok: true; recheckAt: number | null }
  | { ok: false; reason: 'on_blocklist' | 'known_harmful' | 'not_checked' };

/**
 * Checks a target against the blocklist and, if one is configured, the reputation service. If the
 * service does not answer, links of visitors are rejected; links of members are created and checked
 * again soon.
 */
export async function checkHarm(
  db: Db,
  target: Target,
  reputation: Reputation | null,
  isMember: boolean,
  now: number,
): Promise<HarmCheck> {
  if ((await findBlocked(db, [target])).size > 0) return { ok: false, reason: 'on_blocklist' };
  if (reputation === null) return { ok: true, recheckAt: null };
  const verdict = await reputation(target.host);
  if (verdict === 'bad') return { ok: false, reason: 'known_harmful' };
  if (verdict === 'unknown' && !isMember) return { ok: false, reason: 'not_checked' };
  return { ok: true, recheckAt: nextCheckAt(verdict, now, now) };
}
