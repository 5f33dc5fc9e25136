import { Hono } from 'hono';
import {
  linkActionRequest,
  purgeRequest,
  type LinkActionLine,
  type LinkActionResponse,
  type PurgeLine,
  type PurgeResponse,
} from '#contract/links/link-actions.ts';
import { MATCHING_MAX } from '#contract/limits.ts';
import { linkFilterQuery, type MatchingLinksResponse } from '#contract/links/links.ts';
import { forgetCounts } from '#worker/click-limits/forget-counts.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { readJson, readQuery, requireMember } from '#worker/http/validate.ts';
import { linkMessage } from '#worker/messages/links.ts';
import { filtersOf } from '#worker/links/list/query-filters.ts';
import { selectLinks } from '#worker/links/list/select-links.ts';
import { linkError } from '#worker/links/write/link-errors.ts';
import { purgeLinks } from '#worker/links/write/purge-links.ts';
import { actOn } from '#worker/links/write/write-links.ts';

/** Actions on many links of a member. */
export const linkActionsRoutes = new Hono<ApiEnv>();

linkActionsRoutes.get('/my-urls/ids', async (c) => {
  const { id: userId } = requireMember(c);
  const query = readQuery(c, linkFilterQuery);
  // Unlike a page of the list, this reads every link in the narrowest index.
  await limitWrites(c);
  const selection = filtersOf(query, c.get('origins'));
  const { matched, ids } = await selectLinks(c.get('db'), selection, {
    userId,
    limit: MATCHING_MAX,
    now: c.get('now'),
  });
  return c.json({ links: matched, ids } satisfies MatchingLinksResponse);
});

linkActionsRoutes.post('/links/actions', async (c) => {
  const { codes = [], ids, ...action } = readJson(c, linkActionRequest);
  const { id } = await limitWrites(c);
  const actor = { userId: id, keyName: null };
  const links = ids === undefined ? { codes } : { ids };
  const result = await actOn(requestContext(c), actor, { ...action, links });
  if (!result.ok) throw linkError(result, c.get('now'));
  const response: LinkActionResponse = {
    lines: result.outcomes.map(({ code: current, error, undo }, at): LinkActionLine => {
      const code = codes[at] ?? current ?? '';
      return error === null
        ? { ok: true, code, undo }
        : { ok: false, code, error: linkMessage(error) };
    }),
  };
  return c.json(response);
});

linkActionsRoutes.post('/links/purge', async (c) => {
  const { ids } = readJson(c, purgeRequest);
  const { id: userId } = await limitWrites(c);
  const trash = { userId, ids, now: c.get('now') };
  const outcomes = await purgeLinks(c.get('db'), trash, (limitIds) =>
    forgetCounts(c.env, limitIds),
  );
  return c.json({
    lines: outcomes.map(({ code, error }): PurgeLine =>
      error === null
        ? { ok: true, code: code ?? '' }
        : { ok: false, code: code ?? '', error: linkMessage(error) },
    ),
  } satisfies PurgeResponse);
});
