import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { LinkRow } from '#contract/links.ts';
import { LINK_NOTE_MAX, LINK_TITLE_MAX } from '#contract/limits.ts';
import { errorField } from '#web/shared/api.ts';
import { readableUrl } from '#web/shared/format.ts';
import { MoreOptions } from '#web/shared/more-options.tsx';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, focusFirstError } from '#web/ui/field.tsx';
import { Input, Textarea } from '#web/ui/input.tsx';
import { buildLinkChange, toForm } from './link-change.ts';
import { useUpdateLink } from './queries.ts';
import { TagField } from './tag-field.tsx';

/** The fields beside which their errors appear. */
const FIELDS = ['longUrl', 'expiresAt', 'title', 'tags', 'note', 'forwardParams'];

/**
 * Edits a link's target and end date, and what its owner notes about it. The code has a separate
 * dialog.
 */
export function EditDialog({ link, onClose }: { link: LinkRow; onClose: () => void }) {
  const [values, setValues] = useState(() => toForm(link));
  const set = (change: Partial<typeof values>): void =>
    setValues((before) => ({ ...before, ...change }));
  const form = useRef<HTMLFormElement>(null);
  const save = useUpdateLink(() => {
    toast('Link saved.');
    onClose();
  });
  const field = errorField(save.error);
  const message = save.error?.message;
  useEffect(() => {
    if (save.error !== null) focusFirstError(form.current);
  }, [save.error]);
  const change = buildLinkChange(link, { ...values, longUrl: values.longUrl.trim() });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (change !== null) save.mutate({ code: link.short_code, change });
  };
  return (
    <Dialog open onClose={onClose} title="Edit link">
      <form ref={form} noValidate onSubmit={submit} className="space-y-4">
        <p className="font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">
          {readableUrl(link.short_url)}
        </p>
        <Field label="Target" error={field === 'longUrl' ? message : undefined}>
          {(control) => (
            <Input
              {...control}
              dir="ltr"
              className="rtl:text-end"
              value={values.longUrl}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => set({ longUrl: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="End date (optional)"
          hint="After this time the link stops redirecting and shows that it has expired."
          error={field === 'expiresAt' ? message : undefined}
        >
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              value={values.end}
              onChange={(event) => set({ end: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Title (optional)"
          hint="Only you see title, tags and note."
          error={field === 'title' ? message : undefined}
        >
          {(control) => (
            <Input
              {...control}
              value={values.title}
              maxLength={LINK_TITLE_MAX}
              onChange={(event) => set({ title: event.target.value })}
            />
          )}
        </Field>
        <TagField
          label="Tags (optional)"
          names={values.tags}
          error={field !== undefined && field.startsWith('tags') ? message : undefined}
          onChange={(tags) => set({ tags })}
        />
        <Field label="Note (optional)" error={field === 'note' ? message : undefined}>
          {(control) => (
            <Textarea
              {...control}
              className="min-h-20!"
              value={values.note}
              maxLength={LINK_NOTE_MAX}
              onChange={(event) => set({ note: event.target.value })}
            />
          )}
        </Field>
        <MoreOptions
          longUrl={values.longUrl}
          onLongUrl={(longUrl) => set({ longUrl })}
          forward={values.forwardParams}
          onForward={(forwardParams) => set({ forwardParams })}
          forwardError={
            field !== undefined && field.startsWith('forwardParams') ? message : undefined
          }
        />
        {save.error !== null && !FIELDS.some((name) => field?.startsWith(name)) && (
          <p role="alert" className="text-13 text-bad">
            {message}
          </p>
        )}
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={change === null || values.longUrl.trim() === ''}
            pending={save.isPending}
          >
            Save link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
