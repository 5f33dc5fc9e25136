import * as z from 'zod/mini';
import { SEARCH_MAX, VIEW_NAME_MAX } from './limits.ts';
import { MY_LINKS_SORTS, MY_LINKS_STATUSES } from './links.ts';

/**
 * Views of the list of links: filters and an order under a name. A name is unique in the account,
 * ignoring case.
 */

const day = (name: string) => z.optional(z.iso.date(`${name} must be a date like 2027-01-31.`));
const count = (name: string) =>
  z.optional(z.string().check(z.regex(/^\d{1,12}$/, `${name} must be a whole number.`)));

/**
 * The search, filters and order as they are in the address of My URLs. Members that are absent are
 * not set.
 */
export const viewFilters = z.object({
  q: z.optional(
    z
      .string()
      .check(z.maxLength(SEARCH_MAX, `A search can have at most ${SEARCH_MAX} characters.`)),
  ),
  status: z.optional(z.enum(MY_LINKS_STATUSES)),
  tag: z.optional(z.string().check(z.maxLength(100))),
  favorite: z.optional(z.literal('1')),
  host: z.optional(z.string().check(z.maxLength(253))),
  from: day('from'),
  to: day('to'),
  min_clicks: count('min_clicks'),
  max_clicks: count('max_clicks'),
  sort: z.optional(z.enum(MY_LINKS_SORTS)),
});
export type ViewFilters = z.infer<typeof viewFilters>;

/** One line of text: trimmed, with single spaces. */
const viewName = z.string().check(
  z.overwrite((text) => text.normalize('NFC').replace(/\s+/gu, ' ').trim()),
  z.minLength(1, 'Enter a name for the view.'),
  z.maxLength(VIEW_NAME_MAX, `The name of a view can have at most ${VIEW_NAME_MAX} characters.`),
  z.refine(
    (text) => !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text),
    'The name of a view cannot contain control characters.',
  ),
);

/**
 * POST /api/views saves a view, in place of the one with the same name. Returns the view, with 201.
 */
export const viewInput = z.object({ name: viewName, filters: viewFilters });

export type LinkView = { id: number; name: string; filters: ViewFilters };
/**
 * GET /api/views: the member's views, by name. DELETE /api/views/:id returns `{ success: true }`.
 */
export type ViewsResponse = { views: LinkView[] };
