import * as z from 'zod/mini';
import { SLUG_PATTERN } from './post-text.ts';
import {
  EXCERPT_MAX,
  POST_AUTHOR_MAX,
  POST_CONTENT_MAX,
  POST_SLUG_MAX,
  POST_TAG_MAX,
  POST_TITLE_MAX,
  TAGS_PER_POST_MAX,
} from '#contract/limits.ts';
import { atMost, changesSomething, storable, oneLine } from '#contract/common-schemas.ts';

/** A post in every response of the blog API. Times are RFC 3339. */
export type Post = {
  id: number;
  title: string;
  content: string;
  slug: string;
  /** The excerpt in lists, feed and previews; '' for the beginning of the text. */
  excerpt: string;
  /** The name that the page shows; '' for none. */
  author: string;
  tags: string[];
  published: boolean;
  created_at: string;
  updated_at: string;
  /** When it was first published; null for a post that has never been published. */
  published_at: string | null;
};
/** A post as the next or previous post links to it. */
export type PostLink = { slug: string; title: string };
/**
 * GET /api/blog/:slug: a published post, and the published posts before and after it in the list;
 * null at its ends.
 */
export type PublicPost = Post & { previous: PostLink | null; next: PostLink | null };
/**
 * GET /api/blogs returns published posts. GET /api/blogs-admin returns drafts as well: all posts
 * for an administrator, and their own posts for other members. Newest first, up to POSTS_MAX posts
 * and POSTS_CHARS_MAX characters. If there are older posts, the response has `Link: <…?before=<id
 * of the last post>>; rel="next"`.
 */
export type PostList = Post[];

/** A tag as it is stored and compared: in lower case, without `#`. */
export const tagOf = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .replace(/^[\s#]+/, '')
    .trim()
    .toLowerCase();

/** GET /api/blogs and /api/blogs-admin: `before` continues after a page. */
export const postListQuery = z.object({
  before: z.optional(
    z.coerce.number('before must be the id of a post.').check(z.int(), z.positive()),
  ),
});

/** GET /api/blogs: `tag` limits the list to posts with that tag. */
export const publicListQuery = z.extend(postListQuery, {
  tag: z.optional(
    z.string().check(z.overwrite(tagOf), z.maxLength(POST_TAG_MAX, 'No tag is that long.')),
  ),
});

const postTitle = oneLine('The title', POST_TITLE_MAX).check(
  z.minLength(1, 'A post needs a title.'),
);

const UNSTORABLE = new RegExp(String.raw`[\0\p{Cs}]`, 'u');
const UNSHOWN = new RegExp(String.raw`[,\p{Cc}\p{Cf}\p{Cs}]`, 'u');

const postContent = z.string().check(
  atMost('The content', POST_CONTENT_MAX),
  z.refine((text) => text.trim() !== '', 'A post needs content.'),
  storable('The content', UNSTORABLE),
);

const postSlug = z
  .string()
  .check(
    atMost('The slug', POST_SLUG_MAX),
    z.regex(SLUG_PATTERN, 'A slug consists of lower-case letters, digits and single hyphens.'),
  );

const postExcerpt = oneLine('The excerpt', EXCERPT_MAX);

const postAuthor = oneLine('The name of the author', POST_AUTHOR_MAX);

const postTags = z.pipe(
  z
    .array(
      z.string().check(
        z.overwrite(tagOf),
        z.minLength(1, 'A tag needs a name.'),
        atMost('A tag', POST_TAG_MAX),
        z.refine(
          (tag) => !UNSHOWN.test(tag),
          'A tag contains no commas and only characters that can be displayed.',
        ),
      ),
    )
    .check(atMost('A post', TAGS_PER_POST_MAX, 'tag')),
  z.transform((tags: string[]) => [...new Set(tags)]),
);

const postFields = z.object({
  title: postTitle,
  content: postContent,
  slug: postSlug,
  excerpt: postExcerpt,
  author: postAuthor,
  tags: postTags,
  published: z.boolean(),
});

/**
 * POST /api/blogs-admin returns 201 with the post. Only administrators may publish; others get 403.
 */
export const postInput = z.extend(postFields, {
  excerpt: z._default(postExcerpt, ''),
  author: z._default(postAuthor, ''),
  tags: z._default(postTags, []),
  published: z._default(z.boolean(), false),
});
export type PostInput = z.infer<typeof postInput>;
/**
 * PATCH /api/blogs-admin/:id changes the given members and returns the post. DELETE returns `{
 * success: true }`.
 */
export const postChange = z
  .partial(postFields)
  .check(
    changesSomething(
      'Enter at least one change: title, content, slug, excerpt, author, tags or published.',
    ),
  );
export type PostChange = z.infer<typeof postChange>;
