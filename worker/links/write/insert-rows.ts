import type { Db } from '#worker/db/client.ts';
import type { InsertGuard } from '#worker/http/idempotency.ts';
import type { TakeAllowance } from './link-allowance.ts';
import type { NewLink } from './new-link.ts';
import { usageFrom, type Usage } from './shorten.ts';
import { insertLinks } from './insert-links.ts';

/** How many times codes are chosen, because another request can take one in the meantime. */
const ATTEMPTS = 5;

type Steps<Row> = {
  /**
   * Chooses a link for each of these rows, and leaves out rows that cannot become one. `isAgain` is
   * true after a chosen code or external id turned out to be taken.
   */
  assignCodes: (
    rows: readonly Row[],
    isAgain: boolean,
  ) => Promise<readonly { row: Row; link: NewLink }[]>;
  /** Returns the rows that the allowance covers, after it was too small for all of these. */
  cut: (rows: readonly Row[]) => Promise<readonly Row[]>;
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
  { assignCodes, cut, take, now, guard }: Steps<Row>,
): Promise<{
  links: readonly NewLink[];
  ids: ReadonlyMap<string, number>;
  usage: Usage;
  left: readonly Row[];
}> {
  let left = rows;
  let isAgain = false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const chosen = await assignCodes(left, isAgain);
    left = chosen.map(({ row }) => row);
    if (left.length === 0) break;
    const links = chosen.map(({ link }) => link);
    const result = await insertLinks(db, links, take, now, guard(links));
    if (result.ok) return { links, ids: result.ids, usage: usageFrom(result), left: [] };
    isAgain = result.reason === 'code_taken';
    if (!isAgain) left = await cut(left);
  }
  return { links: [], ids: new Map(), usage: null, left };
}
