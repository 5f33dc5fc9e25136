import { utcDay, ensureDailyKey, generateDailyKey, dailyKeyExpiry, dailyKeyName } from '#worker/redirect/daily-key.ts';

/**
 * Today's and tomorrow's visitor keys exist in D1 and KV before anybody needs them; those whose 48 hours are over are
 * destroyed in both (decision 20), and with them every way back from a visitor's mark to an address.
 */
export async function turnVisitorKeys(env: Pick<Env, 'DB' | 'LINKS'>, now: number): Promise<string> {
  const today = utcDay(now);
  for (const day of [today, today + 1]) await ensureDailyKey(env, day, generateDailyKey());
  const { results } = await env.DB.prepare('SELECT day FROM visitor_keys WHERE day <= ?1')
    .bind(lastDayToDestroy(now))
    .all<{ day: number }>();
  for (const { day } of results) {
    await env.LINKS.delete(dailyKeyName(day));
    await env.DB.prepare('DELETE FROM visitor_keys WHERE day = ?1').bind(day).run();
  }
  return `${results.length} destroyed`;
}

function lastDayToDestroy(now: number): number {
  let day = utcDay(now);
  while (dailyKeyExpiry(day) > now) day--;
  return day;
}
