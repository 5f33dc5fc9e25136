import { useState } from 'react';
import type { Post } from '#contract/blog.ts';
import { ADMIN_EXCERPT } from '#contract/limits.ts';
import { excerptOf } from '#contract/post-text.ts';
import { formatDate, plural } from '#web/shared/format.ts';
import { toast } from '#web/ui/announcer.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useUpdatePost, useDeletePost } from './queries.ts';

/** The writer's posts with what may be done to each. `editing` is the id of the post in the form. */
export function PostRows({ posts, publisher, editing }: { posts: readonly Post[]; publisher: boolean; editing: number | null }) {
  const [doomed, setDoomed] = useState<Post | null>(null);
  const remove = useDeletePost();
  const close = (): void => {
    setDoomed(null);
    remove.reset();
  };
  return (
    <>
      <ul className="divide-y divide-line">
        {posts.map((post) => (
          <li key={post.id} className="px-4 py-4 sm:px-5">
            <PostRow post={post} publisher={publisher} inForm={post.id === editing} onDelete={() => setDoomed(post)} />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={doomed !== null}
        onClose={close}
        onConfirm={() => {
          if (doomed === null) return;
          remove.mutate(doomed.id, {
            onSuccess: () => {
              toast('Post deleted.');
              close();
            },
          });
        }}
        title="Delete this post?"
        action="Delete post"
        pending={remove.isPending}
        error={remove.error?.message ?? ''}
      >
        <span className="[overflow-wrap:anywhere]">
          “{doomed?.title}” and its address /blog/{doomed?.slug} will be gone for good.
        </span>
      </ConfirmDialog>
    </>
  );
}

function PostRow({
  post,
  publisher,
  inForm,
  onDelete,
}: {
  post: Post;
  publisher: boolean;
  inForm: boolean;
  onDelete: () => void;
}) {
  const change = useUpdatePost();
  const mayChange = publisher || !post.published;
  const turn = (): void => {
    change.mutate(
      { id: post.id, change: { published: !post.published } },
      {
        onSuccess: ({ published }) => toast(published ? 'Post published.' : 'Post is a draft again.'),
        onError: (error) => toast(error.message, { tone: 'bad' }),
      },
    );
  };
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-14 font-medium">
          <span className="min-w-0 [overflow-wrap:anywhere]">{post.title}</span>
          <Badge tone={post.published ? 'good' : 'neutral'}>{post.published ? 'Published' : 'Draft'}</Badge>
        </h3>
        <p className="mt-1 text-13 text-ink-3">
          <time dateTime={post.created_at}>{formatDate(post.created_at)}</time> · {plural(post.content.length, 'character')} ·{' '}
          <span className="font-mono text-12 [overflow-wrap:anywhere]">{post.slug}</span>
        </p>
        <p className="mt-1.5 text-13 text-ink-2 [overflow-wrap:anywhere]">{excerptOf(post.content, ADMIN_EXCERPT)}</p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {post.published && (
          <LinkButton size="sm" variant="ghost" to={`/blog/${post.slug}`} aria-label={`View ${post.title}`}>
            View
          </LinkButton>
        )}
        {mayChange && (
          <LinkButton
            size="sm"
            to={inForm ? '/admin/blogs' : `/admin/blogs?edit=${post.id}`}
            aria-label={`Edit ${post.title}`}
            aria-current={inForm}
          >
            {inForm ? 'Editing' : 'Edit'}
          </LinkButton>
        )}
        {publisher && (
          <Button
            size="sm"
            pending={change.isPending}
            onClick={turn}
            aria-label={`${post.published ? 'Unpublish' : 'Publish'} ${post.title}`}
          >
            {post.published ? 'Unpublish' : 'Publish'}
          </Button>
        )}
        {mayChange && (
          <Button size="sm" variant="ghost" onClick={onDelete} aria-label={`Delete ${post.title}`}>
            Delete
          </Button>
        )}
        {!mayChange && <span className="self-center text-12 text-ink-3">Only an administrator changes it now</span>}
      </div>
    </div>
  );
}
