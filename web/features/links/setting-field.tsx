import type { SettingName } from '#contract/link-settings.ts';
import { LINE_MAX, SETTING_FIELDS } from '#web/shared/link-settings.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input, Textarea } from '#web/ui/input.tsx';

export function SettingField({
  name,
  value,
  error,
  onChange,
}: {
  name: SettingName;
  value: unknown;
  error: string | undefined;
  onChange: (value: string | boolean) => void;
}) {
  const { kind, label, hint, max = 0 } = SETTING_FIELDS[name];
  if (typeof value === 'boolean')
    return (
      <Checkbox
        label={label}
        hint={error ?? hint}
        checked={value}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  const shared = {
    value: String(value),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <Field label={`${label} (optional)`} hint={hint} error={error}>
      {(control) =>
        kind === 'time' ? (
          <Input {...control} {...shared} type="datetime-local" />
        ) : max > LINE_MAX ? (
          <Textarea {...control} {...shared} className="min-h-20!" maxLength={max} />
        ) : (
          <Input {...control} {...shared} maxLength={max} />
        )
      }
    </Field>
  );
}
