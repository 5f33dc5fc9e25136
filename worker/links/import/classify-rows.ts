import type { LinkRefusal } from '#worker/messages/links.ts';
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ALIAS_MAX } from '#contract/limits.ts';
import { findBlocked } from '#worker/safety/find-blocked.ts';
import type { Db } from '#worker/db/client.ts';
import { jsonRows } from '#worker/db/batch.ts';
import { hasKey, link_imports, links } from '#worker/db/schema-links.ts';
import { ALIAS_HELD, checkAlias } from '#worker/edge/codes.ts';
import { findFormerLinks, type FormerLink } from '#worker/edge/former-link.ts';
import type { LinkDraft } from '#worker/links/write/link-draft.ts';
import { findTaken } from '#worker/links/write/insert-links.ts';

/**
 * A row of an imported file after the link policy was applied. `code` is the code in the file;
 * `draft` has none.
 */
export type ImportDraft = {
  line: number;
  code: string | null;
  sourceId: string | null;
  /** The position of this row among the file's rows with the same target. */
  nth: number;
} & ({ ok: true; draft: LinkDraft } | LinkRefusal);

/** A row that can become a link. `key` identifies it in its source. */
export type ValidRow = { line: number; key: string; draft: LinkDraft };

/** The import that created a link, and the line that it came from. */
type Origin = { importId: string; line: number } | null;

export type Classification =
  /** `former` is the member's deleted link with this code. */
  | { verdict: 'new'; row: ValidRow; code: string | null; former: FormerLink | null }
  | { verdict: 'exists'; code: string; origin: Origin }
  /** The row in line `first` is the same link. */
  | { verdict: 'repeats'; first: number }
  | { verdict: 'taken'; row: ValidRow; code: string; suffixed: string | null; error: LinkRefusal }
  | { verdict: 'rejected'; error: LinkRefusal };

const CODE_TAKEN = { ok: false, reason: 'import_code_taken' } as const;
const HARMFUL: LinkRefusal = {
  ok: false,
  reason: 'invalid_target',
  values: { target: 'on_blocklist' },
};
/** A taken code is tried with the suffixes -2 up to this one. */
const LAST_SUFFIX = 9;

/** Decides for each row, by its line, what an import can do with it. Writes nothing. */
export async function classifyRows(
  db: Db,
  userId: string,
  drafts: readonly ImportDraft[],
  source: string,
): Promise<Map<number, Classification>> {
  const classified = new Map<number, Classification>();
  const blocked = await findBlocked(
    db,
    drafts.flatMap((draft) => (draft.ok ? [draft.draft.target] : [])),
  );
  const firstLines = new Map<string, number>();
  const candidates: (ValidRow & { code: string | null })[] = [];
  for (const row of drafts) {
    const { line, code } = row;
    if (!row.ok) classified.set(line, { verdict: 'rejected', error: row });
    else if (blocked.has(row.draft.target.href))
      classified.set(line, { verdict: 'rejected', error: HARMFUL });
    else {
      const key = keyOf(source, row, row.draft.target.href);
      const first = firstLines.get(key);
      if (first !== undefined) classified.set(line, { verdict: 'repeats', first });
      else {
        firstLines.set(key, line);
        candidates.push({ line, key, draft: row.draft, code });
      }
    }
  }
  const existing = await findExisting(db, userId, candidates);
  const unknown = candidates.filter((row) => {
    const found = existing.get(row.line);
    if (found !== undefined) classified.set(row.line, { verdict: 'exists', ...found });
    return found === undefined;
  });
  await classifyCodes(db, userId, unknown, classified);
  return classified;
}

/**
 * Decides which of these rows can have their codes, and finds a free code with a suffix for the
 * others.
 */
async function classifyCodes(
  db: Db,
  userId: string,
  rows: readonly (ValidRow & { code: string | null })[],
  classified: Map<number, Classification>,
): Promise<void> {
  const isTaken = await takenAmong(
    db,
    userId,
    rows.flatMap(({ code }) => (code !== null && checkAlias(code).ok ? [code] : [])),
  );
  const formers = await findFormerLinks(
    db,
    userId,
    rows.flatMap(({ code }) => (code !== null && isTaken(code) ? [code] : [])),
  );
  const used = new Set<string>();
  const collisions: { row: ValidRow; code: string; error: LinkRefusal }[] = [];
  for (const { code, ...row } of rows) {
    const check = code === null ? null : checkAlias(code);
    const former = code === null ? undefined : formers.get(code);
    if (code === null || check === null)
      classified.set(row.line, { verdict: 'new', row, code: null, former: null });
    else if (!check.ok) collisions.push({ row, code, error: check });
    else if (former?.isHeld === true) collisions.push({ row, code, error: ALIAS_HELD });
    else if (
      used.has(code.toLowerCase()) ||
      (former === undefined ? isTaken(code) : former.isShared)
    )
      collisions.push({ row, code, error: CODE_TAKEN });
    else {
      used.add(code.toLowerCase());
      classified.set(row.line, { verdict: 'new', row, code, former: former?.link ?? null });
    }
  }
  const isSuffixedTaken = await takenAmong(
    db,
    userId,
    collisions.flatMap(({ code }) => suffixedCodes(code)),
  );
  for (const { row, code, error } of collisions) {
    const suffixed =
      suffixedCodes(code).find(
        (other) => !isSuffixedTaken(other) && !used.has(other.toLowerCase()),
      ) ?? null;
    if (suffixed !== null) used.add(suffixed.toLowerCase());
    classified.set(row.line, { verdict: 'taken', row, code, suffixed, error });
  }
}

async function takenAmong(
  db: Db,
  userId: string,
  codes: readonly string[],
): Promise<(code: string) => boolean> {
  if (codes.length === 0) return () => false;
  const { aliases } = await findTaken(db, userId, codes, []);
  return (code) => aliases.has(code);
}

/** Returns `spring-2` to `spring-9`, if they are valid aliases. A long code is cut to make room. */
const suffixedCodes = (code: string): string[] =>
  Array.from(
    { length: LAST_SUFFIX - 1 },
    (_, at) => `${code.slice(0, ALIAS_MAX - 2)}-${at + 2}`,
  ).filter((other) => checkAlias(other).ok);

/**
 * Returns what identifies a row: its id in the source, its code and target, or its target and its
 * position among equal targets. The same row in another file of the same source has the same key.
 */
function keyOf(source: string, { sourceId, code, nth }: ImportDraft, target: string): string {
  const parts =
    sourceId !== null
      ? [source, 'id', sourceId]
      : code !== null
        ? ['code', code, target]
        : ['target', target, nth];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

type Found = { line: number; code: string; import_id: string | null; imported_line: number | null };

/**
 * Returns the rows that are already links of the member, by line: rows that were imported before,
 * and rows whose target and code a link has (also as an earlier code).
 */
async function findExisting(
  db: Db,
  userId: string,
  rows: readonly (ValidRow & { code: string | null })[],
): Promise<Map<number, { code: string; origin: Origin }>> {
  const items = jsonRows(
    ['line', 'key', 'code', 'target'],
    rows.map(({ line, key, code, draft }) => ({ line, key, code, target: draft.target.href })),
  );
  const found = await db.all<Found>(
    sql`select item.line as line, link.code as code, import_id, imported.line as imported_line
      from ${items} as item
      cross join ${link_imports} as imported on imported.user_id = ${userId} and imported.row_key = item.key
      cross join ${links} as link on link.id = imported.link_id and link.user_id = ${userId} and link.status <> 'deleted'
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
