import { useState } from 'react';
import type { Post } from '#contract/blog/blog.ts';
import { summaryOf } from '#contract/blog/post-summary.ts';
import { plural } from '#contract/language.ts';
import { formatDate } from '#web/shared/texts/format.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { toast, toastFailure } from '#web/ui/announcer.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { describeSaved, useDeletePost, useSavePost } from './queries.ts';

const EXCERPT_MAX = 120;

/**
 * Lists the posts that the user may see, with their actions. `editingId` is the post in the form.
 */
export function PostRows({
  posts,
  canPublish,
  editingId,
}: {
  posts: readonly Post[];
  canPublish: boolean;
  editingId: number | null;
}) {
  const [deleting, setDeleting] = useState<Post | null>(null);
  const remove = useDeletePost();
  const close = (): void => {
    setDeleting(null);
    remove.reset();
  };
  return (
    <>
      <ul className="divide-y divide-line">
        {posts.map((post) => (
          <li key={post.id} className="px-4 py-4 sm:px-5">
            <PostRow
              post={post}
              canPublish={canPublish}
              isEditing={post.id === editingId}
              onDelete={() => setDeleting(post)}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={deleting !== null}
        onClose={close}
        onConfirm={() => {
          if (deleting === null) return;
          remove.mutate(deleting.id, {
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
        This permanently deletes “{deleting?.title}” at /blog/{deleting?.slug}.
      </ConfirmDialog>
    </>
  );
}

function PostRow({
  post,
  canPublish,
  isEditing,
  onDelete,
}: {
  post: Post;
  canPublish: boolean;
  isEditing: boolean;
  onDelete: () => void;
}) {
  const update = useSavePost();
  const canChange = canPublish || !post.published;
  const date = post.published ? (post.published_at ?? post.created_at) : post.created_at;
  const undo = useSavePost();
  const publish = (published: boolean): void => {
    update.mutate(
      { id: post.id, change: { published } },
      {
        onSuccess: (saved) =>
          toast(describeSaved(saved, 'Post unpublished.'), {
            action: {
              label: 'Undo',
              onSelect: () =>
                undo.mutate(
                  { id: post.id, change: { published: !published } },
                  {
                    onSuccess: (undone) => toast(describeSaved(undone, 'Post unpublished.')),
                    onError: (error) => toastFailure(error, 'Undo failed.'),
                  },
                ),
            },
          }),
        onError: (error) => toastFailure(error, 'The post was not changed.'),
      },
    );
  };
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-14 font-medium">
          <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
            {post.title}
          </span>
          <Badge tone={post.published ? 'good' : 'neutral'}>
            {post.published ? 'Published' : 'Draft'}
          </Badge>
        </h3>
        <p className="mt-1 text-13 text-ink-3">
          {post.published ? 'Published' : 'Created'} <Time at={date}>{formatDate(date)}</Time> ·{' '}
          {plural(post.content.length, 'character')} ·{' '}
          <span className="font-mono text-12 [overflow-wrap:anywhere]">{post.slug}</span>
        </p>
        <p dir="auto" className="mt-1.5 text-13 text-ink-2 [overflow-wrap:anywhere]">
          {summaryOf(post, EXCERPT_MAX)}
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {canChange && (
          <LinkButton
            size="sm"
            to={isEditing ? '/admin/blogs' : `/admin/blogs?edit=${post.id}`}
            aria-label={`Edit ${post.title}`}
            aria-current={isEditing}
          >
            {isEditing ? 'Editing' : 'Edit'}
          </LinkButton>
        )}
        {canPublish && (
          <Button
            size="sm"
            pending={update.isPending}
            onClick={() => publish(!post.published)}
            aria-label={`${post.published ? 'Unpublish' : 'Publish'} ${post.title}`}
          >
            {post.published ? 'Unpublish' : 'Publish'}
          </Button>
        )}
        {post.published && (
          <LinkButton
            size="sm"
            variant="ghost"
            to={`/blog/${post.slug}`}
            aria-label={`View ${post.title}`}
          >
            View
          </LinkButton>
        )}
        {canChange && (
          <Button size="sm" variant="ghost" onClick={onDelete} aria-label={`Delete ${post.title}`}>
            Delete
          </Button>
        )}
        {!canChange && (
          <span className="self-center text-12 text-ink-3">
            Only administrators can change published posts
          </span>
        )}
      </div>
    </div>
  );
}
