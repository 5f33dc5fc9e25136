import type { LinkRefusal } from '#worker/messages/links.ts';
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ImportFormat } from '#contract/files/import-formats.ts';
import { linkKey, splitKey } from '#contract/codes/domain-key.ts';
import { IMPORTED_CODE_MAX } from '#contract/limits.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { findBlocked } from '#worker/safety/find-blocked.ts';
import type { Db } from '#worker/db/client.ts';
import { jsonRows } from '#worker/db/batch.ts';
import { link_imports } from '#worker/db/schema-link-imports.ts';
import { hasKey, links } from '#worker/db/schema-links.ts';
import { ALIAS_HELD, checkImportedCode } from '#worker/edge/codes.ts';
import { findFormerLinks, type FormerLink } from '#worker/edge/former-link.ts';
import { destinationsOf, refuseDestination } from '#worker/links/settings/destinations.ts';
import type { LinkDraft } from '#worker/links/write/link-draft.ts';
import { findTaken } from '#worker/links/write/insert-links.ts';

/**
 * A row of an imported file after the link policy was applied. `code` is the key that it would
 * have: the code in the file, on the domain of `draft`, which has no code.
 */
export type ImportDraft = {
  line: number;
  code: LinkKey | null;
  sourceId: string | null;
  /** The position of this row among the file's rows with the same target. */
  nth: number;
  /** Other codes that lead to the link. */
  earlierCodes: readonly LinkKey[];
} & ({ ok: true; draft: LinkDraft } | LinkRefusal);

/** A row that can become a link. `key` is the result of `keyOf`. */
export type ValidRow = {
  line: number;
  key: string;
  idKey: string | null;
  draft: LinkDraft;
  /** The earlier codes that the link can have, and those that it cannot. */
  earlierCodes: readonly string[];
  lostCodes: readonly string[];
};

/** The import that created a link, and the line in its file; null for other links. */
type Origin = { importId: string; line: number } | null;

export type Classification =
  /** `former` is the member's deleted link whose code this row takes over. */
  | { verdict: 'new'; row: ValidRow; code: string | null; former: FormerLink | null }
  | { verdict: 'exists'; code: string; origin: Origin }
  /** The row repeats the one in line `first`. */
  | { verdict: 'repeats'; first: number }
  | { verdict: 'taken'; row: ValidRow; code: string; suffixed: string | null; error: LinkRefusal }
  | { verdict: 'rejected'; error: LinkRefusal };

const CODE_TAKEN = { ok: false, reason: 'import_code_taken' } as const;
/** A taken code is tried with the suffixes -2 up to this one. */
const LAST_SUFFIX = 9;

/** A valid row with its code in the file. */
type Candidate = ValidRow & { code: string | null };
/** A row that cannot have its code. */
type Collision = { row: ValidRow; code: string; error: LinkRefusal };
/** `used` are the codes that the rows of this import use, in lower case. */
type KeptCodes = { collisions: readonly Collision[]; used: Set<string> };

/** Decides for each row, by its line, what an import can do with it. Writes nothing. */
export async function classifyRows(
  db: Db,
  userId: string,
  drafts: readonly ImportDraft[],
  format: string,
): Promise<Map<number, Classification>> {
  const classified = new Map<number, Classification>();
  const candidates = await rejectInvalid(db, drafts, format, classified);
  const existing = await findExisting(db, userId, candidates);
  const unknown = candidates.filter((row) => {
    const found = existing.get(row.line);
    if (found !== undefined) classified.set(row.line, { verdict: 'exists', ...found });
    return found === undefined;
  });
  const named = await keepEarlierCodes(db, userId, unknown);
  const kept = await keepCodes(db, userId, named, classified);
  for (const code of named.flatMap(({ earlierCodes }) => earlierCodes))
    kept.used.add(code.toLowerCase());
  await addSuffixes(db, userId, kept, classified);
  return classified;
}

/** Classifies invalid and repeated rows. Returns the others. */
async function rejectInvalid(
  db: Db,
  drafts: readonly ImportDraft[],
  format: string,
  classified: Map<number, Classification>,
): Promise<Candidate[]> {
  const targetsOf = ({ target, ...draft }: LinkDraft) => [target, ...destinationsOf(draft)];
  const targets = drafts.flatMap((row) => (row.ok ? targetsOf(row.draft) : []));
  const blocked = await findBlocked(db, targets);
  const firstLines = new Map<string, number>();
  return drafts.flatMap((row) => {
    const { line, code } = row;
    if (!row.ok) {
      classified.set(line, { verdict: 'rejected', error: row });
      return [];
    }
    for (const { href } of targetsOf(row.draft)) {
      const reason = blocked.get(href);
      if (reason === undefined) continue;
      classified.set(line, {
        verdict: 'rejected',
        error: refuseDestination(href, row.draft, reason),
      });
      return [];
    }
    const key = keyOf(format, row, row.draft.target.href);
    const first = firstLines.get(key);
    if (first !== undefined) {
      classified.set(line, { verdict: 'repeats', first });
      return [];
    }
    firstLines.set(key, line);
    const { draft, earlierCodes } = row;
    const idKey = idKeyOf(format, row);
    return [{ line, key, idKey, draft, code, earlierCodes, lostCodes: [] }];
  });
}

/**
 * Returns the rows with the earlier codes that they can have. The code of a row takes precedence.
 */
async function keepEarlierCodes(
  db: Db,
  userId: string,
  rows: readonly Candidate[],
): Promise<Candidate[]> {
  const codes = rows.flatMap(({ earlierCodes }) => earlierCodes);
  const valid = new Set(codes.filter((code) => checkImportedCode(code).ok));
  const isTaken = await takenAmong(db, userId, [...valid]);
  const lines = new Map(rows.map(({ line, code }) => [code?.toLowerCase(), line]));
  return rows.map((row) => {
    const isKept = (code: string, at: number): boolean => {
      const owner = lines.get(code.toLowerCase());
      if (!valid.has(code) || isTaken(code) || (owner !== undefined && owner !== row.line))
        return false;
      lines.set(code.toLowerCase(), row.line);
      return code !== row.code && row.earlierCodes.indexOf(code) === at;
    };
    const kept = row.earlierCodes.filter(isKept);
    const lostCodes = row.earlierCodes.filter((code) => code !== row.code && !kept.includes(code));
    return { ...row, earlierCodes: kept, lostCodes };
  });
}

/**
 * Classifies rows that can have their codes or that have none. Returns the others, and the codes
 * that are used now.
 */
async function keepCodes(
  db: Db,
  userId: string,
  rows: readonly Candidate[],
  classified: Map<number, Classification>,
): Promise<KeptCodes> {
  const codes = rows.flatMap(({ code }) => code ?? []);
  const aliases = codes.filter((code) => checkImportedCode(code).ok);
  const isTaken = await takenAmong(db, userId, aliases);
  const formers = await findFormerLinks(db, userId, codes.filter(isTaken));
  const used = new Set<string>();
  const errorOf = (code: string): LinkRefusal | null => {
    const check = checkImportedCode(code);
    if (!check.ok) return check;
    const former = formers.get(code);
    if (former?.isHeld === true) return ALIAS_HELD;
    const isFree = former === undefined ? !isTaken(code) : !former.isShared;
    return isFree && !used.has(code.toLowerCase()) ? null : CODE_TAKEN;
  };
  const collisions: Collision[] = [];
  for (const { code, ...row } of rows) {
    const error = code === null ? null : errorOf(code);
    if (code !== null && error !== null) collisions.push({ row, code, error });
    else {
      if (code !== null) used.add(code.toLowerCase());
      const former = code === null ? undefined : formers.get(code);
      classified.set(row.line, { verdict: 'new', row, code, former: former?.link ?? null });
    }
  }
  return { collisions, used };
}

/** Classifies rows that cannot have their codes, and finds a free code with a suffix for each. */
async function addSuffixes(
  db: Db,
  userId: string,
  { collisions, used }: KeptCodes,
  classified: Map<number, Classification>,
): Promise<void> {
  const candidates = collisions.flatMap(({ code }) => suffixedCodes(code));
  const isTaken = await takenAmong(db, userId, candidates);
  const isFree = (code: string): boolean => !isTaken(code) && !used.has(code.toLowerCase());
  for (const { row, code, error } of collisions) {
    const suffixed = suffixedCodes(code).find(isFree) ?? null;
    if (suffixed !== null) used.add(suffixed.toLowerCase());
    classified.set(row.line, { verdict: 'taken', row, code, suffixed, error });
  }
}

/** Returns a function that tells whether any link uses one of these codes. */
async function takenAmong(
  db: Db,
  userId: string,
  codes: readonly string[],
): Promise<(code: string) => boolean> {
  if (codes.length === 0) return () => false;
  const { aliases } = await findTaken(db, userId, codes, []);
  return (code) => aliases.has(code);
}

/** Returns `spring-2` to `spring-9`, if they are valid codes. A long code is cut to make room. */
function suffixedCodes(key: LinkKey): LinkKey[] {
  const { domain, code } = splitKey(key);
  return Array.from({ length: LAST_SUFFIX - 1 }, (_, at) =>
    linkKey(domain, `${code.slice(0, IMPORTED_CODE_MAX - 2)}-${at + 2}`),
  ).filter((other) => checkImportedCode(other).ok);
}

/** The format of tables of unknown origin, where two tables may have the same ids. */
const ANY_ORIGIN: ImportFormat = 'csv';

/**
 * Returns what identifies a row among all files of its format: its id with its code, or with its
 * target if it has no code; its code and target; or its target and position among equal targets. In
 * a table of unknown origin, an id counts only with code and target. The host does not matter,
 * because it can become a domain here later.
 */
function keyOf(format: string, { sourceId, code: key, nth }: ImportDraft, target: string): string {
  const code = key === null ? null : splitKey(key).code;
  const place = format === ANY_ORIGIN ? [code, target] : [code ?? target];
  const parts =
    sourceId !== null
      ? [format, 'id', sourceId, ...place]
      : code !== null
        ? ['code', code, target]
        : ['target', target, nth];
  return hashOf(parts);
}

/** The key that release 1.0.0 gave to a row with an id. */
const idKeyOf = (format: string, { sourceId }: ImportDraft): string | null =>
  sourceId === null ? null : hashOf([format, 'id', sourceId]);

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

type Found = { line: number; code: string; import_id: string | null; imported_line: number | null };

/**
 * Returns the rows that are already links of the member, by line: rows that were imported before,
 * and rows whose target and code a link has (also as an earlier code).
 */
async function findExisting(
  db: Db,
  userId: string,
  rows: readonly Candidate[],
): Promise<Map<number, { code: string; origin: Origin }>> {
  const items = jsonRows(
    ['line', 'key', 'idKey', 'code', 'target'],
    rows.map(({ draft, ...row }) => ({ ...row, target: draft.target.href })),
  );
  const found = await db.all<Found>(
    sql`select item.line as line, link.code as code, import_id, imported.line as imported_line
      from ${items} as item
      cross join ${link_imports} as imported on imported.user_id = ${userId} and imported.row_key in (item.key, item.idKey)
      cross join ${links} as link on link.id = imported.link_id and link.user_id = ${userId} and link.status <> 'deleted'
      where imported.row_key = item.key or link.code = item.code or link.target = item.target
      union all select item.line, link.code, null, null from ${items} as item
      cross join ${links} as named on ${hasKey(sql`item.code`, 'named')}
      cross join ${links} as link on link.id = coalesce(named.earlier_code_of, named.id)
      where link.user_id = ${userId} and link.target = item.target and link.status <> 'deleted'`,
  );
  // Imported rows come first, because only they have an origin.
  const existing = new Map<number, { code: string; origin: Origin }>();
  for (const { line, code, import_id, imported_line } of found)
    if (!existing.has(line))
      existing.set(line, {
        code,
        origin:
          import_id === null || imported_line === null
            ? null
            : { importId: import_id, line: imported_line },
      });
  return existing;
}
