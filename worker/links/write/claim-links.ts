import { timingSafeEqual } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { KEEP_LINK_CLAIMS_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { jsonList, jsonRows, runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { isActive } from '#worker/db/link-status.ts';
import { hasKey, link_claims, links } from '#worker/db/schema-links.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { readAllowance } from './link-allowance.ts';
import { addToOutbox } from '#worker/edge/outbox.ts';

/** A link that was created without an account, with the token that its creator got. */
export type LinkClaim = { code: string; token: string };
export type ClaimOutcome = 'claimed' | 'not_claimable' | 'quota_reached';

/**
 * Takes the place of a hash for a link that is unknown or has no claim, so that checking a token
 * always takes the same time.
 */
const NO_HASH = '0'.repeat(64);

/**
 * Returns the statement that stores the claim hashes of new links, if `when` is true in SQL. It
 * belongs at the end of the batch that inserts the links.
 */
export function insertClaims(
  newLinks: readonly { code: string; claimHash?: string | null }[],
  now: number,
  when: SQL,
): Statement[] {
  const claims = newLinks.flatMap(({ code, claimHash }) =>
    claimHash ? [{ code, claimHash }] : [],
  );
  if (claims.length === 0) return [];
  return [
    sql`insert into ${link_claims} (link_id, token_hash, expires_at)
      select link.id, item.claimHash, ${now + KEEP_LINK_CLAIMS_DAYS * DAY_MS}
      from ${jsonRows(['code', 'claimHash'], claims)} as item
      cross join ${links} as link on ${hasKey(sql`item.code`, 'link')}
      where ${when}`,
  ];
}

/**
 * Moves links that were created without an account into a member's account, in one atomic batch.
 * Each link counts against the quota like a new one (docs/decisions.md#d6); once the quota is used
 * up, the remaining links stay claimable. A claim works once. `outcomes` is in the order of
 * `claims`; the caller publishes `ids`, the links that changed.
 */
export async function claimLinks(
  db: Db,
  userId: string,
  claims: readonly LinkClaim[],
  now: number,
): Promise<{ outcomes: ClaimOutcome[]; ids: number[] }> {
  const claimRows = await readClaims(db, claims);
  const isOwn = ({ code }: LinkClaim) => claimRows.get(code)?.user_id === userId;
  const proven = claims.filter(
    (claim) => hasToken(claim, claimRows.get(claim.code)) && !isOwn(claim),
  );
  const codes = [...new Set(proven.map(({ code }) => code))];
  const ids = codes.flatMap((code) => claimRows.get(code)?.id ?? []);
  const states =
    ids.length === 0 ? new Map<number, State>() : await moveLinks(db, userId, ids, now);
  const outcomeOf = (claim: LinkClaim): ClaimOutcome => {
    if (isOwn(claim)) return 'claimed';
    const state = proven.includes(claim)
      ? states.get(claimRows.get(claim.code)?.id ?? 0)
      : undefined;
    if (state?.is_own === 1) return 'claimed';
    return state?.is_claimable === 1 ? 'quota_reached' : 'not_claimable';
  };
  return { outcomes: claims.map(outcomeOf), ids: ids.filter((id) => states.get(id)?.is_own === 1) };
}

type ClaimRow = { id: number; code: string; user_id: string | null; token_hash: string | null };
type State = { id: number; is_own: number; is_claimable: number };

async function readClaims(db: Db, claims: readonly LinkClaim[]): Promise<Map<string, ClaimRow>> {
  const rows = await db.all<ClaimRow>(
    sql`select link.id, link.code, link.user_id, claim.token_hash
      from ${jsonList(claims.map(({ code }) => code))} as item
      cross join ${links} as link on ${hasKey(sql`item.value`, 'link')}
      left join ${link_claims} as claim on claim.link_id = link.id`,
  );
  return new Map(rows.map((row) => [row.code, row]));
}

function hasToken({ token }: LinkClaim, row: ClaimRow | undefined): boolean {
  return timingSafeEqual(Buffer.from(hashToken(token)), Buffer.from(row?.token_hash ?? NO_HASH));
}

/**
 * Sets the owner of each link while the quota lasts. Returns the state of every link afterwards.
 */
async function moveLinks(
  db: Db,
  userId: string,
  ids: readonly number[],
  now: number,
): Promise<Map<number, State>> {
  const take = await readAllowance(db, { userId }, now);
  const moves: Statement[] = [];
  for (const id of ids) {
    const { statements, isCharged } = take(1, isClaimable(sql`${id}`, now));
    const isMoved = sql`${links.id} = ${id} and ${isCharged}`;
    moves.push(
      ...statements,
      sql`update ${links} set user_id = ${userId}, version = version + 1, updated_at = ${now}
        where ${isMoved}`,
      addToOutbox(db, isMoved, now),
      sql`delete from ${link_claims} where link_id = ${id} and ${isCharged}`,
      ...recordLinkEvents('link.created', isMoved, now),
    );
  }
  const { states } = await runNamedBatch(db, {
    moves,
    states: sql<State>`select id, user_id is ${userId} as is_own, ${isClaimable(sql`${links.id}`, now)} as is_claimable
      from ${links} where id in ${jsonList(ids)}`,
  });
  return new Map(states.rows.map((state) => [state.id, state]));
}

/**
 * True in SQL while the link has no owner, is active and has a claim that has not expired. The
 * claim's token never changes, so it is not compared again. A link on hold is disabled and
 * therefore not claimable.
 */
const isClaimable = (id: SQL, now: number): SQL =>
  sql`exists (select 1 from ${links} as own join ${link_claims} as claim on claim.link_id = own.id
    where own.id = ${id} and own.user_id is null and ${isActive('own')} and claim.expires_at > ${now})`;
