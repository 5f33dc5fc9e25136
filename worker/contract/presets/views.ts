import * as z from 'zod/mini';
import { domainName } from '#contract/domains.ts';
import { VIEW_NAME_MAX } from '#contract/limits.ts';
import { MY_LINKS_SORTS, MY_LINKS_STATUSES } from '#contract/links/my-links.ts';
import { HEALTH_STATES } from '#contract/links/watch.ts';
import {
  dayParam,
  hostFilter,
  importId,
  searchText,
  tagFilter,
  uniqueName,
} from '#contract/common-schemas.ts';

/**
 * Views of the list of links: filters and an order under a name. A name is unique in the account,
 * ignoring case.
 */

const count = (name: string) =>
  z.optional(z.string().check(z.regex(/^\d{1,12}$/, `${name} must be a whole number.`)));

/**
 * The search, filters and order as they are in the address of My URLs. Members that are absent are
 * not set.
 */
export const viewFilters = z.object({
  q: z.optional(searchText),
  status: z.optional(z.enum(MY_LINKS_STATUSES)),
  tag: tagFilter,
  favorite: z.optional(z.literal('1')),
  health: z.optional(z.enum(HEALTH_STATES)),
  host: hostFilter,
  /** The host of the short URL, also for the deployment's own. */
  domain: z.optional(domainName),
  from: dayParam('from'),
  to: dayParam('to'),
  min_clicks: count('min_clicks'),
  max_clicks: count('max_clicks'),
  import: z.optional(importId),
  sort: z.optional(z.enum(MY_LINKS_SORTS)),
});
export type ViewFilters = z.infer<typeof viewFilters>;

/**
 * POST /api/views saves a view, in place of the one with the same name. Returns the view, with 201.
 */
export const viewInput = z.object({
  name: uniqueName('view', VIEW_NAME_MAX, 'Enter a name for the view.'),
  filters: viewFilters,
});

export type LinkView = { id: number; name: string; filters: ViewFilters };
/**
 * GET /api/views: the member's views, by name. DELETE /api/views/:id returns `{ success: true }`.
 */
export type ViewsResponse = { views: LinkView[] };
