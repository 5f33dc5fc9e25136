import { findBlockedAmong } from '#worker/abuse/find-blocked.ts';
import { HARMFUL } from '#worker/abuse/check-harm.ts';
import type { Db } from '#worker/db/client.ts';
import { takeFromQuota } from '#worker/plans/quota.ts';
import { readSubscription } from '#worker/plans/subscription.ts';
import { newCode, type RandomBytes } from './codes.ts';
import { checkDestination, type LinkPolicy } from './destination.ts';
import { usageOf, type Shortened } from './shorten.ts';
import { insertLinks, type NewLink } from './store.ts';

/** One line of the list: `longUrl` as it was typed. */
export type Line = { ok: true; longUrl: string; code: string } | { ok: false; longUrl: string; message: string };
export type ShortenedMany = { ok: true; lines: Line[]; ids: number[]; usage: Shortened['usage'] };
export type NotShortenedMany = { ok: false; reason: 'premium_only' | 'quota_reached' | 'no_free_code'; message: string };

const ATTEMPTS = 5;

/**
 * Bulk processing, a part of Premium: a short link for each target that the policy allows. The allowed ones are made in one
 * atomic batch with the quota, all or none, so that nobody has to find out which half of a list exists.
 */
export async function shortenMany(
  db: Db,
  longUrls: readonly string[],
  userId: string,
  policy: LinkPolicy,
  now: number,
  random: RandomBytes,
): Promise<ShortenedMany | NotShortenedMany> {
  const { plan_type: plan, monthly_limit: limit, current_usage: used } = await readSubscription(db, userId, now);
  if (plan !== 'premium') return { ok: false, reason: 'premium_only', message: 'Bulk processing is a part of Premium.' };

  const checked = longUrls.map((longUrl) => ({ longUrl, result: checkDestination(longUrl, policy) }));
  const hrefs = checked.flatMap(({ result }) => (result.ok ? [result.href] : []));
  if (hrefs.length === 0) return { ok: true, lines: checked.map((line) => lineOf(line, null)), ids: [], usage: null };
  const blocked = await findBlockedAmong(
    db,
    hrefs.map((href) => new URL(href)),
  );
  // Asking an outside list about a hundred hosts would take too long: cron asks about each in the next minutes.
  const common = { isAlias: false, userId, expiresAt: null, recheckAt: policy.reputation ? now : null };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const lines = checked.map((line) => lineOf(line, blocked.has(hrefOf(line)) ? null : newCode(random)));
    const made = lines.flatMap((line, i): NewLink[] => {
      const result = checked[i]?.result;
      if (!line.ok || result?.ok !== true) return [];
      return [{ ...common, code: line.code, target: result.href, targetHost: result.host }];
    });
    if (made.length === 0) return { ok: true, lines, ids: [], usage: null };
    const outcome = await insertLinks(db, await takeFromQuota(db, userId, made.length, now), made, now);
    if (outcome.ok) return { ok: true, lines, ids: [...outcome.ids.values()], usage: usageOf(outcome) };
    // No full stop: the page goes on with '. Upgrade to Premium for …' (spec §8).
    if (outcome.reason === 'refused') {
      const left = Math.max(0, limit - used);
      return {
        ok: false,
        reason: 'quota_reached',
        message: `This list needs ${made.length} links, and ${left} ${left === 1 ? 'is' : 'are'} left this month`,
      };
    }
  }
  return { ok: false, reason: 'no_free_code', message: 'No free codes were found just now. Please try again.' };
}

type Checked = { longUrl: string; result: ReturnType<typeof checkDestination> };

const hrefOf = ({ result }: Checked): string => (result.ok ? result.href : '');

/** `code` is null where the target may not be used although its form is right. */
function lineOf({ longUrl, result }: Checked, code: string | null): Line {
  if (!result.ok) return { ok: false, longUrl, message: result.message };
  return code === null ? { ok: false, longUrl, message: HARMFUL } : { ok: true, longUrl, code };
}
