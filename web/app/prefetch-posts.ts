import { listTag, postQuery, publicPostsQuery } from '#web/features/blog/queries.ts';
import { queries } from './query-client.tsx';

/** Loads the posts of the blog page at `pathname`: one post, or the list. The page shows errors. */
export function prefetch(pathname: string): Promise<void> {
  const slug = /^\/blog\/([^/]+)$/.exec(pathname)?.[1];
  return slug === undefined
    ? queries.prefetchInfiniteQuery(publicPostsQuery(listTag(window.location.search)))
    : queries.prefetchQuery(postQuery(slug));
}
