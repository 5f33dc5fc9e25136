import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { Post, PostChange, PublicPost } from '#contract/blog/blog.ts';
import { api, apiPage } from '#web/shared/api/api.ts';
import { useSend } from '#web/shared/api/use-send.ts';

export const POSTS_FAILED = 'The posts could not be loaded.';
/** Says what a saved post is; `otherwise` if it is a draft. */
export const describeSaved = ({ published }: Post, otherwise: string): string =>
  published ? 'Post published.' : otherwise;

const PUBLIC = ['posts', 'public'];
const WRITER = ['posts', 'writer'];

const postsQuery = (queryKey: string[], path: string) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => apiPage<Post[]>(pageParam, { signal }),
    initialPageParam: path,
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap((page) => page.body),
  });

/** The tag in the query of the list's address; '' for all posts. */
export const listTag = (search: string): string => new URLSearchParams(search).get('tag') ?? '';

/** Loads the published posts, or those with `tag`. */
export const publicPostsQuery = (tag: string) =>
  postsQuery(
    [...PUBLIC, tag],
    tag === '' ? '/api/blogs' : `/api/blogs?tag=${encodeURIComponent(tag)}`,
  );

/** Loads all posts for administrators, and the posts they wrote for other users. */
export const useManagedPosts = () => useInfiniteQuery(postsQuery(WRITER, '/api/blogs-admin'));

export const postQuery = (slug: string) =>
  queryOptions({
    queryKey: ['posts', 'one', slug],
    queryFn: ({ signal }) => api<PublicPost>(`/api/blog/${encodeURIComponent(slug)}`, { signal }),
  });

/** Changes a post and then reloads every list and post. */
const usePostChange = <Input, Output>(send: (input: Input) => Promise<Output>) =>
  useSend(send, [['posts']], undefined, { waits: true });

/** Creates a post if `id` is null, and changes that post otherwise. */
export const useSavePost = () =>
  usePostChange(({ id, change }: { id: number | null; change: PostChange }) =>
    id === null
      ? api<Post>('/api/blogs-admin', { method: 'POST', body: change })
      : api<Post>(`/api/blogs-admin/${id}`, { method: 'PATCH', body: change }),
  );

export const useDeletePost = () =>
  usePostChange((id: number) => api(`/api/blogs-admin/${id}`, { method: 'DELETE' }));
