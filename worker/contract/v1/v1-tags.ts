import * as z from 'zod/mini';
import { changesTag, tagChange, tagColor, tagInput, tagName } from '#contract/links/tags.ts';

/** The tags of the public API (v1.ts). Names identify them, without case. */

/** POST /api/v1/tags. Without a color it gets the one that the fewest tags have. */
export const tagInputV1 = z.strictObject(tagInput.shape);
/** PATCH /api/v1/tags/:name */
export const tagPatchV1 = z.strictObject(tagChange.shape).check(changesTag);
/** POST /api/v1/tags/:name/merge */
export const tagMergeV1 = z.strictObject({ into: tagName });

export const tagV1 = z.object({
  name: z.string(),
  color: tagColor,
  /** Links with this tag that are not deleted. */
  links: z.int(),
});
export type V1Tag = z.infer<typeof tagV1>;

/** All tags of the account, by name. */
export const tagListV1 = z.object({ data: z.array(tagV1) });
export type V1TagList = z.infer<typeof tagListV1>;
