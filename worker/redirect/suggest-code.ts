import type { LinkKey } from '#contract/codes/link-key.ts';
import { similarCodeSql } from '#contract/codes/similar-codes.ts';
import { batchLookups } from './batch-lookups.ts';
import { createLru } from './lru.ts';
import type { WaitUntil } from './shared-timeout.ts';
import { withTimeout } from './with-timeout.ts';

/** Few, because a suggestion is a courtesy: a flood of unknown codes must not pay for it. */
const LIMITS = { everyMs: 250, codes: 50, suspectCodes: 0 };
const TIMEOUT_MS = 1_000;
/** The longest time for which an unknown code is remembered (link-memory.ts). */
const REMEMBER_MS = 5_000;

const lookUp = batchLookups(LIMITS, querySimilarCodes);
const remembered = createLru<{ code: LinkKey | null; expiresAt: number }>(500);

/**
 * Returns the code that a visitor may have meant by an unknown one: the only code that differs from
 * it just by case or look-alike letters, if its link is live and the owner allows suggestions. Null
 * if there is none, if D1 is slow, or if too many codes are being looked up. `now` is ms since 1970.
 */
export async function suggestCode(
  db: D1Database,
  unknown: LinkKey,
  now: number,
  waitUntil: WaitUntil,
): Promise<LinkKey | null> {
  const known = remembered.get(unknown);
  if (known !== undefined && known.expiresAt > now) return known.code;
  try {
    const found = await withTimeout(TIMEOUT_MS, lookUp(db, unknown, false, now, waitUntil));
    if (found === 'full') return null;
    const code = found !== null && isOpen(found, now) ? found.code : null;
    remembered.set(unknown, { code, expiresAt: now + REMEMBER_MS });
    return code;
  } catch {
    return null;
  }
}

const isOpen = ({ startsAt, expiresAt }: Row, now: number): boolean =>
  startsAt <= now && (expiresAt ?? Infinity) > now;

type Row = { unknown: LinkKey; code: LinkKey; startsAt: number; expiresAt: number | null };

const isSimilar = `${similarCodeSql('links.code')} = ${similarCodeSql('asked.value')}
  AND links.released_at IS NULL`;

/**
 * Reads at most two entries of the index for each code, and the row of a link if there is only one.
 * A second similar code ends the search whatever its state, so that nobody can place a link beside
 * another one and be suggested in its place.
 */
async function querySimilarCodes(
  db: D1Database,
  codes: readonly string[],
): Promise<Map<string, Row>> {
  const { results } = await db
    .prepare(
      `SELECT asked.value AS unknown, link.code,
        coalesce(link.starts_at, 0) AS startsAt, link.expires_at AS expiresAt
      FROM json_each(?1) AS asked CROSS JOIN links AS link ON link.id = (
        SELECT iif(count(*) = 1, max(id), NULL) FROM (
          SELECT links.id FROM links INDEXED BY links_by_similar_code WHERE ${isSimilar} LIMIT 2))
      WHERE link.suggest_on_typo = 1 AND link.status IN ('active', 'conditional', 'guarded') AND link.user_id IS NOT NULL`,
    )
    .bind(JSON.stringify(codes))
    .all<Row>();
  return new Map(results.map((row) => [row.unknown, row]));
}
