/**
 * Returns the value of `posts.slug`: the slug of a published post, and '<author id>/<slug>' for a
 * draft, so that drafts cannot reserve slugs. The unique index keeps slugs unique among published
 * posts and among the drafts of an author, because a slug never contains '/'. A draft without an
 * author (of a deleted account) has '/<slug>'.
 */
export function storedSlug(post: {
  slug: string;
  published: boolean;
  author_id: string | null;
}): string {
  return post.published ? post.slug : `${post.author_id ?? ''}/${post.slug}`;
}

/**
 * Returns the slug in a stored value. Drafts of releases before this rule are stored as the slug
 * alone.
 */
export const publicSlug = (stored: string): string => stored.slice(stored.lastIndexOf('/') + 1);
