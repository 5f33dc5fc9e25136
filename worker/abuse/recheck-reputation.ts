import { sql } from 'drizzle-orm';
import { placeHold } from './holds.ts';
import type { Fetcher } from './fetcher.ts';
import { askAgainAt, reputationAt, type Verdict } from './reputation.ts';
import { openDb } from '#worker/db/client.ts';
import { links } from '#worker/db/schema.ts';
import { publishLinks } from '#worker/links/publish.ts';

/** What the 410 page says. */
const REASON = 'The site it leads to is known for harmful pages.';
/** Asked about in one run, six at a time: with the time limit of each this stays well under a minute. */
const HOSTS_PER_RUN = 60;
const AT_ONCE = 6;

type Due = { id: number; host: string; created_at: number };

/** Asks again about the hosts of links that are due, and disables the links whose host has turned bad. Off without REPUTATION_DOH_URL. */
export async function recheckReputation(
  env: Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH' | 'REPUTATION_DOH_URL'>,
  now: number,
  fetcher: Fetcher = fetch,
): Promise<string> {
  const check = reputationAt(env.REPUTATION_DOH_URL, fetcher);
  if (check === null) return 'off';
  const db = openDb(env.DB);
  const due = await db.all<Due>(
    sql`select id, target_host as host, created_at from ${links} where recheck_at <= ${now} and status = 'active'
      order by recheck_at limit 500`,
  );
  const hosts = [...new Set(due.map((link) => link.host))].slice(0, HOSTS_PER_RUN);
  const verdicts = new Map<string, Verdict>();
  for (let at = 0; at < hosts.length; at += AT_ONCE) {
    const group = hosts.slice(at, at + AT_ONCE);
    const answers = await Promise.all(group.map((host) => check(host)));
    for (const [index, host] of group.entries()) verdicts.set(host, answers[index] ?? 'unknown');
  }
  const next: [number, number | null][] = [];
  const bad: number[] = [];
  for (const { id, host, created_at } of due) {
    const verdict = verdicts.get(host);
    if (verdict === 'bad') bad.push(id);
    if (verdict !== undefined) next.push([id, verdict === 'bad' ? null : askAgainAt(verdict, created_at, now)]);
  }
  const among = sql`id in (select value from json_each(${JSON.stringify(bad)}))`;
  const changed = bad.length === 0 ? [] : await placeHold(db, { kind: 'reputation', value: '', reason: REASON }, among, now);
  await db.run(sql`update ${links} set recheck_at = due.value ->> 1 from json_each(${JSON.stringify(next)}) as due
    where ${links}.id = due.value ->> 0`);
  await publishLinks(env, changed, now);
  return `${hosts.length} hosts asked, ${changed.length} links disabled`;
}
