/**
 * How `posts.slug` keeps a slug. A published post has its slug, which is unique. A draft has '<author id>/<slug>': it is taken
 * for its author only, so nobody can occupy slugs with drafts. The unique index on the column holds both rules, because a
 * slug holds no '/'. A draft without an author (of a deleted account) has '/<slug>'.
 */
export function storedSlug(post: { slug: string; published: boolean; author_id: string | null }): string {
  return post.published ? post.slug : `${post.author_id ?? ''}/${post.slug}`;
}

/** The slug in `stored`. A draft that the release before this rule wrote has its slug only. */
export const shownSlug = (stored: string): string => stored.slice(stored.lastIndexOf('/') + 1);
