import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { KEEP_RECENT_CLICKS_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { startOfDay } from './periods.ts';
import { sweepLinks } from './sweep-links.ts';

/** Removes recent clicks older than `KEEP_RECENT_CLICKS_DAYS`, once a day. Reports have already stopped showing them. */
export async function pruneRecentClicks(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  const db = openDb(env.DB);
  const oldest = startOfDay(now) - KEEP_RECENT_CLICKS_DAYS * DAY_MS;
  const sweep = { name: 'prune-recent', over: 'link_totals', period: startOfDay(now), start: 0, carry: z.number() } as const;
  const { worked, finished, carry } = await sweepLinks(db, sweep, async ({ after, upTo }, pruned) => {
    // The oldest click is the last in the array, so most links are skipped after one look.
    const { meta } = await db.run(sql`update ${link_totals} set recent = (
        select json_group_array(json(value) order by value ->> 0 desc, value) from json_each(link_totals.recent)
        where value ->> 0 >= ${oldest})
      where link_id > ${after} and link_id <= ${upTo} and recent <> '[]' and json_extract(recent, '$[#-1][0]') < ${oldest}`);
    return pruned + meta.changes;
  });
  return worked ? `${carry} links pruned${finished ? '' : ', more to do'}` : 'nothing due';
}
