import type { Db } from '#worker/db/client.ts';
import { findBlocked } from './blocklist.ts';
import { askAgainAt, type Reputation } from './reputation.ts';

/** What people read where the blocklist refuses a target. */
export const HARMFUL = 'This link is on our list of harmful addresses.';

/** `recheckAt`: when the link's host is to be asked about again (ms), for `links.recheck_at`; null = never. */
export type HarmCheck =
  | { ok: true; recheckAt: number | null }
  | { ok: false; reason: 'harmful' | 'cannot_tell'; message: string };

/**
 * Whether a link may lead to `url`: not if the blocklist or (where one is set up) the outside reputation is against it.
 * Where nobody can say, visitors are refused and members are not, but their link is asked about again soon.
 */
export async function checkHarm(
  db: Db,
  url: URL,
  reputation: Reputation | null,
  isMember: boolean,
  now: number,
): Promise<HarmCheck> {
  if ((await findBlocked(db, url)) !== null) return { ok: false, reason: 'harmful', message: HARMFUL };
  if (reputation === null) return { ok: true, recheckAt: null };
  const verdict = await reputation(url.hostname.replace(/\.$/, ''));
  if (verdict === 'bad')
    return { ok: false, reason: 'harmful', message: 'This link leads to a site that is known for harmful pages.' };
  if (verdict === 'unknown' && !isMember)
    return {
      ok: false,
      reason: 'cannot_tell',
      message: 'We cannot check where this link leads just now. Please try again in a moment, or sign in.',
    };
  return { ok: true, recheckAt: askAgainAt(verdict, now, now) };
}
