import { DAY_MS } from '#contract/time.ts';
import * as z from 'zod/mini';
import { KEEP_RECENT_CLICKS_DAYS } from '#contract/limits.ts';
import { startOfDay } from './periods.ts';
import { sweepLinks } from './sweep-links.ts';

/** The oldest click stands last: most links are left alone after a look at it. */
const PRUNE = `UPDATE link_totals SET recent = (
  SELECT json_group_array(json(value) ORDER BY value->>0 DESC, value) FROM json_each(link_totals.recent) WHERE value->>0 >= ?3)
WHERE link_id > ?1 AND link_id <= ?2 AND recent <> '[]' AND json_extract(recent, '$[#-1][0]') < ?3`;

/** Single clicks older than `KEEP_RECENT_CLICKS_DAYS` are forgotten, once a day; reports have not shown them any more. */
export async function pruneRecentClicks(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  const before = startOfDay(now) - KEEP_RECENT_CLICKS_DAYS * DAY_MS;
  const sweep = { name: 'prune-recent', over: 'link_totals', period: startOfDay(now), start: 0, carry: z.number() } as const;
  const { worked, finished, carry } = await sweepLinks(env.DB, sweep, async ({ after, upTo }, pruned) => {
    const { meta } = await env.DB.prepare(PRUNE).bind(after, upTo, before).run();
    return pruned + meta.changes;
  });
  return worked ? `${carry} links pruned${finished ? '' : ', more to do'}` : 'nothing due';
}
