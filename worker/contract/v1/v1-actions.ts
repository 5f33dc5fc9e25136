import { atMost, oneTo, rfc3339 } from '#contract/common-schemas.ts';
import { SEARCH_MAX, TAGS_PER_LINK_MAX, V1_BULK_MAX } from '#contract/limits.ts';
import { LINK_ACTIONS } from '#contract/links/link-actions.ts';
import { LINK_SETTINGS } from '#contract/links/link-settings.ts';
import { tagNames } from '#contract/links/tags.ts';
import * as z from 'zod/mini';
import { v1LinkFilters } from './v1.ts';
import { v1Code } from './v1-problem.ts';

/** One action on many links of the public API (v1.ts). */

const q = z.string().check(atMost('q', SEARCH_MAX));
const clicks = z.int().check(z.minimum(0));

/** The filters of GET /links as JSON. `archived` is false unless it is given. */
export const linkFilter = z
  .strictObject({
    q: z.optional(q),
    ...v1LinkFilters,
    favorite: z.optional(z.boolean()),
    archived: z.optional(z.boolean()),
    minClicks: z.optional(clicks),
    maxClicks: z.optional(clicks),
    lastClickBefore: z.optional(rfc3339),
  })
  .check(
    z.refine(
      (members) => Object.keys(members).length > 0,
      'filter must have at least one member. For all links that are not archived, send archived: false.',
    ),
  );
export type LinkFilterInput = z.infer<typeof linkFilter>;

const RESTORE_FILTERS: ReadonlySet<string> = new Set([
  'tag',
  'host',
  'favorite',
  'createdAfter',
  'createdBefore',
]);

export const linkAction = z.enum(LINK_ACTIONS);

/** POST /api/v1/links/actions */
export const actionInput = z
  .strictObject({
    action: linkAction,
    ids: z.optional(z.array(z.string()).check(...oneTo('ids', V1_BULK_MAX))),
    filter: z.optional(linkFilter),
    tags: z.optional(z.array(z.string())),
    expiresAt: z.optional(z.nullable(rfc3339)),
    watch: z.optional(LINK_SETTINGS.watch.schemas.v1),
    dryRun: z.optional(z.boolean()),
    expectedCount: z.optional(z.int().check(z.minimum(0))),
  })
  .check(
    z.refine(
      ({ ids, filter: by }) => (ids === undefined) !== (by === undefined),
      'Send either ids or filter.',
    ),
    z.refine(({ action, tags }) => action.endsWith('_tags') === (tags !== undefined), {
      path: ['tags'],
      error: 'tags belongs to add_tags and remove_tags, which need it.',
    }),
    z.refine(
      ({ tags }) => tags === undefined || (tags.length > 0 && tagNames.safeParse(tags).success),
      { path: ['tags'], error: `tags must be 1 to ${TAGS_PER_LINK_MAX} names of tags.` },
    ),
    z.refine(({ action, expiresAt }) => (action === 'set_end') === (expiresAt !== undefined), {
      path: ['expiresAt'],
      error: 'expiresAt belongs to set_end, which needs it.',
    }),
    z.refine(({ action, watch }) => (action === 'set_watch') === (watch !== undefined), {
      path: ['watch'],
      error: 'watch belongs to set_watch, which needs it.',
    }),
    z.refine(
      ({ filter: by, dryRun, expectedCount }) =>
        by === undefined || dryRun === true || expectedCount !== undefined,
      {
        path: ['expectedCount'],
        error:
          'expectedCount is missing. Send dryRun: true first, then its matched as expectedCount.',
      },
    ),
    z.refine(
      ({ action, filter: by }) =>
        action !== 'restore' || Object.keys(by ?? {}).every((name) => RESTORE_FILTERS.has(name)),
      {
        path: ['filter'],
        error: `For restore, filter can have ${[...RESTORE_FILTERS].join(', ')} only.`,
      },
    ),
  );
export type ActionInput = z.infer<typeof actionInput>;

export const actionFailure = z.object({ id: z.string(), code: v1Code, detail: z.string() });

/**
 * `matched` is the number of links that the filter selects, or of different ids in the request. A
 * link that is already as wanted counts as changed.
 */
export const actionResult = z.object({
  action: linkAction,
  dryRun: z.boolean(),
  matched: z.int(),
  changed: z.int(),
  failed: z.int(),
  failures: z.array(actionFailure),
});
export type ActionResult = z.infer<typeof actionResult>;
