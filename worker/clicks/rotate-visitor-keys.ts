import { dayOf, ensureVisitorKey, freshKey, visitorKeyEnd, visitorKeyName } from '#worker/redirect/visitor-key-store.ts';

/**
 * Today's and tomorrow's visitor keys exist in D1 and KV before anybody needs them; those whose 48 hours are over are
 * destroyed in both (decision 20), and with them every way back from a visitor's mark to an address.
 */
export async function rotateVisitorKeys(env: Pick<Env, 'DB' | 'LINKS'>, now: number): Promise<string> {
  const today = dayOf(now);
  for (const day of [today, today + 1]) await ensureVisitorKey(env, day, freshKey());
  const { results } = await env.DB.prepare('SELECT day FROM visitor_keys WHERE day <= ?1')
    .bind(lastDayToDestroy(now))
    .all<{ day: number }>();
  for (const { day } of results) {
    await env.LINKS.delete(visitorKeyName(day));
    await env.DB.prepare('DELETE FROM visitor_keys WHERE day = ?1').bind(day).run();
  }
  return `${results.length} destroyed`;
}

function lastDayToDestroy(now: number): number {
  let day = dayOf(now);
  while (visitorKeyEnd(day) > now) day--;
  return day;
}
