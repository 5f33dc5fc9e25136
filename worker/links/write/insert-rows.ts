import type { Db } from '#worker/db/client.ts';
import type { InsertGuard } from '#worker/http/idempotency.ts';
import type { TakeAllowance } from './link-allowance.ts';
import type { NewLink } from './new-link.ts';
import { usageFrom, type Usage } from './shorten.ts';
import { insertLinks } from './insert-links.ts';

/** How often an insert starts over because another request took a code or used the allowance. */
const ATTEMPTS = 5;

type Steps<Row> = {
  /**
   * Returns a link with a code for each of these rows, without rows that cannot become one.
   * `isRetry` is true if a code or external id of the previous attempt was taken.
   */
  assignCodes: (
    rows: readonly Row[],
    isRetry: boolean,
  ) => Promise<readonly { row: Row; link: NewLink }[]>;
  /** Returns those of the rows that the allowance covers, because it does not cover all. */
  keepCovered: (rows: readonly Row[]) => Promise<readonly Row[]>;
  take: TakeAllowance;
  now: number;
  /** The idempotent request or the import that creates these links. */
  guard: (links: readonly NewLink[]) => InsertGuard | null;
};

/**
 * Inserts rows as links, in one atomic batch that also charges the allowance. `left` are the rows
 * for which no free code was found.
 */
export async function insertRows<Row>(
  db: Db,
  rows: readonly Row[],
  { assignCodes, keepCovered, take, now, guard }: Steps<Row>,
): Promise<{
  links: readonly NewLink[];
  ids: ReadonlyMap<string, number>;
  usage: Usage;
  left: readonly Row[];
}> {
  let left = rows;
  let isRetry = false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const chosen = await assignCodes(left, isRetry);
    left = chosen.map(({ row }) => row);
    if (left.length === 0) break;
    const links = chosen.map(({ link }) => link);
    const result = await insertLinks(db, links, { take, now, guard: guard(links) });
    if (result.ok) return { links, ids: result.ids, usage: usageFrom(result), left: [] };
    isRetry = result.reason === 'code_taken';
    if (!isRetry) left = await keepCovered(left);
  }
  return { links: [], ids: new Map(), usage: null, left };
}
