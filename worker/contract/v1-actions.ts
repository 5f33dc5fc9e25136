import { formatNumber } from './language.ts';
import { hostFilter, rfc3339, tagFilter } from './common-schemas.ts';
import { SEARCH_MAX } from './limits.ts';
import { LINK_ACTIONS } from './links.ts';
import { tagNames } from './tags.ts';
import * as z from 'zod/mini';
import { LINK_STATUSES, V1_BULK_MAX } from './v1.ts';
import { V1_CODES } from './v1-problem.ts';

/** One action on many links of the public API (v1.ts). */

const q = z.string().check(z.maxLength(SEARCH_MAX, `q can have at most ${SEARCH_MAX} characters.`));
const clicks = z.int().check(z.minimum(0));

/** The filters of GET /links as JSON. `archived` is false unless it is given. */
const filter = z
  .strictObject({
    q: z.optional(q),
    status: z.optional(z.enum(LINK_STATUSES)),
    createdAfter: z.optional(rfc3339),
    createdBefore: z.optional(rfc3339),
    tag: tagFilter,
    host: hostFilter,
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
  )
  .register(z.globalRegistry, {
    description:
      'The filters of `GET /links`. For `restore` it selects deleted links, by `tag`, `host`, `favorite`, `createdAfter` and `createdBefore` only.',
  });
export type LinkFilterInput = z.infer<typeof filter>;

const RESTORE_FILTERS: ReadonlySet<string> = new Set([
  'tag',
  'host',
  'favorite',
  'createdAfter',
  'createdBefore',
]);

/** POST /api/v1/links/actions */
export const actionInput = z
  .strictObject({
    action: z.enum(LINK_ACTIONS),
    ids: z.optional(
      z
        .array(z.string())
        .check(
          z.minLength(1, 'ids must name at least one link.'),
          z.maxLength(V1_BULK_MAX, `ids can name at most ${formatNumber(V1_BULK_MAX)} links.`),
        )
        .register(z.globalRegistry, { description: 'Instead of `filter`.' }),
    ),
    filter: z.optional(filter),
    tags: z.optional(
      z
        .array(z.string())
        .register(z.globalRegistry, { description: 'For `add_tags` and `remove_tags`: names.' }),
    ),
    expiresAt: z.optional(
      z.nullable(rfc3339).register(z.globalRegistry, {
        description: 'For `set_end`: when the links stop; null for never.',
      }),
    ),
    dryRun: z.optional(
      z.boolean().register(z.globalRegistry, {
        description: 'Counts the links in `matched` and changes nothing.',
      }),
    ),
    expectedCount: z.optional(
      z.int().check(z.minimum(0)).register(z.globalRegistry, {
        description:
          'Required with `filter`: `matched` of a dry run. If the filter matches another number of links by now, nothing is changed (409).',
      }),
    ),
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
      { path: ['tags'], error: 'tags must be 1 to 10 names of tags.' },
    ),
    z.refine(({ action, expiresAt }) => (action === 'set_end') === (expiresAt !== undefined), {
      path: ['expiresAt'],
      error: 'expiresAt belongs to set_end, which needs it.',
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

/**
 * `matched` is the number of links that the filter selects, or of different ids. A link that is
 * already as wanted counts as changed.
 */
export const actionResult = z.object({
  action: z.enum(LINK_ACTIONS),
  dryRun: z.boolean(),
  matched: z.int(),
  changed: z.int(),
  failed: z.int(),
  failures: z.array(z.object({ id: z.string(), code: z.enum(V1_CODES), detail: z.string() })),
});
export type ActionResult = z.infer<typeof actionResult>;
