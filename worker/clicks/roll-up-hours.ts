import { DAY_MS } from '#contract/time.ts';
import * as z from 'zod/mini';
import { startOfDay, oldestHourKept } from './periods.ts';
import { sweepLinks } from './sweep-links.ts';

/** The hours of these links (?1, ?2] that are over by ?3: found link by link through the key, not by reading every row. */
const OLD_HOURS = `FROM link_totals t CROSS JOIN click_counts c ON c.link_id = t.link_id AND c.grain = 'h' AND c.at < ?3
WHERE t.link_id > ?1 AND t.link_id <= ?2`;

const ADD_DAYS = `INSERT INTO click_counts (link_id, grain, at, human, bot, prefetch, visitors)
SELECT c.link_id, 'd', c.at - c.at % ${DAY_MS} AS day, sum(c.human), sum(c.bot), sum(c.prefetch), sum(c.visitors)
${OLD_HOURS} GROUP BY c.link_id, day
ON CONFLICT DO UPDATE SET human = human + excluded.human, bot = bot + excluded.bot,
  prefetch = prefetch + excluded.prefetch, visitors = visitors + excluded.visitors`;

const DELETE_HOURS = `DELETE FROM click_counts WHERE (link_id, grain, at) IN (SELECT c.link_id, c.grain, c.at ${OLD_HOURS})`;

/**
 * Hours older than `KEEP_HOURS_DAYS` become days, once a day. Adding and deleting are one transaction over the same rows, so
 * a click that comes late for an old hour is either in it or is folded by the next run.
 */
export async function rollUpHours(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  const sweep = { name: 'fold-hours', over: 'link_totals', period: startOfDay(now), start: 0, carry: z.number() } as const;
  const { worked, finished, carry } = await sweepLinks(env.DB, sweep, async ({ after, upTo }, folded) => {
    const [, deleted] = await env.DB.batch(
      [ADD_DAYS, DELETE_HOURS].map((sql) => env.DB.prepare(sql).bind(after, upTo, oldestHourKept(now))),
    );
    return folded + (deleted?.meta.changes ?? 0);
  });
  return worked ? `${carry} hours folded${finished ? '' : ', more to do'}` : 'nothing due';
}
