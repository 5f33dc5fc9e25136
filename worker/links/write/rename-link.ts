import { sql, type SQL } from 'drizzle-orm';
import { splitKey } from '#contract/codes/domain-key.ts';
import { EARLIER_CODES_MAX } from '#contract/limits.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { hasKey, links } from '#worker/db/schema-links.ts';
import {
  findRefusal,
  mayUseDomains,
  type DomainErrorReason,
} from '#worker/domains/usable-domain.ts';
import { isReservedOn } from '#worker/edge/codes.ts';
import { findFormerLinks, takeOverCodes, type FormerLink } from '#worker/edge/former-link.ts';
import type { OwnLink } from '#worker/links/read/own-link.ts';
import { isTaken } from '#worker/edge/taken-codes.ts';
import { moveReports } from '#worker/safety/follow-reports.ts';

/**
 * A change of a link's code. If several codes of a link differ only by case, a unique index lets
 * one of them be an alias (`is_alias`). The alias reserves all spellings of the code for its link.
 */
export type Rename = {
  /** The new key. It may be on another domain. */
  code: LinkKey;
  /** False if the code is one of the link's earlier codes. */
  isNew: boolean;
  /** `is_alias` of the new code. */
  isAlias: boolean;
  /** `is_alias` of the current code after it has become an earlier code. */
  keepsAlias: boolean;
  /** The owner's deleted link that releases the code; null if there is none. */
  former: FormerLink | null;
};

export type RenameErrorReason =
  | 'alias_taken'
  | 'alias_held'
  | 'reserved_alias'
  | 'too_many_codes'
  | DomainErrorReason;
/** `movesTo` is the new key of a link that would move to another domain, if the key is the reason. */
export type RenameRefusal = { ok: false; reason: RenameErrorReason; movesTo?: LinkKey };
export type RenameResult = { ok: true; rename: Rename } | RenameRefusal;

const TOO_MANY_CODES = { ok: false, reason: 'too_many_codes' } as const;

/**
 * Decides whether a link can get another code. The code may be one of its own earlier codes or that
 * of a deleted link of the same owner (docs/decisions.md#d39).
 */
export async function planRename(
  db: Db,
  userId: string,
  link: OwnLink,
  code: LinkKey,
): Promise<RenameResult> {
  const { domain, code: path } = splitKey(code);
  const moves = domain !== splitKey(link.code).domain;
  const refuse = (reason: RenameErrorReason): RenameRefusal => ({
    ok: false,
    reason,
    ...(moves && { movesTo: code }),
  });
  if (isReservedOn(domain, path)) return refuse('reserved_alias');
  if (moves) {
    const refusal = await findRefusal(db, userId, domain);
    if (refusal !== null) return refusal;
  }
  const own = await db.all<{ id: number; code: string; is_alias: number }>(
    sql`select id, code, is_alias from ${links} where id = ${link.id} or earlier_code_of = ${link.id}`,
  );
  const earlier = own.find((row) => row.code === code);
  if (earlier === undefined && own.length > EARLIER_CODES_MAX) return TOO_MANY_CODES;
  const former =
    earlier === undefined ? (await findFormerLinks(db, userId, [code])).get(code) : undefined;
  if (former?.isHeld === true) return refuse('alias_held');
  const rename = { code, isNew: earlier === undefined, former: former?.link ?? null };
  const [free] = await db.all(sql`select 1 where ${isFree(link, rename)}`);
  if (free === undefined) return refuse('alias_taken');
  const spelledAlike = own.filter(
    (row) => row !== earlier && row.code.toLowerCase() === code.toLowerCase() && row.is_alias === 1,
  );
  const current = own.find(({ id }) => id === link.id);
  // If another spelling of the new code has `is_alias`, only the current code passes it on to the
  // new code; an earlier code keeps it.
  const isAlias =
    earlier === undefined || earlier.is_alias === 1
      ? spelledAlike.every((row) => row === current)
      : false;
  const keepsAlias = current?.is_alias === 1 && !(isAlias && spelledAlike.includes(current));
  return { ok: true, rename: { ...rename, isAlias, keepsAlias } };
}

/**
 * True in SQL while no other link has the new code, ignoring case. The deleted link that releases
 * it does not count.
 */
function isFree(link: OwnLink, rename: Pick<Rename, 'code' | 'former'>): SQL {
  const isOther = (name: string): SQL => {
    const other = sql.raw(name);
    return sql`${other}.id <> ${link.id} and ${other}.earlier_code_of is not ${link.id} and ${other}.id is not ${rename.former?.id ?? null}`;
  };
  return sql`not ${isTaken(sql`${rename.code}`, isOther)}`;
}

/** The parts of the batch of a change that depend on a new code. */
export type CodeSteps = {
  /** True in SQL while the link can get the code, before `free`. */
  mayTake: SQL;
  free: (when: SQL) => Statement[];
  /** True in SQL while the link can get the code, after `free`. */
  isFree: SQL;
  /** Stores the old code as an earlier one, after the change. */
  keep: (when: SQL) => Statement[];
  /** For the end of the batch. */
  settled: Statement[];
};

const SAME_CODE: CodeSteps = {
  mayTake: sql`1`,
  free: () => [],
  isFree: sql`1`,
  keep: () => [],
  settled: [],
};

export function codeSteps(
  userId: string,
  link: OwnLink,
  rename: Rename | null,
  now: number,
): CodeSteps {
  if (rename === null) return SAME_CODE;
  const { domain } = splitKey(rename.code);
  // A link that stays on its domain may change even if its owner can create none there.
  const newDomains = domain === splitKey(link.code).domain ? [] : [domain];
  const isFreeCode = sql`${isFree(link, rename)} and ${mayUseDomains(newDomains, userId)}`;
  const formers = rename.former === null ? [] : [rename.former];
  const former = takeOverCodes(formers, now);
  return {
    mayTake: sql`${isFreeCode} and ${former.mayTake}`,
    free: (when) => {
      const isChanging = sql`exists (select 1 from ${links} where ${when})`;
      return rename.former === null
        ? [
            sql`delete from ${links} where earlier_code_of = ${link.id} and code = ${rename.code}
              and ${isChanging}`,
          ]
        : former.release(isChanging);
    },
    isFree: isFreeCode,
    keep: (when) => [keepCode(link, rename, now, when)],
    settled: [...former.settled, ...moveReports(formers)],
  };
}

/**
 * Returns the version of a link after a change. It is also above the version of a deleted link
 * whose code it takes, because redirects ignore a lower version.
 */
export const nextVersion = (link: OwnLink, rename: Rename | null): number =>
  Math.max(link.version, rename?.former?.version ?? 0) + 1;

const keepCode = (link: OwnLink, rename: Rename, now: number, when: SQL): Statement =>
  sql`insert into ${links} (code, is_alias, target, target_host, status, version, created_at, updated_at, earlier_code_of)
    select ${link.code}, ${Number(rename.keepsAlias)}, '', '', 'deleted', ${nextVersion(link, rename)}, ${now}, ${now}, ${link.id}
    where ${when} and not exists (select 1 from ${links} where ${hasKey(link.code)})`;
