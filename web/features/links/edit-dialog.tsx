import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import type { SettingName } from '#contract/link-settings.ts';
import type { LinkRow } from '#contract/links.ts';
import { errorField } from '#web/shared/api.ts';
import { readableUrl } from '#web/shared/format.ts';
import { LINK_SETTINGS, SETTING_NAMES } from '#web/shared/link-settings.ts';
import { MoreOptions } from '#web/shared/more-options.tsx';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, focusFirstError } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { buildLinkChange, toForm } from './link-change.ts';
import { useUpdateLink } from './queries.ts';
import { SettingField } from './setting-field.tsx';
import { TagField } from './tag-field.tsx';

/** The fields beside which their errors appear. */
const FIELDS = ['longUrl', 'tags', ...SETTING_NAMES];
/** The settings above and below the tags. */
const FIRST: readonly SettingName[] = ['expiresAt', 'title'];
const OTHERS = SETTING_NAMES.filter(
  (name) => LINK_SETTINGS[name].isInForm && !FIRST.includes(name),
);

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
  const toField = (name: SettingName) => (
    <SettingField
      key={name}
      name={name}
      value={values[name]}
      error={field === name ? message : undefined}
      onChange={(value) => set({ [name]: value })}
    />
  );
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
        {FIRST.map(toField)}
        <TagField
          label="Tags (optional)"
          names={values.tags}
          error={field !== undefined && field.startsWith('tags') ? message : undefined}
          onChange={(tags) => set({ tags })}
        />
        {OTHERS.map(toField)}
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
