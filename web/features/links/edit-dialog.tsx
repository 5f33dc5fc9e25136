import { useState } from 'react';
import type { LinkRow } from '#contract/links.ts';
import { LINK_NOTE_MAX, LINK_TITLE_MAX } from '#contract/limits.ts';
import { readableUrl } from '#web/shared/format.ts';
import { MoreOptions } from '#web/shared/more-options.tsx';
import { serverErrors } from '#web/shared/server-errors.ts';
import { toast } from '#web/ui/announcer.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { Textarea, VERBATIM } from '#web/ui/input.tsx';
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
  const save = useUpdateLink(() => {
    toast('Link saved.');
    onClose();
  });
  const errors = serverErrors(save.error, FIELDS);
  const change = buildLinkChange(link, { ...values, longUrl: values.longUrl.trim() });
  const submit = (): void => {
    if (change !== null) save.mutate({ code: link.short_code, change });
  };
  return (
    <FormDialog
      title="Edit link"
      action="Save link"
      pending={save.isPending}
      disabled={change === null || values.longUrl.trim() === ''}
      error={save.error}
      message={errors.rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">
        {readableUrl(link.short_url)}
      </p>
      <TextField
        {...VERBATIM}
        label="Target"
        error={errors.at('longUrl')}
        dir="ltr"
        className="rtl:text-end"
        value={values.longUrl}
        inputMode="url"
        onText={(longUrl) => set({ longUrl })}
      />
      <TextField
        label="End date (optional)"
        hint="After this time the link stops redirecting and shows that it has expired."
        error={errors.at('expiresAt')}
        type="datetime-local"
        value={values.end}
        onText={(end) => set({ end })}
      />
      <TextField
        label="Title (optional)"
        hint="Only you see title, tags and note."
        error={errors.at('title')}
        value={values.title}
        maxLength={LINK_TITLE_MAX}
        onText={(title) => set({ title })}
      />
      <TagField
        label="Tags (optional)"
        names={values.tags}
        error={errors.at('tags')}
        onChange={(tags) => set({ tags })}
      />
      <Field label="Note (optional)" error={errors.at('note')}>
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
        forwardError={errors.at('forwardParams')}
      />
    </FormDialog>
  );
}
