import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Post } from '#contract/blog/blog.ts';
import { errorCode } from '#web/shared/api/api.ts';
import { LeaveGuard } from '#web/shared/page/leave-guard.tsx';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Form } from '#web/ui/form.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { DraftFields } from './draft-fields.tsx';
import { toInput, validateDraft } from './post-draft.ts';
import { PostPreview } from './post-preview.tsx';
import { describeSaved, useSavePost } from './queries.ts';
import { usePostDraft } from './use-post-draft.ts';
import { useSlugTaken } from './use-slug-taken.ts';

const VIEWS = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
] as const;

/** The form that creates a post if `post` is null, and edits it otherwise. */
export function PostForm({
  post,
  userId,
  canPublish,
  takesFocus,
  onDone,
}: {
  post: Post | null;
  userId: string;
  canPublish: boolean;
  /** True if the user opened this form. It then scrolls into view and takes the focus. */
  takesFocus: boolean;
  /** Called after the post was saved or editing was cancelled. */
  onDone: () => void;
}) {
  const { draft, changed, restored, set, discard } = usePostDraft(
    `hop:post:${userId}:${post?.id ?? 'new'}`,
    post,
  );
  const [submitted, setSubmitted] = useState(false);
  // After the first submit, each error disappears as soon as its field is valid.
  const errors = submitted ? validateDraft(draft) : {};
  const [view, setView] = useState<'write' | 'preview'>('write');
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    heading.current?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: 'start' });
  }, [takesFocus]);
  const { mutate, error, variables, isPending: saving } = useSavePost();
  const isSlugTaken = errorCode(error) === 'slug_taken';
  const submittedSlug = variables?.change.slug;
  const isTaken = useSlugTaken(draft.slug, post?.slug);
  const slugError =
    isSlugTaken && draft.slug === submittedSlug
      ? error?.message
      : isTaken
        ? 'Another post already has this slug. A draft can keep it, but cannot be published with it.'
        : undefined;

  const onSaved = (saved: Post): void => {
    toast(describeSaved(saved, 'Draft saved.'));
    discard();
    setSubmitted(false);
    setView('write');
    onDone();
  };
  const save = (): void => {
    setSubmitted(true);
    if (Object.keys(validateDraft(draft)).length > 0) {
      setView('write');
      return;
    }
    mutate(
      { id: post?.id ?? null, change: toInput(draft) },
      { onSuccess: onSaved, onError: () => setView('write') },
    );
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) form.current?.requestSubmit();
  };
  const publishHint = canPublish
    ? undefined
    : 'Only administrators can publish. Your post is saved as a draft.';

  return (
    <Card className="p-4 sm:p-5">
      <LeaveGuard active={changed && !saving} onLeave={discard}>
        Your changes to this post are not saved.
      </LeaveGuard>
      <Form
        ref={form}
        error={error}
        changed={changed}
        className="scroll-mt-20"
        aria-label={post === null ? 'New post' : 'Edit post'}
        onSubmit={save}
      >
        <h2 ref={heading} tabIndex={-1} className="mb-2 text-16 font-semibold">
          {post === null ? 'New post' : 'Edit post'}
        </h2>
        {restored && (
          <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-transparent bg-accent-soft px-3 py-1.5 text-13 text-ink">
            <span className="min-w-0 flex-1">We restored your unsaved changes.</span>
            <Button size="sm" variant="ghost" onClick={discard}>
              Discard changes
            </Button>
          </p>
        )}
        <Tabs tabs={VIEWS} value={view} onChange={setView} label="Write or preview">
          {view === 'write' ? (
            <DraftFields
              draft={draft}
              errors={slugError === undefined ? errors : { slug: slugError, ...errors }}
              onChange={set}
              onKey={onKey}
            />
          ) : (
            <PostPreview draft={draft} />
          )}
        </Tabs>
        <div className="mt-5 space-y-4">
          <Checkbox
            label={post === null ? 'Publish immediately' : 'Published'}
            hint={publishHint}
            disabled={!canPublish}
            checked={draft.published}
            onChange={(event) => set({ ...draft, published: event.target.checked })}
          />
          {error !== null && !isSlugTaken && (
            <ErrorLine
              message={`The post was not saved. ${error.message}`}
              query={{ refetch: save, isFetching: saving, isManual: true }}
            />
          )}
          <div className="flex flex-wrap gap-2">
            <Button
              type="submit"
              variant="primary"
              pending={saving}
              disabled={post !== null && !changed}
            >
              {post !== null ? 'Save changes' : draft.published ? 'Publish post' : 'Save draft'}
            </Button>
            {post !== null && (
              <Button
                onClick={() => {
                  discard();
                  onDone();
                }}
              >
                Cancel
              </Button>
            )}
            {post === null && changed && (
              <Button variant="ghost" onClick={discard}>
                Clear form
              </Button>
            )}
          </div>
        </div>
      </Form>
    </Card>
  );
}
