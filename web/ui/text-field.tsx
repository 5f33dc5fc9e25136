import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
import { Input, Textarea } from './input.tsx';

type FieldProps = Omit<ComponentProps<typeof Field>, 'children'>;
type TextProps = { onText: (text: string) => void };

export function TextField({
  label,
  hint,
  error,
  action,
  hideLabel = false,
  onText,
  ...input
}: FieldProps & ComponentProps<typeof Input> & TextProps) {
  return (
    <Field label={label} hint={hint} error={error} action={action} hideLabel={hideLabel}>
      {(control) => (
        <Input {...control} {...input} onChange={(event) => onText(event.target.value)} />
      )}
    </Field>
  );
}

/** A field for several lines. */
export function TextareaField({
  label,
  hint,
  error,
  onText,
  ...textarea
}: FieldProps & ComponentProps<typeof Textarea> & TextProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Textarea {...control} {...textarea} onChange={(event) => onText(event.target.value)} />
      )}
    </Field>
  );
}
