import { linkKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import type { LinkReason, LinkRefusal } from '#worker/messages/links.ts';
import { planIncludes } from '#contract/plans/plan-features.ts';
import { findBlocked } from '#worker/safety/find-blocked.ts';
import type { Db } from '#worker/db/client.ts';
import { ensureTagsOfEach, idsOfTags } from '#worker/tags/tags.ts';
import type { Tag } from '#contract/links/tags.ts';
import { readSubscription, remainingQuota } from '#worker/plans/subscription.ts';
import { quotaError, type QuotaError } from '#worker/plans/used-up-quota.ts';
import { findRefusals, type DomainErrorReason } from '#worker/domains/usable-domain.ts';
import { ALIAS_TAKEN, newCode } from '#worker/edge/codes.ts';
import { destinationsOf, refuseDestination } from '#worker/links/settings/destinations.ts';
import { readAllowance } from './link-allowance.ts';
import { chosenKey, type DraftErrorReason, type LinkDraft } from './link-draft.ts';
import { EXTERNAL_ID_TAKEN, type ShortenOptions, type Usage } from './shorten.ts';
import { insertRows } from './insert-rows.ts';
import { toNewLink, type NewLink } from './new-link.ts';
import { findTaken } from './insert-links.ts';

/** A line of a bulk request after validation. `item` is its index in the request. */
export type DraftLine = { item: number } & (
  | { ok: true; draft: LinkDraft }
  | LinkRefusal<DraftErrorReason | DomainErrorReason | 'too_many_passwords'>
);

export type LineErrorReason =
  | DraftErrorReason
  | 'alias_taken'
  | 'external_id_taken'
  | 'no_free_codes'
  | 'too_many_tags'
  | 'too_many_passwords'
  | DomainErrorReason
  | QuotaError['reason'];
export type LineResult = { ok: true; id: number; code: LinkKey } | LinkRefusal<LineErrorReason>;
export type ShortenManyErrorReason = 'premium_only' | 'no_free_codes' | QuotaError['reason'];
export type ShortenManyResult =
  | { ok: true; lines: LineResult[]; ids: number[]; usage: Usage }
  | LinkRefusal<ShortenManyErrorReason>;

export type ShortenManyOptions = ShortenOptions & {
  creator: { userId: string };
  /**
   * What fails if the quota or free codes run out. `list` fails the whole list of up to
   * LINKS_PER_BATCH lines, which is created completely or not at all; `line` fails only the lines
   * that cannot be created.
   */
  failure: 'list' | 'line';
};

const LINKS_PER_BATCH = 100;

type Valid = { item: number; draft: LinkDraft };

/**
 * Creates a short link for every valid line, in atomic batches that also charge the quota. Bulk
 * creation is a Premium feature.
 */
export async function shortenMany(
  db: Db,
  drafts: readonly DraftLine[],
  options: ShortenManyOptions,
): Promise<ShortenManyResult> {
  const { creator, now, failure } = options;
  const { plan_type } = await readSubscription(db, creator.userId, now);
  if (!planIncludes(plan_type, 'bulk')) return PREMIUM_ONLY;

  const results = new Map<number, LineResult>();
  const drafted = await rejectInvalid(db, drafts, results);
  const { tags, isComplete } = await ensureTagsOfEach(
    db,
    creator.userId,
    drafted.map(({ draft }) => draft.tags),
    now,
  );
  const valid = drafted.filter((_, at) => isComplete[at]);
  for (const [at, { item }] of drafted.entries())
    if (isComplete[at] !== true) results.set(item, TOO_MANY_TAGS);
  let usage: Usage = null;
  for (let at = 0; at < valid.length; at += LINKS_PER_BATCH) {
    const rows = valid.slice(at, at + LINKS_PER_BATCH);
    const chunk = await insertChunk(db, rows, { ...options, tags }, results);
    if (chunk.ok) usage = chunk.usage ?? usage;
    else if (failure === 'list') return chunk;
    else for (const { item } of chunk.left) results.set(item, refusalOf(chunk));
  }
  const lines = drafts.map(({ item }): LineResult => results.get(item) ?? NO_FREE_CODES);
  return { ok: true, lines, ids: lines.flatMap((line) => (line.ok ? [line.id] : [])), usage };
}

/**
 * Adds an error to `results` for each line that the link policy, the blocklist or an earlier line
 * rules out. Returns the other lines.
 */
async function rejectInvalid(
  db: Db,
  drafts: readonly DraftLine[],
  results: Map<number, LineResult>,
): Promise<Valid[]> {
  const targets = drafts.flatMap((line) =>
    line.ok ? [line.draft.target, ...destinationsOf(line.draft)] : [],
  );
  const blocked = await findBlocked(db, targets);
  const codes = new Set<string>();
  const externalIds = new Set<string>();
  const errorOf = (line: DraftLine): LineResult | null => {
    if (!line.ok) return refusalOf(line);
    const { target, externalId } = line.draft;
    for (const { href } of [target, ...destinationsOf(line.draft)]) {
      const reason = blocked.get(href);
      if (reason !== undefined) return refuseDestination(href, line.draft, reason);
    }
    const key = chosenKey(line.draft)?.toLowerCase() ?? null;
    if (key !== null && codes.has(key)) return ALIAS_TAKEN;
    if (externalId !== null && externalIds.has(externalId)) return EXTERNAL_ID_TAKEN;
    if (key !== null) codes.add(key);
    if (externalId !== null) externalIds.add(externalId);
    return null;
  };
  return drafts.flatMap((line) => {
    const error = errorOf(line);
    if (error !== null) results.set(line.item, error);
    return error === null && line.ok ? [{ item: line.item, draft: line.draft }] : [];
  });
}

type ChunkResult =
  | { ok: true; usage: Usage }
  | (LinkRefusal<ShortenManyErrorReason & LineErrorReason> & {
      left: readonly Valid[];
    });

/**
 * Inserts up to LINKS_PER_BATCH links. Adds each created link, and an error for each taken alias or
 * external id, to `results`.
 */
async function insertChunk(
  db: Db,
  chunk: readonly Valid[],
  {
    creator,
    reputation,
    now,
    random,
    guard = null,
    failure,
    tags,
  }: ShortenManyOptions & { tags: readonly Tag[] },
  results: Map<number, LineResult>,
): Promise<ChunkResult> {
  const { userId } = creator;
  const toLink = ({ item, draft }: Valid): NewLink =>
    toNewLink(draft, {
      userId,
      code: chosenKey(draft) ?? linkKey(draft.domain, newCode(random, draft.codePrefix)),
      // Checking the reputation of many hosts takes too long here; a job does it within minutes.
      recheckAt: reputation === null ? null : now,
      tagIds: idsOfTags(tags, draft.tags),
      item,
    });
  const shortages: QuotaError[] = [];
  const { links, ids, usage, left } = await insertRows(db, chunk, {
    assignCodes: async (remaining, isRetry) =>
      (isRetry ? await rejectTaken(db, userId, remaining, results) : remaining).map((row) => ({
        row,
        link: toLink(row),
      })),
    keepCovered: async (remaining) => {
      const subscription = await readSubscription(db, userId, now);
      shortages.push(
        failure === 'list' ? quotaError(subscription, remaining.length) : quotaError(subscription),
      );
      return failure === 'list' ? [] : remaining.slice(0, remainingQuota(subscription));
    },
    take: await readAllowance(db, creator, now),
    now,
    guard: () => guard,
  });
  for (const { item, code } of links) results.set(item, { ok: true, id: ids.get(code) ?? 0, code });
  const error = left.length > 0 ? NO_FREE_CODES : shortages.at(-1);
  return error === undefined
    ? { ok: true, usage }
    : { ...error, left: chunk.filter(({ item }) => !results.has(item)) };
}

/**
 * Adds an error to `results` for each line whose alias or external id is taken, or whose domain the
 * member may no longer use. Returns the other lines.
 */
async function rejectTaken(
  db: Db,
  userId: string,
  remaining: readonly Valid[],
  results: Map<number, LineResult>,
): Promise<readonly Valid[]> {
  const named = [...new Set(remaining.map(({ draft }) => draft.domain))];
  const refusals = await findRefusals(db, userId, named);
  const codes = remaining.flatMap(({ draft }) => chosenKey(draft) ?? []);
  const externalIds = remaining.flatMap(({ draft }) => draft.externalId ?? []);
  const taken = await findTaken(db, userId, codes, externalIds);
  return remaining.filter(({ item, draft }) => {
    const { domain, externalId } = draft;
    const key = chosenKey(draft);
    const error =
      refusals.get(domain) ??
      (key !== null && taken.aliases.has(key) ? ALIAS_TAKEN : null) ??
      (externalId !== null && taken.externalIds.has(externalId) ? EXTERNAL_ID_TAKEN : null);
    if (error !== null) results.set(item, error);
    return error === null;
  });
}

const refusalOf = <R extends LinkReason>({ reason, values }: LinkRefusal<R>): LinkRefusal<R> => ({
  ok: false,
  reason,
  ...(values === undefined ? {} : { values }),
});

const PREMIUM_ONLY = { ok: false, reason: 'premium_only' } as const;
const TOO_MANY_TAGS = { ok: false, reason: 'too_many_tags' } as const;
const NO_FREE_CODES = { ok: false, reason: 'no_free_codes' } as const;
