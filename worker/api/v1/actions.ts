import { Hono, type Context } from 'hono';
import { actionInput, type ActionInput, type ActionResult } from '#contract/v1/v1-actions.ts';
import { formatNumber } from '#contract/language.ts';
import { countQuery, type V1Count } from '#contract/v1/v1.ts';
import { V1_BULK_MAX } from '#contract/limits.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { readJson, readQuery, requireKey } from '#worker/http/validate.ts';
import { selectLinks } from '#worker/links/list/select-links.ts';
import { readLinkSettings } from '#worker/links/settings/link-settings.ts';
import { linkError } from '#worker/links/write/link-errors.ts';
import { actOn } from '#worker/links/write/write-links.ts';
import { toLinkFilters } from './link-filters.ts';
import { checkSettings, notFound } from './link-json.ts';
import { v1CodeOf } from './problem.ts';

type C = Context<ApiEnv>;

/**
 * How many links one batch changes. D1 does one thing at a time, so a batch has to be short; on the
 * platform's free plan a request has 50 statements for the 1,000 links.
 */
const LINKS_PER_BATCH = 340;

export const actionsV1 = new Hono<ApiEnv>();

actionsV1.post('/links/actions', async (c) => {
  const input = readJson(c, actionInput);
  checkSettings(c, { tags: input.action === 'add_tags' ? input.tags : [] });
  const { action, dryRun = false } = input;
  const named = input.ids === undefined ? await namesByFilter(c, input) : [...new Set(input.ids)];
  const matched = typeof named === 'number' ? named : named.length;
  const failures = dryRun || typeof named === 'number' ? [] : await actOnAll(c, input, named);
  return c.json({
    action,
    dryRun,
    matched,
    changed: dryRun ? 0 : matched - failures.length,
    failed: failures.length,
    failures,
  } satisfies ActionResult);
});

actionsV1.get('/links/count', async (c) => {
  const { userId } = requireKey(c);
  const filters = toLinkFilters(c, readQuery(c, countQuery));
  const { matched } = await selectLinks(c.get('db'), filters, {
    userId,
    limit: 0,
    now: c.get('now'),
  });
  return c.json({ count: matched } satisfies V1Count);
});

/** Returns the ids of the links that the filter selects; for a dry run only their number. */
async function namesByFilter(
  c: C,
  { action, filter = {}, dryRun, expectedCount }: ActionInput,
): Promise<string[] | number> {
  const { userId, linkIds } = requireKey(c);
  const now = c.get('now');
  const filters = toLinkFilters(c, filter);
  const { matched, ids } = await selectLinks(
    c.get('db'),
    { ...filters, isDeleted: action === 'restore' ? true : undefined },
    { userId, limit: dryRun === true ? 0 : V1_BULK_MAX, now },
  );
  if (dryRun === true) return matched;
  if (matched !== expectedCount) throw apiError('count_differs', { amount: matched });
  if (matched > V1_BULK_MAX)
    throw apiError('matches_too_many', { amount: matched, detail: formatNumber(V1_BULK_MAX) });
  return ids.map((id) => linkIds.show(id));
}

/** Acts on the links in batches, and returns those that failed. */
async function actOnAll(
  c: C,
  { action, tags, expiresAt, watch }: ActionInput,
  names: readonly string[],
): Promise<ActionResult['failures']> {
  const key = requireKey(c);
  const end = readLinkSettings(expiresAt === undefined ? {} : { expiresAt }).expiresAt;
  const failures: ActionResult['failures'] = [];
  for (let at = 0; at < names.length; at += LINKS_PER_BATCH) {
    const part = names.slice(at, at + LINKS_PER_BATCH);
    const result = await actOn(requestContext(c), key, {
      action,
      tags,
      expiresAt: end,
      watch,
      links: { ids: part.map((id) => key.linkIds.read(id)) },
    });
    if (!result.ok && result.reason === 'too_many_tags') throw linkError(result, c.get('now'));
    for (const [index, id] of part.entries()) {
      const refusal = result.ok ? result.outcomes[index]?.error : result;
      if (refusal == null) continue;
      const error = refusal.reason === 'not_found' ? notFound(c) : linkError(refusal, c.get('now'));
      failures.push({ id, code: v1CodeOf(error), detail: error.message });
    }
  }
  return failures;
}
