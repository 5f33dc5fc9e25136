import { useState } from 'react';
import type { SettingName } from '#contract/links/link-settings.ts';
import type { ListedLink } from '#contract/links/links.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { LinkDetails } from '#web/shared/link-settings/link-details.tsx';
import {
  noValue,
  SETTING_NAMES,
  type SettingValue,
} from '#web/shared/link-settings/link-settings.ts';
import { MoreOptions } from '#web/shared/link-settings/more-options.tsx';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { toast } from '#web/ui/announcer.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { describeHealth } from './describe-health.ts';
import { DomainField } from './domain-field.tsx';
import { buildLinkChange, toForm } from './link-change.ts';
import { useUpdateLink } from './queries.ts';

// An error about the code is possible here, too: the code can be taken on another domain.
const FIELDS = ['longUrl', 'domain', 'customCode', 'tags', ...SETTING_NAMES];

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
  const required = useRequired({
    longUrl: values.longUrl.trim() === '' && 'Enter a destination.',
  });
  const submit = (): void => {
    if (!required.check()) return;
    if (change === null) onClose();
    else save.mutate({ code: link.short_code, change });
  };
  const settings = {
    settings: values,
    onSetting: (name: SettingName, value?: SettingValue) => set({ [name]: value ?? noValue(name) }),
    errorAt: errors.at,
  };
  return (
    <FormDialog
      title="Edit link"
      action="Save link"
      pending={save.isPending}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">
        {readableUrl(link.short_url)}
      </p>
      <TextField
        {...VERBATIM}
        label="Destination"
        hint={link.health === null ? undefined : describeHealth(link.health)}
        error={required.at('longUrl') || errors.at('longUrl')}
        dir="ltr"
        className="rtl:text-end"
        value={values.longUrl}
        inputMode="url"
        onText={(longUrl) => set({ longUrl })}
      />
      <DomainField
        link={link}
        domain={values.domain}
        error={errors.at('domain') ?? errors.at('customCode')}
        onDomain={(domain) => set({ domain })}
      />
      <LinkDetails
        tags={values.tags}
        onTags={(tags) => set({ tags })}
        tagError={errors.at('tags')}
        {...settings}
      />
      <MoreOptions
        longUrl={values.longUrl}
        onLongUrl={(longUrl) => set({ longUrl })}
        {...settings}
      />
    </FormDialog>
  );
}
