import { sql } from 'drizzle-orm';
import type { DestinationFigures } from '#contract/reports/analytics.ts';
import { measureShare } from '#contract/reports/compare-shares.ts';
import { add, type ClickCounts, type Tally } from '#worker/clicks/fold/counts.ts';
import type { Db } from '#worker/db/client.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { fromStoredVariants } from '#worker/links/settings/stored-rules.ts';
import { destinationId, toShares } from '#worker/redirect/shares.ts';

type Divided = { id: number; target: string; variants: string };
type Row = { url: string | null; weight: number | null; ids: readonly string[] };

/**
 * Clicks and visitors of the destinations between which a link divides or has divided its visitors:
 * the present ones in the order of the list, its own first, then earlier ones by clicks. Empty for a link that
 * never divided them in the period. Reads the link's history only if the counts contain a
 * destination that it does not have now.
 */
export async function countDestinations(
  db: Db,
  link: Divided,
  periods: readonly Pick<ClickCounts, 'destination' | 'destinationSeen'>[],
): Promise<DestinationFigures[]> {
  const [clicks, visitors] = [sumOf(periods, 'destination'), sumOf(periods, 'destinationSeen')];
  const own = { i: destinationId(link.target), p: 100, u: link.target };
  const present = toShares(link.target, link.variants) ?? (clicks.size === 0 ? [] : [own]);
  const rows: Row[] = present.map(({ i, p, u }) => ({ url: u, weight: p, ids: [i] }));
  const earlier = [...clicks.keys()]
    .filter((id) => !present.some(({ i }) => i === id))
    .sort((a, b) => (clicks.get(b) ?? 0) - (clicks.get(a) ?? 0));
  const names = earlier.length === 0 ? new Map<string, string>() : await readPast(db, link.id);
  for (const id of earlier) {
    const url = names.get(id);
    if (url !== undefined) rows.push({ url, weight: null, ids: [id] });
  }
  const unnamed = earlier.filter((id) => !names.has(id));
  if (unnamed.length > 0) rows.push({ url: null, weight: null, ids: unnamed });
  const countOf = (tally: Tally, ids: readonly string[]): number =>
    ids.reduce((sum, id) => sum + (tally.get(id) ?? 0), 0);
  const total = present.reduce((sum, { i }) => sum + (visitors.get(i) ?? 0), 0);
  return rows.map(({ url, weight, ids }) => {
    const seen = countOf(visitors, ids);
    const share = weight === null ? null : measureShare(seen, total);
    return { url, weight, clicks: countOf(clicks, ids), visitors: seen, share };
  });
}

function sumOf(
  periods: readonly Pick<ClickCounts, 'destination' | 'destinationSeen'>[],
  part: 'destination' | 'destinationSeen',
): Tally {
  const sum: Tally = new Map();
  for (const counts of periods) for (const [id, n] of counts[part]) add(sum, id, n);
  return sum;
}

/** The destinations that the link had before, by id. */
async function readPast(db: Db, linkId: number): Promise<Map<string, string>> {
  const rows = await db.all<{ target: string; variants: string }>(
    sql`select distinct target, variants from ${link_changes} where link_id = ${linkId}`,
  );
  const names = new Map<string, string>();
  for (const { target, variants } of rows)
    for (const { url } of [{ url: target }, ...fromStoredVariants(variants)])
      names.set(destinationId(url), url);
  return names;
}
