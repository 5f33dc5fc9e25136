import { Hono, type Context } from 'hono';
import { bulkItems, linkInput, type BulkResult } from '#contract/v1/v1.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import type { ApiError } from '#worker/http/errors.ts';
import type { InsertGuard } from '#worker/http/idempotency.ts';
import { invalidInput, parseInput, readJson, requireKey } from '#worker/http/validate.ts';
import { readOwnLinks } from '#worker/links/read/own-link.ts';
import { linkError } from '#worker/links/write/link-errors.ts';
import type { DraftLine } from '#worker/links/write/shorten-many.ts';
import { createLinks } from '#worker/links/write/write-links.ts';
import { answerOnce } from './answer-once.ts';
import { toLinkDraft } from './draft.ts';
import { findDomains } from './link-domains.ts';
import { notFound, settingsError, toWrittenLink } from './link-json.ts';
import { invalidPartsOf, v1CodeOf } from './problem.ts';

type C = Context<ApiEnv>;

export const bulkV1 = new Hono<ApiEnv>();

bulkV1.post('/links/bulk', async (c) => {
  const input = readJson(c, bulkItems);
  return answerOnce(c, input, async (guard, createdIds) => {
    const results = await createItems(c, input.links, guard, createdIds);
    const created = results.filter(({ ok }) => ok).length;
    const body: BulkResult = { created, failed: results.length - created, results };
    return { status: 200, location: null, body, hasFailures: body.failed > 0 };
  });
});

/** Creates a link for every item that an earlier attempt has not created. Each fails alone. */
async function createItems(
  c: C,
  items: readonly unknown[],
  guard: InsertGuard | null,
  createdIds: ReadonlyMap<number, number>,
): Promise<BulkResult['results']> {
  const { userId } = requireKey(c);
  const errors = new Map<number, ApiError>();
  const ids = new Map(createdIds);
  const inputs = items.flatMap((given, item) => {
    if (createdIds.has(item)) return [];
    const parsed = parseItem(c, given);
    if (parsed.ok) return [{ item, input: parsed.input }];
    errors.set(item, parsed.error);
    return [];
  });
  const domains = await findDomains(
    c,
    inputs.map(({ input }) => input),
  );
  const drafts = inputs.map(({ item, input }): DraftLine =>
    Object.assign({ item }, toLinkDraft(c, input, domains)),
  );
  const result = await createLinks(requestContext(c), userId, drafts, { failure: 'line', guard });
  if (!result.ok) throw linkError(result, c.get('now'));
  for (const [at, { item }] of drafts.entries()) {
    const line = result.lines[at];
    if (line?.ok === true) ids.set(item, line.id);
    else if (line !== undefined) errors.set(item, linkError(line, c.get('now')));
  }
  const links = new Map(
    (await readOwnLinks(c.get('db'), userId, [...ids.values()])).map((link) => [link.id, link]),
  );
  return items.map((_, item) => {
    const link = links.get(ids.get(item) ?? 0);
    // A link that was deleted since an earlier attempt counts as not found.
    return link === undefined
      ? toFailure(errors.get(item) ?? notFound(c), item)
      : { ok: true, link: toWrittenLink(c, link) };
  });
}

function parseItem(c: C, given: unknown) {
  const parsed = parseInput(linkInput, given);
  if (!parsed.ok) return { ok: false, error: invalidInput('invalid_body', parsed.issues) } as const;
  const error = settingsError(requireKey(c), parsed.data);
  if (error !== null) return { ok: false, error } as const;
  return { ok: true, input: parsed.data } as const;
}

function toFailure(error: ApiError, item: number): BulkResult['results'][number] {
  const errors = invalidPartsOf(error, ['links', item]);
  return {
    ok: false,
    code: v1CodeOf(error),
    detail: error.message,
    ...(errors.length === 0 ? {} : { errors }),
  };
}
