import * as z from 'zod/mini';
import { TAG_NAME_MAX, TAGS_PER_LINK_MAX } from '#contract/limits.ts';
import { atMost, changesSomething, oneLine } from '#contract/common-schemas.ts';

/** Tags of a member's links. A name is unique in the account, ignoring case. */

export const TAG_COLORS = ['gray', 'blue', 'green', 'amber', 'red', 'purple'] as const;
export const tagColor = z.enum(TAG_COLORS);
export type TagColor = (typeof TAG_COLORS)[number];

export type Tag = { id: number; name: string; color: TagColor };

export const tagName = oneLine(
  'The name of a tag',
  TAG_NAME_MAX,
  new RegExp(String.raw`[\p{Cc}\p{Cf}\p{Cs},]`, 'u'),
  'The name of a tag cannot contain commas or control characters.',
)
  .check(z.minLength(1, 'The name of a tag must not be empty.'))
  .register(z.globalRegistry, { pattern: '^[^,]*$' });

/** The names of a link's tags. Tags that do not exist yet are created. */
export const tagNames = z.array(tagName).check(atMost('A link', TAGS_PER_LINK_MAX, 'tag'));

/** POST /api/tags */
export const tagInput = z.object({ name: tagName, color: z.optional(tagColor) });
export const changesTag = changesSomething('Nothing to change. Send name or color.');
/** PATCH /api/tags/:id */
export const tagChange = z.partial(tagInput).check(changesTag);
/**
 * POST /api/tags/:id/merge: the links of this tag get the tag `into` instead, and this tag is
 * deleted.
 */
export const tagMerge = z.object({ into: z.int() });

/**
 * GET /api/tags: all tags of the member, by name. The other routes return the tag; DELETE returns
 * `{ success: true }`.
 */
export type TagsResponse = { tags: Tag[] };
