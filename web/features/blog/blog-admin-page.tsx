import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Post } from '#contract/blog/blog.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { formatDate } from '#web/shared/texts/format.ts';
import { RoleError } from '#web/shared/api/role-error.tsx';
import { useSession } from '#web/shared/session/session.ts';
import { useMe } from '#web/shared/api/use-me.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Stats } from '#web/ui/stats.tsx';
import { PostForm } from './post-form.tsx';
import { PostRows } from './post-rows.tsx';
import { POSTS_FAILED, useManagedPosts } from './queries.ts';

/**
 * The page on which posts are written. Everyone may write drafts; only administrators publish. See
 * docs/decisions.md#d5.
 */
export function BlogAdminPage() {
  const session = useSession();
  const me = useMe();
  const posts = useManagedPosts();
  const [query, setQuery] = useSearchParams();
  const [wasEdited, setWasEdited] = useState(false);
  const canPublish = me.isAdmin;
  const editId = Number(query.get('edit') ?? '');
  const editing =
    posts.data?.find((post) => post.id === editId && (canPublish || !post.published)) ?? null;
  const userId = session.status === 'member' ? session.id : '';
  const failed = posts.isError && posts.data === undefined;
  const list = posts.data ?? [];
  return (
    <div className="space-y-6">
      <PageHeading
        title="Manage Blogs"
        documentTitle="Manage blogs"
        hint={
          canPublish
            ? 'All posts of the blog, including drafts.'
            : 'Your posts. Only administrators can publish them.'
        }
      />
      {posts.isError && !failed && <ErrorLine message={POSTS_FAILED} query={posts} />}
      {me.failed && <RoleError me={me} />}
      <PostStats
        posts={posts.isPending ? null : (posts.data ?? 'unknown')}
        hasMore={posts.hasNextPage}
      />
      <PostForm
        // Every post has a separate form, which resets when the saved post changes.
        key={editing === null ? 'new' : `${editing.id}:${editing.updated_at}`}
        post={editing}
        userId={userId}
        canPublish={canPublish}
        takesFocus={editing !== null || wasEdited}
        onDone={() => {
          setWasEdited(editing !== null);
          setQuery({}, { replace: true });
        }}
      />
      <Card>
        <h2 className="border-b border-line px-4 py-3 text-14 font-medium sm:px-5">
          {canPublish ? 'All posts' : 'Your posts'}
        </h2>
        {posts.isPending && <RowsSkeleton />}
        {list.length > 0 && (
          <PostRows posts={list} canPublish={canPublish} editingId={editing?.id ?? null} />
        )}
        {posts.hasNextPage && <LoadMore shown={plural(list.length, 'post')} next={posts} />}
        {failed && <FailedState title={POSTS_FAILED} query={posts} />}
        {posts.data?.length === 0 && (
          <EmptyState title="No blog posts yet">Write the first one above.</EmptyState>
        )}
      </Card>
    </div>
  );
}

/**
 * `posts` is null while loading and 'unknown' if that failed. `hasMore` means that the counts
 * exclude older posts on the server.
 */
function PostStats({
  posts,
  hasMore,
}: {
  posts: readonly Post[] | null | 'unknown';
  hasMore: boolean;
}) {
  const loading = posts === null;
  const all = posts === null || posts === 'unknown' ? [] : posts;
  const count = (isCounted: (post: Post) => boolean): string | null => {
    if (loading) return null;
    return posts === 'unknown'
      ? '–'
      : `${formatNumber(all.filter(isCounted).length)}${hasMore ? '+' : ''}`;
  };
  const last = all[0];
  return (
    <Stats
      items={[
        { label: 'Total Posts', value: count(() => true) },
        { label: 'Published', value: count((post) => post.published) },
        { label: 'Drafts', value: count((post) => !post.published) },
        {
          label: 'Last Post',
          value: loading ? null : last === undefined ? '–' : formatDate(last.created_at),
        },
      ]}
    />
  );
}

function RowsSkeleton() {
  return (
    <Loading label="Loading posts…">
      <div className="divide-y divide-line">
        {['a', 'b', 'c'].map((key) => (
          <div key={key} className="px-4 py-4 sm:px-5">
            <Skeleton className="h-5 w-1/2" />
            <Skeleton className="mt-2 h-4 w-64 max-w-full" />
            <Skeleton className="mt-2 h-4 w-4/5" />
          </div>
        ))}
      </div>
    </Loading>
  );
}
