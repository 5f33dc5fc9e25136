import { PAGE_SIZE } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { listOwnLinks, readTotals, type OwnLink, type Totals } from './store.ts';

export type LinkPage = { links: OwnLink[]; nextCursor: string | null; totals: Totals };

/** One page of a member's links, newest first, and the totals over all of them. `cursor` is '' for the first page. */
export async function listLinks(db: Db, userId: string, query: { q: string; cursor: string }, now: number): Promise<LinkPage> {
  const before = query.cursor === '' ? null : Number(query.cursor);
  const [rows, totals] = await Promise.all([
    listOwnLinks(db, userId, query.q, before, PAGE_SIZE + 1),
    readTotals(db, userId, now),
  ]);
  const links = rows.slice(0, PAGE_SIZE);
  const last = links.at(-1);
  return { links, nextCursor: rows.length > PAGE_SIZE && last !== undefined ? String(last.id) : null, totals };
}
