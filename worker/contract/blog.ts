import * as z from 'zod/mini';
import { SLUG_PATTERN } from './post-text.ts';
import { POST_CONTENT_MAX, POST_SLUG_MAX, POST_TITLE_MAX } from './limits.ts';

/** A post as every blog call returns it. Times are RFC 3339. */
export type Post = {
  id: number;
  title: string;
  content: string;
  slug: string;
  published: boolean;
  created_at: string;
  updated_at: string;
  /** When it was first published; null for a post that never was. */
  published_at: string | null;
};
/**
 * GET /api/blogs: published posts, newest first: an array, as the spec has it. GET /api/blogs-admin: the same type, drafts
 * included: all posts for an administrator, their own for others. Both hold the newest posts up to POSTS_MAX and POSTS_CHARS_MAX;
 * older ones follow with `?before=<id of the last post>`, and `Link: <…>; rel="next"` says that there are some.
 */
export type PostList = Post[];

/** A title is one line: NFC, runs of white space made one space, no control characters. */
const postTitle = z.string().check(
  z.normalize('NFC'),
  z.overwrite((text: string) => text.replaceAll(/\s+/gu, ' ')),
  z.trim(),
  z.minLength(1, 'A post needs a title.'),
  z.maxLength(POST_TITLE_MAX, `A title has at most ${POST_TITLE_MAX} characters.`),
  z.refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'The title holds characters that cannot be shown.'),
);

const postContent = z.string().check(
  z.maxLength(POST_CONTENT_MAX, `A post has at most ${POST_CONTENT_MAX} characters.`),
  z.refine((text) => text.trim() !== '', 'A post needs content.'),
  z.refine((text) => !/[\0\p{Cs}]/u.test(text), 'The content holds characters that cannot be stored.'),
);

const postSlug = z
  .string()
  .check(
    z.maxLength(POST_SLUG_MAX, `A slug has at most ${POST_SLUG_MAX} characters.`),
    z.regex(SLUG_PATTERN, 'A slug holds lower-case letters, digits and single hyphens.'),
  );

/** POST /api/blogs-admin. Answers 201 with the post. Publishing is an administrator's right: 403 for others. */
export const postInput = z.object({
  title: postTitle,
  content: postContent,
  slug: postSlug,
  published: z._default(z.boolean(), false),
});
export type PostInput = z.infer<typeof postInput>;
/** PATCH /api/blogs-admin/:id changes what is given and answers the post; DELETE removes it and answers `{ success: true }`. */
export const postChange = z
  .object({
    title: z.optional(postTitle),
    content: z.optional(postContent),
    slug: z.optional(postSlug),
    published: z.optional(z.boolean()),
  })
  .check(z.refine((change) => Object.values(change).some((value) => value !== undefined), 'Say what to change.'));
export type PostChange = z.infer<typeof postChange>;
