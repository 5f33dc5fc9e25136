import { useState } from 'react';
import type { SettingName } from '#contract/link-settings.ts';
import type { ListedLink } from '#contract/links.ts';
import { readableUrl } from '#web/shared/format.ts';
import { SETTING_FIELDS, SETTING_NAMES } from '#web/shared/link-settings.ts';
import { MoreOptions } from '#web/shared/more-options.tsx';
import { serverErrors } from '#web/shared/server-errors.ts';
import { toast } from '#web/ui/announcer.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { buildLinkChange, toForm } from './link-change.ts';
import { useUpdateLink } from './queries.ts';
import { SettingField } from './setting-field.tsx';
import { TagField } from './tag-field.tsx';

const FIELDS = ['longUrl', 'tags', ...SETTING_NAMES];
/** The settings above the tags. The others are below. */
const FIRST: readonly SettingName[] = ['expiresAt', 'title'];
const OTHERS = SETTING_NAMES.filter(
  (name) => SETTING_FIELDS[name].isInForm && !FIRST.includes(name),
);

export function EditDialog({ link, onClose }: { link: ListedLink; onClose: () => void }) {
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
  const toField = (name: SettingName) => (
    <SettingField
      key={name}
      name={name}
      value={values[name]}
      error={errors.at(name)}
      onChange={(value) => set({ [name]: value })}
    />
  );
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
      {FIRST.map(toField)}
      <TagField
        label="Tags (optional)"
        names={values.tags}
        error={errors.at('tags')}
        onChange={(tags) => set({ tags })}
      />
      {OTHERS.map(toField)}
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
