import type { LinkRefusal } from '#worker/messages/links.ts';
import { sql, type SQL } from 'drizzle-orm';
import type { ImportCheckLine, ImportLine } from '#contract/files/import.ts';
import { linkKey, splitKey } from '#contract/codes/domain-key.ts';
import type { CollisionChoice } from '#contract/files/import-formats.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { jsonList, jsonRows } from '#worker/db/batch.ts';
import { link_imports } from '#worker/db/schema-link-imports.ts';
import { hasKey, links } from '#worker/db/schema-links.ts';
import { readImportRoom, readSubscription, remainingQuota } from '#worker/plans/subscription.ts';
import { quotaError } from '#worker/plans/used-up-quota.ts';
import { ensureTagsOfEach, idsOfTags } from '#worker/tags/tags.ts';
import { newCode } from '#worker/edge/codes.ts';
import {
  classifyRows,
  type ImportDraft,
  type Classification,
  type ValidRow,
} from './classify-rows.ts';
import type { FormerLink } from '#worker/edge/former-link.ts';
import { readAllowance } from '#worker/links/write/link-allowance.ts';
import { findTaken } from '#worker/links/write/insert-links.ts';
import { insertRows } from '#worker/links/write/insert-rows.ts';
import { toNewLink, type ImportedState, type NewLink } from '#worker/links/write/new-link.ts';
import type { ShortenOptions, Usage } from '#worker/links/write/shorten.ts';

/** The fields of a row that are not part of the draft. Times in ms. */
export type ImportedFacts = {
  createdAt: number | null;
  clicks: number | null;
  disabled: boolean;
  history: readonly StateInFile[];
};
/** An earlier state of a link, with the names of its tags. */
export type StateInFile = Omit<ImportedState, 'tagIds'> & { tags: readonly string[] };
export type RowToImport = ImportDraft & { facts: ImportedFacts };

export type ImportOptions = Pick<ShortenOptions, 'reputation' | 'now' | 'random'> & {
  userId: string;
  format: string;
  importId: string;
  collisions: CollisionChoice;
};

/** A line of a response whose error is a reason instead of a message. */
export type WithRefusal<Line> = Line extends { error: string }
  ? Omit<Line, 'error'> & { error: LinkRefusal }
  : Line;
type LineOutcome = WithRefusal<ImportLine>;

/**
 * Returns what an import of these rows would do now, and how many links the quota and the import
 * allowance have left.
 */
export async function checkImport(
  db: Db,
  drafts: readonly ImportDraft[],
  { userId, format, now }: Pick<ImportOptions, 'userId' | 'format' | 'now'>,
): Promise<{ lines: WithRefusal<ImportCheckLine>[]; room: number; allowance: number }> {
  const subscription = await readSubscription(db, userId, now);
  const classified = await classifyRows(db, userId, drafts, format);
  const toInsert = [...classified.values()].flatMap((found) => ('row' in found ? [found] : []));
  const takeId = await freeExternalIds(db, userId, toInsert);
  const withoutId = new Set(
    toInsert.flatMap(({ row: { line, draft } }) =>
      draft.externalId === null || takeId(draft.externalId) ? [] : [line],
    ),
  );
  const lossesOf = ({ line, lostCodes }: ValidRow) => ({
    ...(lostCodes.length > 0 && { lostCodes: [...lostCodes] }),
    ...(withoutId.has(line) && { losesExternalId: true as const }),
  });
  const toLine = (
    line: number,
    classification: Classification | undefined,
  ): WithRefusal<ImportCheckLine> => {
    switch (classification?.verdict) {
      case 'new':
        return {
          line,
          verdict: 'new',
          code: classification.code,
          ...lossesOf(classification.row),
        };
      case 'exists':
        return { line, verdict: 'exists', code: classification.code };
      case 'taken':
        return {
          line,
          verdict: 'taken',
          code: classification.code,
          suffixed: classification.suffixed,
          error: classification.error,
          ...lossesOf(classification.row),
        };
      case 'repeats': {
        const first = toLine(line, classified.get(classification.first));
        return first.verdict === 'new' ? { line, verdict: 'exists', code: first.code } : first;
      }
      default:
        return { line, verdict: 'rejected', error: classification?.error ?? NO_FREE_CODE };
    }
  };
  return {
    lines: drafts.map(({ line }) => toLine(line, classified.get(line))),
    room: remainingQuota(subscription),
    allowance: await readImportRoom(db, userId, now),
  };
}

/**
 * Creates the links of these rows, in one atomic batch that also charges the quota. A row whose
 * link is already in the account creates nothing, so repeating a request or a file adds nothing.
 * The caller publishes `ids`, the new links. `reused` are the codes that deleted links had before.
 */
export async function importLinks(
  db: Db,
  rows: readonly RowToImport[],
  options: ImportOptions,
): Promise<{ lines: LineOutcome[]; ids: number[]; reused: string[]; usage: Usage }> {
  const { userId, now } = options;
  const tagNames = rows.flatMap((row) => (row.ok ? row.draft.tags : []));
  const earlierTagNames = rows.flatMap(({ facts }) => facts.history.flatMap((state) => state.tags));
  // If the account has no room for all tags, only existing ones are used.
  const { tags } = await ensureTagsOfEach(db, userId, [tagNames, earlierTagNames], now);
  const byLine = new Map(rows.map((row) => [row.line, row]));
  const lines = new Map<number, LineOutcome>();
  const repeats = new Map<number, number>();
  const {
    links: created,
    ids,
    usage,
  } = await insertRows(db, rows, {
    assignCodes: async (remaining) => {
      const classified = await classifyRows(db, userId, remaining, options.format);
      const { toInsert, outcomes } = chooseRows(classified, options);
      for (const [line, outcome] of outcomes)
        if ('first' in outcome) repeats.set(line, outcome.first);
        else lines.set(line, outcome);
      const takeId = await freeExternalIds(db, userId, toInsert);
      return toInsert.flatMap((entry) => {
        const { draft } = entry.row;
        if (draft.externalId !== null && !takeId(draft.externalId)) draft.externalId = null;
        const row = byLine.get(entry.row.line);
        const tagIds = idsOfTags(tags, entry.row.draft.tags);
        if (row === undefined) return [];
        const history = row.facts.history.map(({ tags: of, ...state }) => ({
          ...state,
          tagIds: idsOfTags(tags, of),
        }));
        const facts = { ...row.facts, history, isMoved: row.code !== null };
        return { row, link: toLink(entry, facts, tagIds, options) };
      });
    },
    keepCovered: async (remaining) => {
      const subscription = await readSubscription(db, userId, now);
      const error = quotaError(subscription);
      let room = remainingQuota(subscription);
      let allowance = await readImportRoom(db, userId, now);
      return remaining.filter(({ line, code }) => {
        if (code !== null && allowance > 0) allowance -= 1;
        else if (room > 0) room -= 1;
        else {
          lines.set(line, { line, verdict: 'over_quota', error });
          return false;
        }
        return true;
      });
    },
    take: await readAllowance(db, { userId }, now),
    now,
    guard: (newLinks) => importGuard(newLinks, options),
  });
  for (const { code, item } of created) lines.set(item, { line: item, verdict: 'created', code });
  const lineOf = (line: number): LineOutcome =>
    lines.get(line) ?? { line, verdict: 'rejected', error: NO_FREE_CODE };
  const answers = rows.map(({ line }): LineOutcome => {
    const first = repeats.get(line);
    if (first === undefined) return lineOf(line);
    const repeated = { ...lineOf(first), line };
    return repeated.verdict === 'created' ? { ...repeated, verdict: 'exists' } : repeated;
  });
  const reused = created.flatMap(({ code, former }) => (former ? [code] : []));
  return { lines: answers, ids: [...ids.values()], reused, usage };
}

const NO_FREE_CODE = { ok: false, reason: 'import_no_free_code' } as const;

type RowToInsert = { row: ValidRow; code: string | null; former: FormerLink | null };

/**
 * Decides which rows become links under which code (null: a generated one), and the outcome of the
 * others. `first` is the line that a repeated row repeats.
 */
function chooseRows(
  classified: ReadonlyMap<number, Classification>,
  { importId, collisions }: ImportOptions,
) {
  const toInsert: RowToInsert[] = [];
  const outcomes: [number, LineOutcome | { first: number }][] = [];
  for (const [line, classification] of classified) {
    const { verdict } = classification;
    if (verdict === 'new') toInsert.push(classification);
    else if (verdict === 'rejected')
      outcomes.push([line, { line, verdict, error: classification.error }]);
    else if (verdict === 'repeats') outcomes.push([line, { first: classification.first }]);
    else if (verdict === 'exists') {
      const { code, origin } = classification;
      const isRepeated = origin !== null && origin.importId === importId && origin.line === line;
      outcomes.push([line, { line, verdict: isRepeated ? 'created' : 'exists', code }]);
    } else if (collisions === 'skip')
      outcomes.push([line, { line, verdict: 'skipped', error: classification.error }]);
    else
      toInsert.push({
        row: classification.row,
        code: collisions === 'suffix' ? classification.suffixed : null,
        former: null,
      });
  }
  return { toInsert, outcomes };
}

const toLink = (
  { row: { line, key, draft, earlierCodes }, code, former }: RowToInsert,
  {
    createdAt,
    clicks,
    disabled,
    history,
    isMoved,
  }: Omit<ImportedFacts, 'history'> & { history: readonly ImportedState[]; isMoved: boolean },
  tagIds: readonly number[],
  { userId, format, reputation, now, random }: ImportOptions,
): NewLink =>
  toNewLink(
    { ...draft, code: code === null ? null : splitKey(code).code },
    {
      userId,
      code: code ?? linkKey(draft.domain, newCode(random)),
      // Checking the reputation of many hosts takes too long here; a job does it within minutes.
      recheckAt: reputation === null ? null : now,
      tagIds,
      item: line,
      former,
      imported: {
        key,
        from: format,
        clicks,
        isMoved,
        earlierCodes,
        history,
        status: disabled ? 'disabled' : 'active',
        disabledBy: disabled ? 'owner' : null,
        createdAt: Math.min(createdAt ?? now, now),
        at: now,
      },
    },
  );

/**
 * Returns a function that takes an id, and is true if no link and no earlier row has it. A row
 * whose id is taken is imported without it.
 */
async function freeExternalIds(
  db: Db,
  userId: string,
  rows: readonly Pick<RowToInsert, 'row'>[],
): Promise<(id: string) => boolean> {
  const ids = rows.flatMap(({ row }) => row.draft.externalId ?? []);
  if (ids.length === 0) return () => false;
  const { externalIds } = await findTaken(db, userId, [], ids);
  const free = new Set(ids.filter((id) => !externalIds.has(id)));
  return (id) => free.delete(id);
}

/**
 * Returns a condition and a statement for `insertLinks`. Links are inserted only while none of
 * their rows is a link of the account, and their rows are recorded.
 */
function importGuard(newLinks: readonly NewLink[], { userId, importId }: ImportOptions) {
  const keys = jsonList(newLinks.flatMap(({ imported }) => imported?.key ?? []));
  const mayInsert: SQL = sql`not exists (select 1 from ${keys} as item
    cross join ${link_imports} as imported on imported.user_id = ${userId} and imported.row_key = item.value
    cross join ${links} as link on link.id = imported.link_id and link.user_id = ${userId} and link.status <> 'deleted')`;
  const rows = newLinks.map(({ item, code, imported }) => ({
    line: item,
    code,
    key: imported?.key,
  }));
  const record = (_: unknown, when: SQL): Statement =>
    sql`insert into ${link_imports} (user_id, row_key, link_id, import_id, line)
      select ${userId}, item.key, link.id, ${importId}, item.line from ${jsonRows(['line', 'code', 'key'], rows)} as item
      cross join ${links} as link on ${hasKey(sql`item.code`, 'link')} where ${when}
      on conflict (user_id, row_key) do update set link_id = excluded.link_id, import_id = excluded.import_id, line = excluded.line`;
  return { mayInsert, record };
}
