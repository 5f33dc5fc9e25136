import * as z from 'zod';
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
};
/** GET /api/blogs: published posts, newest first: an array, as the spec has it. GET /api/blogs-admin: the same type, drafts included. */
export type PostList = Post[];

export const postInput = z.object({
  title: z
    .string()
    .trim()
    .min(1, 'A post needs a title.')
    .max(POST_TITLE_MAX, `A title has at most ${POST_TITLE_MAX} characters.`)
    .transform((title) => title.normalize('NFC')),
  content: z.string().min(1, 'A post needs content.').max(POST_CONTENT_MAX, `A post has at most ${POST_CONTENT_MAX} characters.`),
  slug: z
    .string()
    .max(POST_SLUG_MAX, `A slug has at most ${POST_SLUG_MAX} characters.`)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'A slug holds lower-case letters, digits and single hyphens.'),
  published: z.boolean().default(false),
});
export type PostInput = z.infer<typeof postInput>;
/** PATCH /api/blogs-admin/:id changes what is given; DELETE /api/blogs-admin/:id removes the post. */
export const postChange = postInput.partial();
export type PostChange = z.infer<typeof postChange>;

/** 'Hello, World!' → 'hello-world': what the slug field is filled with (spec §2). */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, POST_SLUG_MAX)
    .replace(/-+$/, '');
}
